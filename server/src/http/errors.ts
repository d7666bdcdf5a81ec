import { errors, type ErrorBody, type ErrorCode } from '@feierbild/contract/errors.ts';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDiskFull } from '../lib/disk-full.ts';
import { Refusal, Unavailable } from '../lib/errors.ts';
import { callOf } from './call-of.ts';
import { errorPage } from './error-page.ts';
import { isNavigation } from './navigation.ts';

/** What Fastify itself refuses, in the contract's words. */
const FRAMEWORK: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_REQ_FILE_TOO_LARGE: 'too_large',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_NOT_FOUND: 'not_found',
};

/** Trouble on our side, and requests that are no HTTP: any call may have these. */
const ANYWHERE = new Set<ErrorCode>(['internal', 'disk_full', 'unavailable', 'unreadable_request', 'key_tampered']);
/** Until another attempt makes sense where the refusal does not say: every 429 and 503 carries Retry-After. */
const RETRY_AFTER_S: Record<number, number> = { 429: 60, 503: 5 };

/** The one place where a failure becomes an answer: `{error, code, fields?}`, or a German page for a navigation. */
export function translateErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = asRefusal(error);
    // What Fastify refuses by itself (a body that is no JSON) any client may cause; our own refusals are a mistake of ours.
    if (error instanceof Refusal && !isListed(request, refusal.code)) {
      request.log.error({ route: request.routeOptions.url, code: refusal.code }, 'refused with a code that the contract does not list');
    }
    if (errors[refusal.code].status >= 500 && refusal.code !== 'storage_full') {
      // A client that hangs up is no trouble of ours.
      if (request.raw.destroyed && !request.raw.complete) return reply.hijack();
      logTrouble(request, error, refusal);
    }
    return sendRefusal(request, reply, refusal);
  });
}

/** Level error is for what an operator has to act on: a deliberate „come back later“ is none of it. */
function logTrouble(request: FastifyRequest, error: unknown, { code }: Refusal): void {
  const route = request.routeOptions.url;
  if (error instanceof Refusal && code === 'unavailable') request.log.warn({ route, code }, 'sent away for a while');
  else request.log.error({ err: error, route }, 'request failed');
}

/** Answers a refusal. A reply whose head is out can only be cut off. */
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
  if (isNavigation(request) && refusal.code === 'login_required') return reply.redirect(loginFor(request), 303);
  if (isNavigation(request)) return reply.type('text/html; charset=utf-8').send(errorPage(status, refusal.message));
  return reply.type('application/json; charset=utf-8').send(errorBody(refusal));
}

export function errorBody({ message, code, fields }: Refusal): ErrorBody {
  return { error: message, code, ...(fields && { fields }) };
}

/** The login page for a call that a browser went to by itself (a ZIP download, say), with the way back to the page it belongs to. */
function loginFor(request: FastifyRequest): string {
  if (callOf(request)?.access === 'admin') return '/admin/login';
  const { ref } = (request.params ?? {}) as { ref?: string };
  return ref === undefined ? '/login' : `/login?redirect=${encodeURIComponent(`/gallery/${encodeURIComponent(ref)}`)}`;
}

/** Whether the contract prepares the clients of a call for a code; true for what is no call. */
function isListed(request: FastifyRequest, code: ErrorCode): boolean {
  const call = callOf(request);
  return !call || ANYWHERE.has(code) || call.errors.includes(code);
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const { code, statusCode } = error as Partial<FastifyError>;
  if (error instanceof Unavailable) return new Refusal('unavailable', { cause: error });
  if (isDiskFull(error)) return new Refusal('disk_full', { cause: error });
  const known = FRAMEWORK[code ?? ''];
  if (known) return new Refusal(known);
  return new Refusal(statusCode !== undefined && statusCode >= 400 && statusCode < 500 ? 'invalid_input' : 'internal', { cause: error });
}
