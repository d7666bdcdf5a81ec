import { join } from 'node:path';
import { Registry } from 'prom-client';
import { makeFolder } from './lib/make-folder.ts';
import type { Config } from './config/config.ts';
import { createAccounts } from './features/accounts/accounts.ts';
import { createAdmins } from './features/admins/admins.ts';
import { createArchive, invalidate as invalidateArchive } from './features/archive/archive.ts';
import { createSelections } from './features/archive/selections.ts';
import { createAudit } from './features/audit/audit.ts';
import { createBackup } from './features/backup/backup.ts';
import { createCompliance } from './features/compliance/compliance.ts';
import { createDemo } from './features/demo/demo.ts';
import { drawnSamples, ownSamples } from './features/demo/samples.ts';
import { createDescriptions } from './features/descriptions/descriptions.ts';
import { createDevices } from './features/devices/devices.ts';
import { createDisclosures } from './features/disclosure/disclosure.ts';
import { createEvents } from './features/events/events.ts';
import { createDueReleases } from './features/gallery/due-releases.ts';
import { createGallery } from './features/gallery/gallery.ts';
import { createIdempotency } from './features/idempotency/idempotency.ts';
import { createIntegrity } from './features/integrity/integrity.ts';
import { createBlobLife } from './features/integrity/blob-life.ts';
import { createJanitor } from './features/integrity/janitor.ts';
import { createKeyAlarm } from './features/key-alarm/key-alarm.ts';
import { createGuesses } from './features/limits/guesses.ts';
import { createLimits } from './features/limits/limits.ts';
import { createLinks } from './features/links/links.ts';
import { createLive } from './features/live/live.ts';
import { meterDecoder, meterStore, meterUploads, watch } from './features/monitoring/monitoring.ts';
import { createOperatorKeys } from './features/operator-keys/operator-keys.ts';
import { createRenewal } from './features/photo-keys/renewal.ts';
import { createDueMail } from './features/mail/due.ts';
import { createMail } from './features/mail/mail.ts';
import { createOutbox } from './features/outbox/outbox.ts';
import { createPictures } from './features/pictures/pictures.ts';
import { createPhotos } from './features/photos/photos.ts';
import { businessOf } from './features/settings/business.ts';
import { shownSite } from './features/settings/shown.ts';
import { createSettings } from './features/settings/settings.ts';
import { createReceipts } from './features/receipts/receipts.ts';
import { createReports } from './features/reports/reports.ts';
import { createClockGuard } from './database/clock-guard.ts';
import { createRetention } from './features/retention/retention.ts';
import { createSecondFactor } from './features/second-factor/second-factor.ts';
import { createCookies, createKnownBrowsers, createSessions, createVisitors } from './features/sessions/sessions.ts';
import { createNodeState } from './features/site/node-state.ts';
import { createTokens } from './features/tokens/tokens.ts';
import { createTargets, type Resolve } from './features/webhooks/target.ts';
import { createWebhooks } from './features/webhooks/webhooks.ts';
import { createUploads } from './features/uploads/uploads.ts';
import { createLazyDecoder, openFoundation, type Foundation } from './foundation.ts';
import { createDecoder } from './images/create-decoder.ts';
import type { Clock } from './lib/clock.ts';
import { withDeadline } from './lib/deadline.ts';
import { isDiskFull } from './lib/disk-full.ts';
import { Unavailable } from './lib/errors.ts';
import type { Log } from './lib/log.ts';
import { findTrim, keepMemoryLow } from './lib/memory.ts';
import { startStep } from './trouble.ts';
import { photoBlob, type BlobStore } from './storage/blob-store.ts';
import { cacheThumbnails } from './storage/thumbnail-cache.ts';
import { lockDataFolder } from './storage/data-lock.ts';
import type { Vault } from './vault/vault.ts';

/** Longest time in which the features end. What they leave is taken up again by another node, or after the next start. */
const CLOSE_MS = 3000;

export type Parts = ReturnType<typeof wireParts>;

/** Values that only tests set. */
export interface Overrides {
  uploads?: Partial<Parameters<typeof createUploads>[0]>;
  resolve?: Resolve;
}

/**
 * Creates every feature once. Nothing runs yet; `end` aborts the work in the background, `close` does it too and waits, but does not end
 * the foundation.
 */
export function wireParts(config: Config, log: Log, foundation: Foundation, overrides: Overrides = {}) {
  const { db, staging, decoder } = foundation;
  const life = new AbortController();
  const blobLife = createBlobLife({ ...foundation, log });
  const descriptions = createDescriptions({ ...foundation, log });
  const secure = config.publicUrl?.startsWith('https:') ?? false;
  // What any feature may take; each names what it does.
  const ground = { ...foundation, blobs: blobLife.blobs, life: blobLife, descriptions, log, secure, ending: life.signal };

  const outbox = createOutbox(ground);
  const limits = createLimits(ground);
  const audit = createAudit(ground);
  const settings = createSettings({ ...ground, audit });
  const business = () => businessOf(config, settings.get('business'));
  const receipts = createReceipts(ground);
  const pictures = createPictures(ground);
  const mail = createMail({ ...ground, outbox, settings, receipts, pictures, config, business });
  const cookies = createCookies(ground);
  const devices = createDevices(ground);
  const sessions = createSessions(ground);
  const knownBrowsers = createKnownBrowsers(ground);
  const keyAlarm = createKeyAlarm({ ...ground, audit, mail });
  const tokens = createTokens({ ...ground, limits, audit });
  const idempotency = createIdempotency(ground);
  const visitors = createVisitors({ ...ground, sessions, cookies, devices, keyAlarm, tokens, settings });
  const guesses = createGuesses({ ...ground, limits, audit });
  const operatorKeys = createOperatorKeys({ ...ground, keyAlarm });
  const secondFactor = createSecondFactor({ ...ground, audit, limits, sessions, keyAlarm, settings, business });
  const access = {
    outbox,
    mail,
    limits,
    audit,
    settings,
    cookies,
    devices,
    sessions,
    knownBrowsers,
    keyAlarm,
    tokens,
    idempotency,
    visitors,
    guesses,
    operatorKeys,
    secondFactor,
  };
  const accounts = createAccounts({ ...ground, ...access });
  const admins = createAdmins({ ...ground, ...access });

  const events = createEvents({ ...ground, ...access, accounts, receipts, publicUrl: config.publicUrl, onPurged: descriptions.forget });
  const live = createLive({ ...ground, sessions });
  const photos = createPhotos({ ...ground, audit, onDeleted: invalidateArchive });
  const gallery = createGallery({ ...ground, ...access, events });
  const onMade = (eventId: string): Promise<void> =>
    db
      .transaction(async (trx) => void (await mail.toHost(trx, 'zip_ready', eventId)))
      .catch((error: unknown) => log.error({ err: error }, 'a mail was not written'));
  const archive = createArchive({ ...ground, proveReceived: photos.proveReceived, onMade });
  const selections = createSelections({ ...ground, proveReceived: photos.proveReceived });
  const links = createLinks({ ...ground, photos });
  const uploads = createUploads({
    ...ground,
    events,
    photos,
    links,
    maxBytes: config.maxUploadBytes,
    maxVideoBytes: config.maxVideoBytes,
    atOnce: config.uploadsAtOnce,
    ...overrides.uploads,
  });
  const reports = createReports({ ...ground, limits, mail });
  const targets = createTargets({ allowPrivate: config.webhookPrivate, resolve: overrides.resolve });
  const webhooks = createWebhooks({ ...ground, outbox, audit, targets });
  const disclosures = createDisclosures({ ...ground, ...access, events, photos, uploads });
  const content = {
    accounts,
    admins,
    pictures,
    events,
    gallery,
    archive,
    selections,
    live,
    photos,
    links,
    uploads,
    reports,
    receipts,
    disclosures,
    targets,
    webhooks,
  };

  const janitor = createJanitor(ground);
  const renewal = createRenewal(ground);
  const integrity = createIntegrity(ground);
  const clockGuard = createClockGuard(ground);
  const backup = createBackup(ground);
  const dueMail = createDueMail({ ...ground, mail, backup, installation: staging });
  const retention = createRetention({ ...ground, ...access, ...content, clockGuard, janitor, renewal, dueMail });
  const dueReleases = createDueReleases({ ...ground, clockGuard });
  const samples = config.demoPhotosDir ? ownSamples(config.demoPhotosDir) : drawnSamples;
  const demo = createDemo({ ...ground, ...content, pictures: samples, on: config.demo });
  const upkeep = { dueMail, janitor, renewal, integrity, clockGuard, backup, retention, dueReleases, demo };

  const node = createNodeState({ ...ground, minFreeBytes: config.stagingRoomBytes });

  const installation = {
    defaultBusiness: () => business().fictitious,
    firstStart: () => config.businessFile === null && settings.get('business') === null,
    https: secure,
    decoderIsolated: decoder.isolated,
    freeBytes: staging.freeBytes,
  };
  const site = { business: () => business().business, shown: () => shownSite({ config, settings, demo }), node };
  const compliance = createCompliance({ ...ground, ...access, ...content, ...upkeep, config, installation, site });

  return {
    ...ground,
    ...access,
    ...content,
    ...upkeep,
    config,
    installation,
    site,
    compliance,
    end: (): void => life.abort(),
    async close(): Promise<void> {
      life.abort();
      live.close();
      settings.close();
      blobLife.close();
      const all = Promise.allSettled([
        webhooks.ended(),
        outbox.ended(),
        demo.ended(),
        retention.ended(),
        dueReleases.ended(),
        uploads.ended(),
        archive.close(),
        photos.close(),
      ]);
      await withDeadline(all, CLOSE_MS, 'a feature').catch(() => undefined);
    },
  };
}

/** All parts for one of the operator's commands, also while the server runs. */
export async function openParts(config: Config, log: Log, schema: 'migrate' | 'require'): Promise<Parts> {
  const foundation = await openFoundation(config, { decoder: createLazyDecoder(log), schema });
  const parts = wireParts(config, log, foundation);
  return { ...parts, close: () => parts.close().then(foundation.close) };
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
  const blobs = config.s3 ? cacheThumbnails(store.blobs, { folder: join(config.dataDir, 'thumbnails') }) : store.blobs;
  const parts = wireParts(config, log, { ...foundation, blobs });
  await parts.settings.start();
  if (metrics) watch(metrics, { ...parts, pools, store, node: config.nodeName });
  await (config.s3 ? startStep('STORAGE_URL', () => checkRemoteStore(parts.blobs, log)) : startStep('DATA_DIR', () => parts.blobs.check()));
  await parts.staging.clear();
  await parts.archive.recover();
  const generatedPassword = await parts.admins.ensureFirst(config.adminUsername, config.adminPassword);
  const uploads = metrics ? meterUploads(parts.uploads, metrics) : parts.uploads;
  const stopCollecting = keepMemoryLow(await findTrim());
  const close = async (): Promise<void> => {
    await parts.close();
    stopCollecting();
    await foundation.close();
    lock[Symbol.dispose]();
  };
  return { ...parts, uploads, metrics, generatedPassword, close };
}

/**
 * A store that takes nothing more, because it or its quota is full, is still good for galleries, walls and ZIPs; uploads are refused
 * meanwhile. Throws Unavailable where it cannot be read either, other errors where it refuses.
 */
async function checkRemoteStore(blobs: BlobStore, log: Log): Promise<void> {
  try {
    await blobs.check();
  } catch (error) {
    if (!(error instanceof Unavailable || isDiskFull(error))) throw error;
    await blobs.size(photoBlob('start', 'check', 'original'));
    log.warn({ err: error }, 'the photo store can be read, and takes nothing');
  }
}
