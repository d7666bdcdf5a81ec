import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errors, type ErrorCode } from '@feierbild/contract/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../lib/errors.ts';
import { errorBody } from './errors.ts';
import { headersOf } from './headers.ts';
import { isOfHost, mayHaveOurCookies } from './request.ts';

const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Answers requests that Node cannot parse with the same headers and error form as all other answers; closes the connection. */
export function answerUnreadable(options: { https: boolean }) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    // Node sets this while an answer is being sent; a second answer would be read as a part of it.
    const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse | null };
    if (!socket.writable || error.code === 'ECONNRESET' || answer?.headersSent) {
      socket.destroy();
      return;
    }
    const refusal = new Refusal(CODES[error.code ?? ''] ?? 'unreadable_request');
    const { status } = errors[refusal.code];
    const body = JSON.stringify(errorBody(refusal));
    const headers = {
      ...headersOf(randomUUID(), options),
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    };
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`);
  };
}

/** Refuses requests without Host or with several (RFC 9112 § 3.2), because proxies may interpret them differently. */
export function refuseWrongHost(app: FastifyInstance): void {
  // Node would answer an Expect header other than 100-continue with an empty 417. It may be ignored (RFC 9110 § 10.1.1).
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => app.server.emit('request', request, response));
  app.addHook('onRequest', async ({ raw }, reply) => {
    const hosts = raw.rawHeaders.filter((name, n) => n % 2 === 0 && name.toLowerCase() === 'host').length;
    if (hosts === 1 || (hosts === 0 && raw.httpVersion === '1.0')) return;
    reply.header('connection', 'close');
    throw new Refusal('unreadable_request');
  });
}

/**
 * Refuses state-changing requests from other origins, by Sec-Fetch-Site, else by Origin. If both are missing, refuses requests with cookies
 * that a browser may have sent for another site.
 */
export function refuseForeignOrigins(app: FastifyInstance, publicUrl: string | null): void {
  app.addHook('onRequest', async (request) => {
    if (!SAFE.has(request.method) && !isOwnOrigin(request, publicUrl)) throw new Refusal('foreign_origin');
  });
}

function isOwnOrigin(request: FastifyRequest, publicUrl: string | null): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = request.headers.origin;
  if (origin === undefined) return isOfProgram(request);
  if (publicUrl !== null) return origin === publicUrl;
  // Only hosts are compared: behind an unconfigured proxy, the page uses https but the request arrives by http.
  return isOfHost(origin, request.host);
}

/**
 * Tells whether the request comes from a program, not from another site's page: such a page needs our permission (CORS), which it never
 * gets, to send Device-ID or a method other than POST. Programs may send cookies of a proxy before us, which identify nobody.
 */
function isOfProgram(request: FastifyRequest): boolean {
  const { cookie, 'device-id': device } = request.headers;
  return cookie === undefined || device !== undefined || (request.method !== 'POST' && !mayHaveOurCookies(request));
}
