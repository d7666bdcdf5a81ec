import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config/config.ts';
import { openDatabase } from './database/open.ts';
import { createAccounts } from './features/accounts/accounts.ts';
import { createAdmins } from './features/admins/admins.ts';
import { createAudit } from './features/audit/audit.ts';
import { createDevices } from './features/devices/devices.ts';
import { createGuesses } from './features/limits/guesses.ts';
import { createLimits } from './features/limits/limits.ts';
import { createOperatorKeys } from './features/operator-keys/operator-keys.ts';
import { createCookies } from './features/sessions/cookies.ts';
import { createSessions } from './features/sessions/sessions.ts';
import { createVisitors } from './features/sessions/visitors.ts';
import { createArchive } from './features/archive/archive.ts';
import { createSelections } from './features/archive/selections.ts';
import { createBackup } from './features/backup/backup.ts';
import { createDemo } from './features/demo/demo.ts';
import { samples, SAMPLES_FOLDER } from './features/demo/samples.ts';
import { createEvents } from './features/events/events.ts';
import { createIntegrity } from './features/integrity/integrity.ts';
import { createLinks } from './features/links/links.ts';
import { createLive } from './features/live/live.ts';
import { meterDecoder, meterUploads, watch } from './features/monitoring/monitoring.ts';
import { createPhotos } from './features/photos/photos.ts';
import { createReports } from './features/reports/reports.ts';
import { createRetention } from './features/retention/retention.ts';
import { createReadiness } from './features/site/readiness.ts';
import { createJanitor } from './features/integrity/janitor.ts';
import { createUploads } from './features/uploads/uploads.ts';
import { createDecoder } from './images/create-decoder.ts';
import type { Decoder } from './images/decoder.ts';
import { systemClock, type Clock } from './lib/clock.ts';
import type { Log } from './lib/log.ts';
import { createMetrics } from './lib/metrics.ts';
import { lockDataFolder } from './storage/data-lock.ts';
import { createFolderStore } from './storage/folder-store.ts';
import { createStaging } from './storage/folder-staging.ts';
import { createS3Store } from './storage/s3-store.ts';
import { createVault } from './vault/create-vault.ts';
import type { Vault } from './vault/vault.ts';

/** For the operator's commands: hardly one decodes anything, and the others start no processes for it. */
function createDecoderWhenAsked(log: Log): Decoder {
  let made: Decoder | undefined;
  const decoder = (): Decoder => (made ??= createDecoder({ log }));
  return {
    decode: (...args) => decoder().decode(...args),
    preview: (...args) => decoder().preview(...args),
    share: (...args) => decoder().share(...args),
    isolated: false,
    close: async () => made?.close(),
  };
}

/** Where the database is. */
export function databaseOf({ databaseUrl, dataDir }: Config): { url: string | null; file: string } {
  return { url: databaseUrl, file: join(dataDir, 'feierbild.sqlite') };
}

export type Services = Awaited<ReturnType<typeof createServices>>;

export type Parts = Awaited<ReturnType<typeof openParts>>;

/**
 * Every part once, wired by hand, on the configured database and stores. Nothing runs yet, and nothing keeps others out: the
 * operator's commands open the same while the server runs.
 */
export async function openParts(
  config: Config,
  log: Log,
  {
    decoder = createDecoderWhenAsked(log),
    clock = systemClock,
    vault = createVault(),
    shared = true,
  }: { decoder?: Decoder; clock?: Clock; vault?: Vault; shared?: boolean } = {},
) {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const db = await openDatabase(databaseOf(config));
  const blobs = config.s3 ? createS3Store(config.s3) : createFolderStore({ folder: join(config.dataDir, 'photos'), shared });
  const staging = createStaging({ folder: join(config.dataDir, 'staging'), uncached: !config.s3 });

  const secure = config.publicUrl?.startsWith('https:') ?? false;
  const cookies = createCookies({ secure });
  const devices = createDevices({ secure });
  const limits = createLimits({ db, clock });
  const audit = createAudit({ db, clock });
  const sessions = createSessions({ db, vault, clock });
  const guesses = createGuesses({ limits, audit });
  const operatorKeys = createOperatorKeys({ db, vault, clock });
  const accounts = createAccounts({ db, vault, clock, guesses, audit, sessions, operatorKeys });
  const admins = createAdmins({ db, vault, clock, guesses, audit, sessions, operatorKeys, log });
  const events = createEvents({ db, vault, clock, blobs, accounts, operatorKeys, limits, audit });
  const archive = createArchive({ db, blobs, vault, clock, log });
  const selections = createSelections({ db, blobs, vault, clock });
  const live = createLive({ db, log });
  const photos = createPhotos({
    db,
    blobs,
    vault,
    decoder,
    log,
    onDeleted: (trx, eventId, receivedAt) => archive.invalidate(trx, eventId, receivedAt),
    onChanged: live.announce,
  });
  const links = createLinks({ db, vault, decoder, photos, staging, clock });
  const uploads = createUploads({
    db,
    blobs,
    staging,
    vault,
    decoder,
    events,
    photos,
    links,
    onStored: (eventId) => live.announce(eventId, 'came'),
    clock,
    log,
    maxBytes: config.maxUploadBytes,
  });
  const janitor = createJanitor({ db, blobs, clock });
  const reports = createReports({ db, clock, limits });
  const integrity = createIntegrity({ db, blobs, vault });
  const backup = createBackup({ db, blobs, staging, vault, clock });
  const retention = createRetention({ db, clock, log, events, sessions, links, selections, limits, audit, reports, janitor });

  return {
    config,
    log,
    db,
    blobs,
    staging,
    decoder,
    janitor,
    accounts,
    admins,
    audit,
    sessions,
    cookies,
    devices,
    visitors: createVisitors({ sessions, vault, cookies, devices }),
    events,
    photos,
    links,
    live,
    uploads,
    archive,
    reports,
    selections,
    integrity,
    backup,
    retention,
    async close(): Promise<void> {
      await retention.close();
      await archive.close();
      await photos.close();
      await decoder.close();
      await blobs.close();
      await db.close();
    },
  };
}

/** The server: all parts, alone on the data folder, tidied up after a crash. Tests move the clock and hash passwords quickly. */
export async function createServices(
  config: Config,
  log: Log,
  { clock = systemClock, vault = createVault() }: { clock?: Clock; vault?: Vault } = {},
) {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const lock = lockDataFolder(config.dataDir);
  const metrics = config.metrics && createMetrics();
  const pools = createDecoder({ log });
  const decoder = metrics ? meterDecoder(pools, metrics) : pools;
  const parts = await openParts(config, log, { decoder, clock, vault, shared: false });
  if (metrics) watch(metrics, { ...parts, pools });
  const { db, blobs, staging, janitor, archive, admins } = parts;
  await staging.clear();
  // With one process on its own disk nothing is on its way at the start; other nodes' uploads may be.
  await janitor.sweep(config.databaseUrl || config.s3 ? {} : { graceMs: 0 });
  await archive.recover();
  const generatedPassword = await admins.ensureFirst(config.adminUsername, config.adminPassword);
  const https = config.publicUrl?.startsWith('https:') ?? false;
  const demo = createDemo({ ...parts, clock, samples, folder: SAMPLES_FOLDER, on: config.demo });

  return {
    ...parts,
    demo,
    uploads: metrics ? meterUploads(parts.uploads, metrics) : parts.uploads,
    metrics,
    installation: { defaultBusiness: config.defaultBusiness, https, decoderIsolated: decoder.isolated },
    site: {
      business: config.business,
      get demo() {
        return demo.current();
      },
      ready: createReadiness(async () => {
        await db.check();
        await blobs.check();
      }),
    },

    /**
     * How to log in for the first time, else nothing; the only place where a generated password is ever shown. It is in use
     * already: print it before anything can fail.
     */
    firstLogin(address: string): string[] {
      if (!generatedPassword) return [];
      return [
        `Erste Anmeldung unter ${address}/admin: Benutzername „${config.adminUsername}“, Passwort „${generatedPassword}“.`,
        'Dieses Passwort wird nur jetzt angezeigt.',
      ];
    },

    /** What the operator should read once the server runs. */
    async notices(address: string): Promise<string[]> {
      const lines = [`Feierbild läuft: ${address}`];
      if (await admins.initialPasswordInUse())
        lines.push('Hinweis: Das erste Verwaltungspasswort ist noch in Gebrauch. Bitte ändern Sie es.');
      if (config.defaultBusiness) lines.push('Hinweis: Es sind die Daten des Beispielbetriebs eingetragen (BUSINESS_FILE fehlt).');
      if (!https) lines.push('Hinweis: PUBLIC_URL ist keine https-Adresse; außerhalb des eigenen Netzes bitte nur hinter https betreiben.');
      if (!decoder.isolated) lines.push('Hinweis: Decoder nicht isoliert (bubblewrap ist auf diesem System nicht verfügbar).');
      return lines;
    },

    /** Ends everything that runs; call it after the last answer. */
    async close(): Promise<void> {
      await demo.close();
      await parts.close();
      lock.release();
    },
  };
}
