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
import { createSealedMetadata } from './features/sealed-metadata/sealed-metadata.ts';
import { createDevices } from './features/devices/devices.ts';
import { createDataSubjectRequests } from './features/data-subject-requests/data-subject-requests.ts';
import { createEvents } from './features/events/events.ts';
import { createDueApprovals } from './features/gallery/due-approvals.ts';
import { createGallery } from './features/gallery/gallery.ts';
import { createGrants } from './features/grants/grants.ts';
import { createHealth, type Facts } from './features/health/facts.ts';
import { createWall } from './features/wall/wall.ts';
import { createIdempotency } from './features/idempotency/idempotency.ts';
import { createIntegrity } from './features/integrity/integrity.ts';
import { createBlobLife } from './features/integrity/blob-life.ts';
import { createJanitor } from './features/integrity/janitor.ts';
import { createStoreOwner } from './features/integrity/store-owner.ts';
import { createKeyAlarm } from './features/key-alarm/key-alarm.ts';
import { createLoginThrottle } from './features/rate-limits/login-throttle.ts';
import { createRateLimits } from './features/rate-limits/rate-limits.ts';
import { createLinks } from './features/links/links.ts';
import { createLive } from './features/live/live.ts';
import { createOperatorKeys } from './features/operator-keys/operator-keys.ts';
import { createRenewal } from './features/photo-keys/renewal.ts';
import { createDueMail } from './features/mail/due.ts';
import { createMailServers } from './features/mail/mail-server.ts';
import { createMail } from './features/mail/mail.ts';
import { createOutbox } from './features/outbox/outbox.ts';
import { createLinkPreviews } from './features/theme/link-previews.ts';
import { createPictures } from './features/pictures/pictures.ts';
import { createPhotos } from './features/photos/photos.ts';
import { businessOf, openPoints } from './features/settings/business.ts';
import { shownSite } from './features/settings/shown.ts';
import { createSettings } from './features/settings/settings.ts';
import { createReceipts } from './features/receipts/receipts.ts';
import { createReports } from './features/reports/reports.ts';
import { createClockGuard } from './database/clock-guard.ts';
import { createRetention } from './features/retention/retention.ts';
import { createSecondFactor } from './features/second-factor/second-factor.ts';
import { createKnownBrowsers } from './features/sessions/known-browsers.ts';
import { createCookies, createSessions } from './features/sessions/sessions.ts';
import { createVisitors } from './features/sessions/visitors.ts';
import { createNodeState } from './features/site/node-state.ts';
import { createTokens } from './features/tokens/tokens.ts';
import { createTargets, type Resolve } from './features/webhooks/target.ts';
import { createWebhooks } from './features/webhooks/webhooks.ts';
import { createUploads } from './features/uploads/uploads.ts';
import { createLazyDecoder, leftBehind, openFoundation, type Foundation } from './foundation.ts';
import { withDeadline } from './lib/deadline.ts';
import type { Log } from './lib/log.ts';
import { readSetting, writeSetting } from './database/settings.ts';

/** Time in which the features may end. Another node takes up unfinished work, or this one after its next start. */
const CLOSE_MS = 3000;

/** Database setting that puts the questions of the first start off. */
const FIRST_START_LATER = 'first_start_later';

export type Features = ReturnType<typeof wireFeatures>;

/** Values that only tests set. */
export interface Overrides {
  uploads?: Partial<Parameters<typeof createUploads>[0]>;
  resolve?: Resolve;
  /** Allows fetching Fotobox pictures from the own network, and without TLS. */
  boothsPrivate?: boolean;
}

/**
 * Creates every feature once. Nothing runs yet. `end` aborts the work in the background; `close` also waits for it, but does not end the
 * foundation.
 */
export function wireFeatures(config: Config, log: Log, foundation: Foundation, overrides: Overrides = {}) {
  const { db, staging } = foundation;
  const ending = new AbortController();
  const blobLife = createBlobLife({ ...foundation, log });
  const sealedMetadata = createSealedMetadata({ ...foundation, log });
  const secure = config.publicUrl?.startsWith('https:') ?? false;
  // The context that every feature gets; each picks its parts.
  const context = { ...foundation, blobs: blobLife.blobs, blobLife, sealedMetadata, log, secure, ending: ending.signal };

  const outbox = createOutbox(context);
  const clockGuard = createClockGuard(context);
  const limits = createRateLimits(context);
  const audit = createAudit(context);
  const settings = createSettings({ ...context, audit });
  const business = () => businessOf(config, settings.get('business'));
  const receipts = createReceipts(context);
  const pictures = createPictures(context);
  const mailServers = createMailServers({ ...context, audit, config });
  const mail = createMail({ ...context, outbox, settings, receipts, pictures, servers: mailServers, business });
  const cookies = createCookies(context);
  const devices = createDevices(context);
  const sessions = createSessions(context);
  const knownBrowsers = createKnownBrowsers(context);
  const keyAlarm = createKeyAlarm({ ...context, audit, mail });
  const tokens = createTokens({ ...context, limits, audit });
  const idempotency = createIdempotency(context);
  const visitors = createVisitors({ ...context, sessions, cookies, devices, keyAlarm, tokens, settings });
  const loginThrottle = createLoginThrottle({ ...context, limits, audit });
  const operatorKeys = createOperatorKeys({ ...context, keyAlarm });
  const secondFactor = createSecondFactor({ ...context, audit, limits, sessions, keyAlarm, settings, business });
  const grants = createGrants({ ...context, sessions, keyAlarm, audit, change: (...args) => events.change(...args) });
  const access = {
    outbox,
    mail,
    mailServers,
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
    loginThrottle,
    grants,
    operatorKeys,
    secondFactor,
  };
  const accounts = createAccounts({ ...context, ...access });
  const admins = createAdmins({ ...context, ...access });

  const onPurged = (eventId: string): void => {
    sealedMetadata.forget(eventId);
    linkPreviews.forget(eventId);
  };
  const events = createEvents({ ...context, ...access, accounts, receipts, publicUrl: config.publicUrl, onPurged });
  const shown = () => shownSite({ config, settings, demo, compliance });
  const linkPreviews = createLinkPreviews({ ...context, events, pictures, site: shown, business });
  const live = createLive({ ...context, sessions });
  const photos = createPhotos({ ...context, audit, onDeleted: invalidateArchive });
  const gallery = createGallery({ ...context, ...access, events });
  const wall = createWall({ ...context, ...access });
  const onMade = (eventId: string): Promise<void> =>
    db
      .transaction(async (trx) => void (await mail.toHost(trx, 'zip_ready', eventId)))
      .catch((error: unknown) => log.error({ err: error }, 'a mail was not written'));
  const archive = createArchive({ ...context, verifyReceived: photos.verifyReceived, onMade });
  const selections = createSelections({ ...context, verifyReceived: photos.verifyReceived });
  const links = createLinks({ ...context, photos, limits });
  const uploads = createUploads({
    ...context,
    events,
    photos,
    links,
    maxBytes: config.maxUploadBytes,
    maxVideoBytes: config.maxVideoBytes,
    atOnce: config.uploadsAtOnce,
    ...overrides.uploads,
  });
  const reports = createReports({ ...context, limits, mail });
  const webhookTargets = createTargets({ allowPrivate: config.webhookPrivate, resolve: overrides.resolve });
  // Booths send these addresses, so no setting opens the operator's own network to them.
  const boothTargets = createTargets({ allowPrivate: overrides.boothsPrivate ?? false, resolve: overrides.resolve });
  const webhooks = createWebhooks({ ...context, outbox, audit, targets: webhookTargets, clockGuard });
  const disclosures = createDataSubjectRequests({ ...context, ...access, events, photos, uploads });
  const content = {
    accounts,
    admins,
    pictures,
    linkPreviews,
    events,
    gallery,
    wall,
    archive,
    selections,
    live,
    photos,
    links,
    uploads,
    reports,
    receipts,
    disclosures,
    boothTargets,
    webhooks,
  };

  const janitor = createJanitor(context);
  const renewal = createRenewal(context);
  const integrity = createIntegrity(context);
  const storeOwner = createStoreOwner(context);
  const backup = createBackup(context);
  const dueMail = createDueMail({ ...context, mail, health: (): Facts => health.facts() });
  const retention = createRetention({ ...context, ...access, ...content, clockGuard, janitor, renewal, dueMail });
  const dueApprovals = createDueApprovals({ ...context, clockGuard });
  const samples = config.demoPhotosDir ? ownSamples(config.demoPhotosDir) : drawnSamples;
  const demo = createDemo({ ...context, ...content, pictures: samples, on: config.demo });
  const upkeep = { dueMail, janitor, renewal, integrity, storeOwner, clockGuard, backup, retention, dueApprovals, demo };

  const node = createNodeState({ ...context, minFreeBytes: config.stagingRoomBytes });

  const installation = {
    defaultBusiness: () => business().fictitious,
    firstStart: async () =>
      config.businessFile === null && settings.get('business') === null && (await readSetting(db, FIRST_START_LATER)) === null,
    putOffFirstStart: () => writeSetting(db, FIRST_START_LATER, ''),
    openPoints: () => openPoints(config, settings),
    demoByDefault: config.demoByDefault,
    freeBytes: staging.freeBytes,
    leftBehind: () => leftBehind(config),
  };
  const site = { business: () => business().business, shown, node };
  const health = createHealth({ ...context, ...access, ...content, ...upkeep, config, installation, site });
  const compliance = createCompliance({ ...context, settings, health });

  return {
    ...context,
    ...access,
    ...content,
    ...upkeep,
    config,
    installation,
    site,
    health,
    compliance,
    /** `why` is the reason that aborted work throws. */
    end: (why?: Error): void => ending.abort(why),
    async close(): Promise<void> {
      ending.abort();
      live.close();
      settings.close();
      blobLife.close();
      const all = Promise.allSettled([
        webhooks.ended(),
        outbox.ended(),
        demo.ended(),
        retention.ended(),
        dueApprovals.ended(),
        uploads.ended(),
        archive.close(),
        photos.close(),
      ]);
      await withDeadline(all, CLOSE_MS, 'a feature').catch(() => undefined);
    },
  };
}

/** Opens all features for one of the operator's commands, also while the server runs. */
export async function openFeatures(config: Config, log: Log, schema: 'migrate' | 'require'): Promise<Features> {
  const foundation = await openFoundation(config, log, { decoder: createLazyDecoder(log), schema });
  const features = wireFeatures(config, log, foundation);
  return { ...features, close: () => features.close().then(foundation.close) };
}
