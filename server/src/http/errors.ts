import { errors, type ErrorBody, type ErrorCode } from '@feierbild/contract/errors.ts';
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDiskFull } from '../lib/disk-full.ts';
import { Refusal, Unavailable } from '../lib/errors.ts';
import { callOf, isNavigation } from './request.ts';
import { isClosedEarly } from './request-log.ts';

/** Fastify's own errors as codes of the contract. */
const FRAMEWORK: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_REQ_FILE_TOO_LARGE: 'too_large',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_NOT_FOUND: 'not_found',
};

/** Answer to a file that is sent without a form around it. */
const NO_FORM = { file: 'Bitte senden Sie die Datei in einem Formular (multipart/form-data).' };
/** Codes that every call may answer: server errors, and requests that are not HTTP. */
const ANYWHERE = new Set<ErrorCode>(['internal', 'disk_full', 'unavailable', 'unreadable_request', 'key_tampered']);
/** Default Retry-After in seconds by status: every 429 and 503 has this header. */
const RETRY_AFTER_S: Record<number, number> = { 429: 60, 503: 5 };
/** Time without a refused request after which an outage counts as ended. */
const OUTAGE_QUIET_MS = 30_000;

/** Turns errors into answers, here alone: `{error, code, fields?}`, or a German page for a navigation. */
export function translateErrors(app: FastifyInstance, { outageQuietMs }: { outageQuietMs?: number } = {}): void {
  const outages = createOutages(app.log, outageQuietMs);
  app.addHook('onClose', async () => outages.close());
  app.setErrorHandler((error, request, reply) => {
    const refusal = asRefusal(error, request);
    const route = request.routeOptions.url;
    // Any client can cause Fastify's own errors (a body that is not JSON). A refusal of ours that the contract does not list is a bug.
    if (error instanceof Refusal && !ANYWHERE.has(refusal.code) && callOf(request)?.errors.includes(refusal.code) === false) {
      request.log.error({ route, code: refusal.code }, 'refused with a code that the contract does not list');
    }
    if (errors[refusal.code].status >= 500 && refusal.code !== 'storage_full') {
      // A client that disconnects is not an error.
      if (request.raw.destroyed && !request.raw.complete) return reply.hijack();
      if (reply.raw.destroyed && isClosedEarly(error)) return reply.hijack();
      // The level error is reserved for faults that an operator must act on. A refusal with a later retry is not even a fault.
      if (error instanceof Unavailable) outages.refused(error.dependency, error);
      else if (isDiskFull(error)) outages.refused('disk', error);
      else if (error instanceof Refusal && error.code === 'unavailable')
        request.log.info({ route, code: error.code }, 'sent away for a while');
      else request.log.error({ err: error, route }, 'request failed');
    }
    return sendRefusal(request, reply, refusal);
  });
}

/** Answers a refusal. If the headers are already sent, the connection is cut. */
export function sendRefusal(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { status } = errors[refusal.code];
  if (reply.raw.headersSent) {
    reply.raw.destroy();
    return reply;
  }
  reply.code(status).header('cache-control', 'no-store');
  for (const name of ['content-length', 'content-disposition', 'etag', 'accept-ranges']) reply.removeHeader(name);
  const retryAfter = refusal.retryAfter ?? RETRY_AFTER_S[status];
  if (retryAfter !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(retryAfter)));
  if ((request.routeOptions.config as { textErrors?: true } | undefined)?.textErrors)
    return reply.type('text/plain; charset=utf-8').send(`${refusal.message}\n`);
  if (isNavigation(request) && refusal.code === 'login_required') return reply.redirect(loginFor(request), 303);
  if (isNavigation(request)) return reply.type('text/html; charset=utf-8').send(errorPage(status, refusal.message, request.id));
  return reply.type('application/json; charset=utf-8').send(errorBody(refusal));
}

export function errorBody({ message, code, fields, secondFactor, closed }: Refusal): ErrorBody {
  return { error: message, code, ...(fields && { fields }), ...(secondFactor && { second_factor: secondFactor }), ...closed };
}

/** Returns the login page for a failed navigation (for example a ZIP download); after the login it leads back to the download's page. */
function loginFor(request: FastifyRequest): string {
  if (callOf(request)?.access === 'admin') return '/admin/login';
  const { ref } = (request.params ?? {}) as { ref?: string };
  return ref === undefined ? '/login' : `/login?redirect=${encodeURIComponent(`/gallery/${encodeURIComponent(ref)}`)}`;
}

function asRefusal(error: unknown, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error;
  const { code, statusCode } = error as Partial<FastifyError>;
  if (error instanceof Unavailable) return new Refusal('unavailable', { cause: error });
  if (isDiskFull(error)) return new Refusal('disk_full', { cause: error });
  const isForm = /^multipart\/form-data/i.test(request.headers['content-type'] ?? '');
  if (code?.startsWith('FST_ERR_CTP_') && callOf(request)?.multipart && !isForm) return new Refusal('file_missing', { fields: NO_FORM });
  const known = FRAMEWORK[code ?? ''];
  if (known) return new Refusal(known);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' && callOf(request)?.stream) return new Refusal('upload_body_type');
  return new Refusal(statusCode !== undefined && statusCode >= 400 && statusCode < 500 ? 'invalid_input' : 'internal', { cause: error });
}

/** Logs outages of dependencies: one error when an outage begins, one info when it has ended. A line per request would flood the log. */
function createOutages(log: FastifyBaseLogger, quietMs = OUTAGE_QUIET_MS) {
  const open = new Map<string, { refused: number; end: NodeJS.Timeout }>();
  return {
    /** Notes a request that was refused because of this dependency. */
    refused(dependency: string, error: unknown): void {
      const known = open.get(dependency);
      if (known) {
        known.refused += 1;
        known.end.refresh();
        return;
      }
      log.error({ err: error, dependency }, 'outage began');
      const began = performance.now();
      const end = setTimeout(() => {
        open.delete(dependency);
        const seconds = Math.round((performance.now() - began - quietMs) / 1000);
        log.info({ dependency, refused: outage.refused, seconds }, 'outage ended');
      }, quietMs).unref();
      const outage = { refused: 1, end };
      open.set(dependency, outage);
    },
    close(): void {
      for (const { end } of open.values()) clearTimeout(end);
      open.clear();
    },
  };
}

/** Renders the page for a failed navigation, without scripts. `text` is a text of the contract. */
function errorPage(status: number, text: string, requestId: string): string {
  return `<!doctype html>
<html lang="de">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Das hat nicht geklappt</title>
</head>
<body>
<main>
<h1>Das hat nicht geklappt</h1>
<p>${escapeMarkup(text)}</p>
<p><a href="/">Zur Startseite</a></p>
<p><small>Fehler ${status} · Kennung ${escapeMarkup(requestId.slice(-8))}</small></p>
</main>
</body>
</html>
`;
}

/** Escapes a text for HTML and XML. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}
