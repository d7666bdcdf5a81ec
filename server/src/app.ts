import fastifyCookie from '@fastify/cookie';
import { maxHeaderSize } from 'node:http';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { accountRoutes } from './features/accounts/accounts.routes.ts';
import { adminRoutes } from './features/admins/admins.routes.ts';
import { archiveRoutes } from './features/archive/archive.routes.ts';
import { auditRoutes } from './features/audit/audit.ts';
import { complianceRoutes } from './features/compliance/compliance.routes.ts';
import { createDav } from './features/dav/dav.ts';
import { davRoutes } from './features/dav/dav.routes.ts';
import { deviceRoutes } from './features/devices/devices.ts';
import { dataSubjectRoutes } from './features/data-subject-requests/data-subject-requests.ts';
import { eventRoutes } from './features/events/events.routes.ts';
import { galleryRoutes } from './features/gallery/gallery.routes.ts';
import { linkRoutes } from './features/links/links.routes.ts';
import { liveRoutes } from './features/live/live.routes.ts';
import { mailRoutes } from './features/mail/mail.routes.ts';
import { outboxRoutes } from './features/outbox/outbox.routes.ts';
import { themeRoutes } from './features/theme/theme.ts';
import { photoRoutes } from './features/photos/photos.routes.ts';
import { programAccessRoutes } from './features/program-access/program-access.ts';
import { receiptRoutes } from './features/receipts/receipts.ts';
import { reportRoutes } from './features/reports/reports.ts';
import { secondFactorRoutes } from './features/second-factor/second-factor.routes.ts';
import { settingsRoutes } from './features/settings/settings.routes.ts';
import { siteRoutes } from './features/site/site.routes.ts';
import { todayRoutes } from './features/today/today.ts';
import { calendarRoutes } from './features/calendar/calendar.ts';
import { webhookRoutes } from './features/webhooks/webhooks.routes.ts';
import { tokenRoutes } from './features/tokens/tokens.ts';
import { wallRoutes } from './features/wall/wall.routes.ts';
import { overrideMethod, serveTus, uploadRoutes } from './features/uploads/uploads.routes.ts';
import { createHttp } from './http/bind.ts';
import { translateErrors } from './http/errors.ts';
import { takeForms } from './http/form.ts';
import { dropForwardedPorts } from './http/forwarded.ts';
import { createGuestLanguage } from './http/guest-language.ts';
import { securityHeaders } from './http/headers.ts';
import { meterRequests } from './http/meter.ts';
import { decodable, dropOrigin } from './http/request.ts';
import { servePages, type BuiltPages } from './http/pages.ts';
import { logAccess, logBrokenAnswers, requestNames } from './http/request-log.ts';
import { endSlowSenders, maxConnections, refuseWhileClosing } from './http/connections.ts';
import { answerUnreadable, refuseForeignOrigins, refuseWrongHost } from './http/request-guards.ts';
import { decodeText } from './lib/decode-text.ts';
import type { Services } from './services.ts';

/** Limit of JSON bodies, which are forms; the largest is the form of an event. */
const MAX_JSON_BYTES = 64 * 1024;
/** Time without data after which a socket is closed; even a slow upload sends data more often. */
const IDLE_SOCKET_MS = 120_000;
/**
 * Part of a refused body that is read, in largest photos: HTTP/1.1 proxies send all of it before they read the answer, even a whole video.
 */
const DRAINED_FILES = 16;

/** Creates the whole product's HTTP server. `pages` locates the built pages; null: only calls are served. */
export async function createApp(services: Services, pages: BuiltPages | null): Promise<FastifyInstance> {
  const { config, log } = services;
  const https = config.publicUrl?.startsWith('https:') ?? false;
  const app: FastifyInstance = Fastify({
    // Traces of Fastify and its plugins contain headers with cookies, device ids and passwords.
    loggerInstance: (log.level === 'trace' ? log.child({}, { level: 'debug' }) : log) as FastifyBaseLogger,
    logController: logBrokenAnswers(),
    trustProxy: config.trustProxy,
    bodyLimit: MAX_JSON_BYTES,
    connectionTimeout: IDLE_SOCKET_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // This timeout limits hooks, too: a closing server would give up after 10 s, while requests still run (SHUTDOWN_TIMEOUT).
    pluginTimeout: 0,
    ...requestNames(config.trustProxy),
    clientErrorHandler: answerUnreadable({ https }),
    // Node would answer a missing Host with an empty body; refuseWrongHost answers instead.
    http: { requireHostHeader: false },
    // Fastify itself would answer malformed paths and long parameters, without our headers, texts and log.
    rewriteUrl: (request) => {
      dropOrigin(request);
      overrideMethod(request);
      dropForwardedPorts(request);
      return decodable(request.url ?? '/');
    },
    routerOptions: { maxParamLength: maxHeaderSize },
  });
  app.server.maxConnections = maxConnections();
  // The next lines handle each answer.
  translateErrors(app);
  logAccess(app);
  if (services.metrics) meterRequests(app, services.metrics);
  // The next lines handle each request, in this order; the first refusal ends it.
  securityHeaders(app, { https });
  serveTus(app);
  refuseWrongHost(app);
  const finishRunning = refuseWhileClosing(app, services.site.node.isDraining);
  refuseForeignOrigins(app, config.publicUrl);
  endSlowSenders(app, { limit: DRAINED_FILES * config.maxUploadBytes });
  await app.register(fastifyCookie);
  takeForms(app);
  // Parses JSON like Fastify, but an empty body counts as none: some clients send a content type with every request, also without a body.
  // Old programs write umlauts in Windows-1252.
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) =>
    body.length === 0 ? done(null, undefined) : parseJson(request, decodeText(body), done),
  );
  if (pages) {
    const { drawn, shownAs } = services.events.guests;
    await servePages(app, pages, {
      site: services.site.shown,
      origin: config.publicUrl,
      eventOf: drawn,
      linkOf: services.linkPreviews.of,
      shownAs,
      languageOf: createGuestLanguage(https, () => services.settings.get('brand')?.phoneLanguage ?? false),
    });
  }

  const http = createHttp(app, services.visitors);
  accountRoutes(http, services);
  deviceRoutes(http, services);
  adminRoutes(http, services);
  secondFactorRoutes(http, services);
  auditRoutes(http, services);
  eventRoutes(http, services);
  galleryRoutes(http, services);
  wallRoutes(http, services);
  themeRoutes(http, services);
  photoRoutes(http, services.photos, services.links, services.events, services.wall);
  linkRoutes(http, services.links, services.photos, services.events);
  liveRoutes(http, services);
  uploadRoutes(http, services.uploads);
  archiveRoutes(http, services.archive, services.selections, services.events);
  receiptRoutes(http, services.receipts);
  complianceRoutes(http, services);
  dataSubjectRoutes(http, services);
  reportRoutes(http, services.reports);
  await davRoutes(app, { ...services, dav: createDav({ ...services, targets: services.boothTargets }) });
  settingsRoutes(http, services);
  outboxRoutes(http, services.outbox);
  tokenRoutes(http, services.tokens, services.idempotency);
  programAccessRoutes(http, services);
  mailRoutes(http, services);
  todayRoutes(http, services);
  calendarRoutes(http, services);
  webhookRoutes(http, services.webhooks, services.idempotency);
  siteRoutes(http, services.site);
  app.addHook('preClose', async () => {
    // Live streams never end by themselves and would delay the closing.
    services.live.close();
    await services.uploads.resumable.stopAll();
    await finishRunning();
  });
  const missing = http.unbound();
  if (missing.length > 0) throw new Error(`calls without a handler: ${missing.join(', ')}`);
  return app;
}
