import type { IncomingMessage } from 'node:http';
import { TUS_VERSION, UPLOAD_BODY_TYPE } from '@feierbild/contract/constants.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Http } from '../../http/bind.ts';
import { handOver } from '../../lib/buffer-handover.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';
import { decodeHeaderText } from '../../lib/header-text.ts';
import { randomDeviceId } from '../../lib/ids.ts';
import { withConnection } from './intake/connection.ts';
import type { Appended } from './intake/tus-intake.ts';
import type { UploadState } from './resumable/resumable.ts';
import type { StoredUpload } from './storing/storing.ts';
import type { Uploads } from './uploads.ts';
import { setDigestHeader } from './uploads.routes.ts';

/** For an answer to get through before its connection is closed. */
const HANG_UP_MS = 100;
const OVERRIDES = new Set(['PATCH', 'DELETE', 'HEAD']);
const EXTENSIONS = 'creation,creation-with-upload,expiration,termination';

/**
 * For clients that cannot send other methods: `X-HTTP-Method-Override` of tus. Called before anything else reads the request, so
 * that its method is the same for all.
 */
export function overrideMethod(request: IncomingMessage): void {
  const method = request.headers['x-http-method-override'];
  if (request.method !== 'POST' || typeof method !== 'string' || !OVERRIDES.has(method)) return;
  if (request.url?.startsWith('/uploads/')) request.method = method;
}

/** The headers of each answer of /uploads, errors included; other versions of the protocol are refused before anything is done. */
export function serveTus(app: FastifyInstance): void {
  app.addContentTypeParser(UPLOAD_BODY_TYPE, (_request, _payload, done) => done(null));
  app.addHook('onRequest', async ({ url, method, headers }, reply) => {
    if (!/^\/uploads([/?]|$)/.test(url)) return;
    reply.header('tus-resumable', TUS_VERSION);
    if (method === 'OPTIONS' || headers['tus-resumable'] === TUS_VERSION) return;
    reply.header('tus-version', TUS_VERSION);
    throw new Refusal('tus_version');
  });
}

/** Uploads that go on after a break: tus 1.0.0 (https://tus.io/protocols/resumable-upload). */
export function resumableRoutes(http: Http, { resumable, ...limits }: Uploads): void {
  const maxBytes = Math.max(limits.maxBytes, limits.maxVideoBytes);
  http.bind('OPTIONS /uploads', ({ reply }) => {
    reply.headers({ 'tus-version': TUS_VERSION, 'tus-max-size': String(maxBytes), 'tus-extension': EXTENSIONS });
  });

  http.bind('POST /uploads', ({ headers, visitor, request, reply }) =>
    withConnection(request, async (connection, contentLength) => {
      if (hasBody(request)) mustBeBytes(request);
      const { 'upload-length': length, 'event-password': password } = headers;
      if (length === undefined)
        throw new Refusal('invalid_input', { fields: { 'upload-length': 'Bitte senden Sie die Größe der Datei.' } });
      const metadata = readMetadata(headers['upload-metadata'] ?? '');
      if (!metadata.eventCode) throw new Refusal('event_code_missing');
      const { created, key, state } = await resumable.begin({
        visitor,
        password: password === undefined ? null : decodeHeaderText(password),
        key: headers['upload-key'] ?? randomDeviceId(),
        eventCode: metadata.eventCode,
        deviceName: metadata.deviceName ?? '',
        filename: metadata.filename ?? '',
        length,
        gone: connection.gone,
      });
      reply.header('location', `/uploads/${key}`);
      if (created && !hasBody(request)) {
        setStateHeaders(reply, state);
        return { status: 201, body: {} };
      }
      // A repeat of a request whose answer was lost sends its bytes again; they have been taken.
      if (!created && state.offset < state.length) {
        setStateHeaders(reply, state);
        if (hasBody(request)) {
          // A browser that repeats by itself, as Chromium does, sends the whole body before it looks at the answer.
          reply.header('connection', 'close');
          reply.raw.once('finish', () => setTimeout(connection.hangUp, HANG_UP_MS).unref());
          throw new Refusal('upload_offset');
        }
        return { status: 200, body: {} };
      }
      const rest = created ? { offset: 0, contentLength } : { offset: state.length, contentLength: 0 };
      const appended = await resumable.append(key, visitor, { ...rest, bytes: bytesOf(request), connection });
      const stored = setHeaders(reply, appended);
      return stored ? { status: created ? stored.status : 200, body: bodyOf(stored) } : { status: 201, body: {} };
    }),
  );

  http.bind('HEAD /uploads/:key', async ({ params, visitor, reply }) => {
    const state = await resumable.state(params.key, visitor);
    setStateHeaders(reply, state);
    reply.header('upload-length', String(state.length));
  });

  http.bind('PATCH /uploads/:key', ({ params, headers, visitor, request, reply }) =>
    withConnection(request, async (connection, contentLength) => {
      mustBeBytes(request);
      const arriving = { offset: headers['upload-offset'], contentLength, bytes: bytesOf(request), connection };
      const stored = setHeaders(reply, await resumable.append(params.key, visitor, arriving));
      return stored ? { status: stored.status, body: bodyOf(stored) } : { status: 204 };
    }),
  );

  http.bind('DELETE /uploads/:key', ({ params, visitor }) => resumable.remove(params.key, visitor));
}

function setHeaders(reply: FastifyReply, { state, stored }: Appended): StoredUpload | null {
  setStateHeaders(reply, state);
  if (stored) setDigestHeader(reply, stored.sha256);
  return stored;
}

function setStateHeaders(reply: FastifyReply, { offset, expiresAt }: UploadState): void {
  reply.headers({ 'upload-offset': String(offset), 'upload-expires': new Date(expiresAt).toUTCString() });
}

function bodyOf({ photo, link }: StoredUpload) {
  return { photo, ...link };
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function mustBeBytes({ headers }: FastifyRequest): void {
  if (headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== UPLOAD_BODY_TYPE) throw new Refusal('upload_body_type');
}

/** The request's body. Throws Refusal upload_incomplete where it breaks off. */
async function* bytesOf({ raw }: FastifyRequest): AsyncGenerator<Bytes> {
  // A connection that ended before the body is read would not be noticed later.
  if (raw.destroyed && !raw.readableEnded) throw new Refusal('upload_incomplete');
  try {
    // Not ended with the reading: the answer goes through the same connection.
    for await (const piece of raw.iterator({ destroyOnReturn: false })) yield handOver(piece as Bytes);
  } catch (cause) {
    throw new Refusal('upload_incomplete', { cause });
  }
}

/** `filename d29ybGQ=,eventCode …`: names and, in base64, values. */
function readMetadata(header: string): Record<string, string | undefined> {
  const pairs = header.split(',').map((pair) => pair.trim().split(' '));
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, Buffer.from(value, 'base64').toString('utf8')]));
}
