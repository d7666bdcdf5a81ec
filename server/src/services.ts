import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config/config.ts';
import { openDatabase } from './database/open.ts';
import { createAccounts } from './features/accounts/accounts.ts';
import { createAudit } from './features/accounts/audit.ts';
import { createCookies } from './features/accounts/cookies.ts';
import { createLimits } from './features/accounts/limits.ts';
import { createSessions } from './features/accounts/sessions.ts';
import { createVisitors } from './features/accounts/visitors.ts';
import { createArchive } from './features/archive/archive.ts';
import { createSelections } from './features/archive/selections.ts';
import { createEvents } from './features/events/events.ts';
import { createLinks } from './features/links/links.ts';
import { createLive } from './features/live/live.ts';
import { createPhotos } from './features/photos/photos.ts';
import { createRetention } from './features/retention/retention.ts';
import { createJanitor } from './features/uploads/janitor.ts';
import { createUploads } from './features/uploads/uploads.ts';
import { createDecoder } from './images/create-decoder.ts';
import { systemClock, type Clock } from './lib/clock.ts';
import type { Log } from './lib/log.ts';
import { lockDataFolder } from './storage/data-lock.ts';
import { createFolderStore } from './storage/folder-store.ts';
import { createStaging } from './storage/folder-staging.ts';
import { createS3Store } from './storage/s3-store.ts';
import { createVault } from './vault/create-vault.ts';

/** With one process on its own disk nothing is on its way at the start; other nodes' uploads are given an hour. */
const SHARED_GRACE = 60 * 60 * 1000;

export type Services = Awaited<ReturnType<typeof createServices>>;

/** The composition root: every part of the server once, wired by hand. Tests move the clock. */
export async function createServices(config: Config, log: Log, clock: Clock = systemClock) {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const lock = lockDataFolder(config.dataDir);
  const db = await openDatabase({ url: config.databaseUrl, file: join(config.dataDir, 'feierbild.sqlite') });
  const blobs = config.s3 ? createS3Store(config.s3) : createFolderStore({ folder: join(config.dataDir, 'photos') });
  const staging = createStaging({ folder: join(config.dataDir, 'staging') });
  const vault = createVault();
  const decoder = createDecoder({ log });

  const cookies = createCookies({ secure: config.publicUrl?.startsWith('https:') ?? false });
  const limits = createLimits({ db, clock });
  const audit = createAudit({ db, clock });
  const sessions = createSessions({ db, vault, clock });
  const accounts = createAccounts({ db, vault, clock, limits, audit, sessions });
  const events = createEvents({ db, vault, clock, blobs, accounts, limits, audit });
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
  const links = createLinks({ db, vault, decoder, photos, clock });
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
  const janitor = createJanitor({ db, blobs, clock, graceMs: config.databaseUrl || config.s3 ? SHARED_GRACE : 0 });
  const retention = createRetention({ db, clock, log, events, sessions, links, selections, limits, audit });

  await staging.clear();
  await janitor.sweep();
  await archive.recover();
  const generatedPassword = await accounts.ensureAdmin(config.adminUsername, config.adminPassword);

  return {
    config,
    log,
    db,
    accounts,
    audit,
    cookies,
    visitors: createVisitors({ sessions, vault, cookies }),
    events,
    photos,
    links,
    live,
    uploads,
    archive,
    selections,
    retention,
    site: {
      business: config.business,
      demo: null,
      ready: async () => {
        await db.check();
        await blobs.check();
      },
    },

    /** What the operator should read at the start; the only place where a generated password is ever shown. */
    async notices(address: string): Promise<string[]> {
      const lines = [`Feierbild läuft: ${address}`];
      if (generatedPassword) {
        lines.push(`Erste Anmeldung unter ${address}/admin: Benutzername „${config.adminUsername}“, Passwort „${generatedPassword}“.`);
        lines.push('Dieses Passwort wird nur jetzt angezeigt.');
      }
      if (await accounts.initialPasswordInUse())
        lines.push('Hinweis: Das erste Verwaltungspasswort ist noch in Gebrauch. Bitte ändern Sie es.');
      if (config.defaultBusiness) lines.push('Hinweis: Es sind die Daten des Beispielbetriebs eingetragen (BUSINESS_FILE fehlt).');
      if (!config.publicUrl?.startsWith('https:'))
        lines.push('Hinweis: PUBLIC_URL ist keine https-Adresse; außerhalb des eigenen Netzes bitte nur hinter https betreiben.');
      if (!decoder.isolated) lines.push('Hinweis: Decoder nicht isoliert (bubblewrap ist auf diesem System nicht verfügbar).');
      return lines;
    },

    /** Ends everything that runs; call it after the last answer. */
    async close(): Promise<void> {
      await retention.close();
      await archive.close();
      await photos.close();
      await decoder.close();
      await blobs.close();
      await db.close();
      lock.release();
    },
  };
}
