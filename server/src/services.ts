import { join } from 'node:path';
import { Registry } from 'prom-client';
import { makeFolder } from './lib/make-folder.ts';
import type { Config } from './config/config.ts';
import { createAccounts } from './features/accounts/accounts.ts';
import { createAdmins } from './features/admins/admins.ts';
import { createArchive } from './features/archive/archive.ts';
import { createSelections } from './features/archive/selections.ts';
import { createAudit } from './features/audit/audit.ts';
import { createBackup } from './features/backup/backup.ts';
import { createDemo } from './features/demo/demo.ts';
import { drawnSamples, ownSamples } from './features/demo/samples.ts';
import { createDescriptions } from './features/descriptions/descriptions.ts';
import { createDevices } from './features/devices/devices.ts';
import { createEvents } from './features/events/events.ts';
import { createIntegrity } from './features/integrity/integrity.ts';
import { createBlobLife } from './features/integrity/blob-life.ts';
import { createJanitor } from './features/integrity/janitor.ts';
import { createKeyAlarm } from './features/key-alarm/key-alarm.ts';
import { createGuesses } from './features/limits/guesses.ts';
import { createLimits } from './features/limits/limits.ts';
import { createLinks } from './features/links/links.ts';
import { createLive } from './features/live/live.ts';
import { meterDecoder, meterUploads, watch } from './features/monitoring/monitoring.ts';
import { meterStore } from './features/monitoring/store-meter.ts';
import { createOperatorKeys } from './features/operator-keys/operator-keys.ts';
import { createRenewal } from './features/photo-keys/renewal.ts';
import { createPhotos } from './features/photos/photos.ts';
import { createReports } from './features/reports/reports.ts';
import { createClockGuard } from './database/clock-guard.ts';
import { createRetention } from './features/retention/retention.ts';
import { createCookies } from './features/sessions/cookies.ts';
import { createKnownBrowsers } from './features/sessions/known-browsers.ts';
import { createSessions } from './features/sessions/sessions.ts';
import { createVisitors } from './features/sessions/visitors.ts';
import { createNodeState } from './features/site/node-state.ts';
import { createUploads } from './features/uploads/uploads.ts';
import { createLazyDecoder, openFoundation, type Foundation } from './foundation.ts';
import { createDecoder } from './images/create-decoder.ts';
import type { Clock } from './lib/clock.ts';
import { withDeadline } from './lib/deadline.ts';
import { Refusal, Unavailable } from './lib/errors.ts';
import type { Log } from './lib/log.ts';
import { findTrim, giveBackWhenIdle, keepGarbageLow } from './lib/memory.ts';
import { startStep } from './start-failure.ts';
import { photoBlob, type BlobStore } from './storage/blob-store.ts';
import { lockDataFolder } from './storage/data-lock.ts';
import type { Vault } from './vault/vault.ts';

/** Longest time in which the features end. What they leave is taken up again by another node, or after the next start. */
const CLOSE_MS = 3000;

export type Parts = ReturnType<typeof wireParts>;

/** Values that only tests set. */
export interface Overrides {
  uploads?: Partial<Parameters<typeof createUploads>[0]>;
}

/**
 * Creates every feature once. Nothing runs yet; `end` aborts the work in the background, `close` does it too and waits, but does not end
 * the foundation.
 */
export function wireParts(config: Config, log: Log, foundation: Foundation, overrides: Overrides = {}) {
  const { db, staging, decoder, vault, clock } = foundation;
  const life = new AbortController();
  const ending = life.signal;
  const blobLife = createBlobLife({ db, blobs: foundation.blobs, clock, log });
  const { blobs } = blobLife;
  const https = config.publicUrl?.startsWith('https:') ?? false;
  const cookies = createCookies({ secure: https });
  const devices = createDevices({ secure: https });
  const limits = createLimits({ db, clock });
  const audit = createAudit({ db, clock });
  const sessions = createSessions({ db, vault, clock });
  const knownBrowsers = createKnownBrowsers({ db, secure: https });
  const keyAlarm = createKeyAlarm({ db, clock, audit, log });
  const visitors = createVisitors({ sessions, vault, cookies, devices, keyAlarm });
  const guesses = createGuesses({ limits, audit, vault });
  const operatorKeys = createOperatorKeys({ db, vault, clock, keyAlarm });
  const accounts = createAccounts({ db, vault, clock, guesses, audit, sessions, operatorKeys, keyAlarm });
  const admins = createAdmins({ db, vault, clock, guesses, audit, sessions, operatorKeys, keyAlarm, log });
  const descriptions = createDescriptions({ vault, log });
  const onPurged = descriptions.forget;
  const events = createEvents({ db, vault, clock, blobs, accounts, operatorKeys, keyAlarm, limits, audit, onPurged });
  const archive = createArchive({ db, blobs, vault, descriptions, clock, log });
  const selections = createSelections({ db, blobs, vault, descriptions, clock });
  const live = createLive({ db, sessions, log });
  const photos = createPhotos({
    db,
    blobs,
    vault,
    decoder,
    descriptions,
    life: blobLife,
    log,
    onDeleted: (trx, eventId, receivedAt) => archive.invalidate(trx, eventId, receivedAt),
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
    descriptions,
    life: blobLife,
    clock,
    log,
    maxBytes: config.maxUploadBytes,
    maxVideoBytes: config.maxVideoBytes,
    atOnce: config.uploadsAtOnce,
    ...overrides.uploads,
  });
  const janitor = createJanitor({ db, blobs, clock });
  const renewal = createRenewal({ db, vault });
  const reports = createReports({ db, clock, limits });
  const integrity = createIntegrity({ db, blobs, vault });
  const clockGuard = createClockGuard({ db, clock });
  const backup = createBackup({ db, blobs, staging, vault, clock });
  const retention = createRetention({
    db,
    clock,
    clockGuard,
    log,
    events,
    sessions,
    links,
    selections,
    limits,
    audit,
    reports,
    uploads,
    janitor,
    renewal,
    ending,
  });
  const demo = createDemo({
    db,
    clock,
    log,
    events,
    uploads,
    photos,
    pictures: config.demoPhotosDir ? ownSamples(config.demoPhotosDir) : drawnSamples,
    on: config.demo,
    ending,
  });
  const node = createNodeState({
    freeBytes: staging.freeBytes,
    minFreeBytes: config.stagingRoomBytes,
    decodersFail: decoder.failing,
    async checkShared() {
      await db.check();
      await blobs.check();
    },
    log,
  });

  return {
    ...foundation,
    blobs,
    config,
    log,
    cookies,
    devices,
    limits,
    audit,
    sessions,
    visitors,
    knownBrowsers,
    keyAlarm,
    guesses,
    operatorKeys,
    accounts,
    admins,
    events,
    archive,
    selections,
    live,
    photos,
    links,
    uploads,
    janitor,
    renewal,
    reports,
    integrity,
    backup,
    clockGuard,
    retention,
    demo,
    installation: { defaultBusiness: config.defaultBusiness, https, decoderIsolated: decoder.isolated, freeBytes: staging.freeBytes },
    site: { business: config.business, demo: demo.current, node },
    ending,
    end: (): void => life.abort(),
    async close(): Promise<void> {
      life.abort();
      live.close();
      blobLife.close();
      const all = Promise.allSettled([demo.ended(), retention.ended(), uploads.ended(), archive.close(), photos.close()]);
      await withDeadline(all, CLOSE_MS, 'a feature').catch(() => undefined);
    },
  };
}

/** All parts for one of the operator's commands, also while the server runs. */
export async function openParts(config: Config, log: Log, schema: 'migrate' | 'require'): Promise<Parts> {
  const foundation = await openFoundation(config, { decoder: createLazyDecoder(log), schema });
  return closing(wireParts(config, log, foundation), foundation.close);
}

export type Services = Parts & { metrics: Registry | null };

/** The server: creates all parts, locks the data folder and cleans up after a crash. Tests pass another clock and password hash. */
export async function createServices(
  config: Config,
  log: Log,
  known: { clock?: Clock; vault?: Vault } = {},
): Promise<Services & { generatedPassword: string | null }> {
  await startStep('DATA_DIR', () => makeFolder(config.dataDir));
  const lock = lockDataFolder(config.dataDir);
  const metrics = config.metrics && new Registry();
  const pools = createDecoder({
    ...(config.decoders && { processes: config.decoders }),
    heicProcesses: config.heicDecoders,
    isolation: config.decoderIsolation,
    codeFolder: join(config.dataDir, 'decoder-code'),
    log,
  });
  const decoder = metrics ? meterDecoder(pools, metrics) : pools;
  const foundation = await startStep(config.databaseUrl ? 'DATABASE_URL' : 'DATA_DIR', () =>
    openFoundation(config, { ...known, decoder, shared: false, schema: 'migrate' }),
  );
  const store = metrics ? meterStore(foundation.blobs, metrics) : { blobs: foundation.blobs, up: () => true };
  const parts = wireParts(config, log, { ...foundation, blobs: store.blobs });
  if (metrics) watch(metrics, { ...parts, pools, store, node: config.nodeName });
  await (config.s3 ? startStep('STORAGE_URL', () => checkRemoteStore(parts.blobs, log)) : startStep('DATA_DIR', () => parts.blobs.check()));
  await parts.staging.clear();
  await parts.archive.recover();
  const generatedPassword = await parts.admins.ensureFirst(config.adminUsername, config.adminPassword);
  const uploads = metrics ? meterUploads(parts.uploads, metrics) : parts.uploads;
  const giveBack = await findTrim();
  const collectors = [keepGarbageLow(giveBack), giveBackWhenIdle(giveBack)];
  const close = async (): Promise<void> => {
    for (const stop of collectors) stop();
    await foundation.close();
    lock.release();
  };
  return closing({ ...parts, uploads, metrics, generatedPassword }, close);
}

/**
 * A store that takes nothing more, because it or its quota is full, is still good for galleries, walls and ZIPs; uploads are refused
 * meanwhile. Throws Unavailable where it cannot be read either, other errors where it refuses.
 */
async function checkRemoteStore(blobs: BlobStore, log: Log): Promise<void> {
  try {
    await blobs.check();
  } catch (error) {
    if (!(error instanceof Unavailable || (error instanceof Refusal && error.code === 'disk_full'))) throw error;
    await blobs.size(photoBlob('start', 'check', 'original'));
    log.warn({ err: error }, 'the photo store can be read, and takes nothing');
  }
}

/** The parts, whose `close` also runs `after`. */
function closing<P extends { close(): Promise<void> }>(parts: P, after: () => Promise<void>): P {
  return {
    ...parts,
    async close() {
      await parts.close();
      await after();
    },
  };
}
