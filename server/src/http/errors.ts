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

/** Trouble on our side, which any call may have. */
const ANYWHERE = new Set<ErrorCode>(['internal', 'disk_full', 'unavailable']);
/** Until a database or photo store that does not answer is asked again. */
const RETRY_AFTER_S = 5;

/** The one place where a failure becomes an answer: `{error, code, fields?}`, or a German page for a navigation. */
export function translateErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = asRefusal(error);
    if (!isListed(request, refusal.code)) {
      request.log.error({ route: request.routeOptions.url, code: refusal.code }, 'refused with a code that the contract does not list');
    }
    if (errors[refusal.code].status >= 500 && refusal.code !== 'storage_full') {
      // A client that hangs up is no trouble of ours.
      if (request.raw.destroyed && !request.raw.complete) return reply.hijack();
      request.log.error({ err: error, route: request.routeOptions.url }, 'request failed');
    }
    return sendRefusal(request, reply, refusal);
  });
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
  if (refusal.retryAfter !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(refusal.retryAfter)));
  if (isNavigation(request) && refusal.code === 'login_required') return reply.redirect(loginFor(request), 303);
  if (isNavigation(request)) return reply.type('text/html; charset=utf-8').send(errorPage(status, refusal.message));
  const body: ErrorBody = { error: refusal.message, code: refusal.code, ...(refusal.fields && { fields: refusal.fields }) };
  return reply.type('application/json; charset=utf-8').send(body);
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
  if (error instanceof Unavailable) return new Refusal('unavailable', { retryAfter: RETRY_AFTER_S, cause: error });
  if (isDiskFull(error)) return new Refusal('disk_full', { cause: error });
  const known = FRAMEWORK[code ?? ''];
  if (known) return new Refusal(known);
  return new Refusal(statusCode !== undefined && statusCode >= 400 && statusCode < 500 ? 'invalid_input' : 'internal', { cause: error });
}
