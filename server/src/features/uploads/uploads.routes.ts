import type { IncomingMessage } from 'node:http';
import { PREVIEW_TYPE, TUS_VERSION, UPLOAD_BODY_TYPE } from '@feierbild/contract/constants.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Http, Incoming } from '../../http/bind.ts';
import { hasBody, withConnection } from '../../http/body.ts';
import { piecesOf } from '../../http/form.ts';
import { decodeText } from '../../lib/decode-text.ts';
import { Refusal } from '../../lib/errors.ts';
import { decodeHeaderText } from '../../lib/header-text.ts';
import { isBoothToken, randomShortToken } from '../../lib/ids.ts';
import { readUpload } from './intake/form-intake.ts';
import type { UploadState } from './resumable/resumable.ts';
import type { StoredUpload } from './storing/answering.ts';
import type { Uploads } from './uploads.ts';

const OVERRIDES = new Set(['PUT', 'PATCH', 'DELETE']);
const EXTENSIONS = 'creation,creation-with-upload,expiration,termination';

/**
 * Supports browsers and programs whose proxy blocks other methods: `X-HTTP-Method-Override`, as in tus. Runs before anything else reads the
 * request, so that all see the same method.
 */
export function overrideMethod(request: IncomingMessage): void {
  const method = request.headers['x-http-method-override'];
  if (request.method !== 'POST' || typeof method !== 'string') return;
  // The client reads the answer to a POST and expects a body as long as Content-Length. Of all answers to HEAD only an upload's has no
  // length.
  if (OVERRIDES.has(method) || (method === 'HEAD' && request.url?.startsWith('/uploads/'))) request.method = method;
}

/** Sets the headers of each answer of /uploads, errors included; refuses other versions of the protocol before anything is done. */
export function serveTus(app: FastifyInstance): void {
  app.addContentTypeParser([UPLOAD_BODY_TYPE, PREVIEW_TYPE], (_request, _payload, done) => done(null));
  // The hook sees all requests, so that refusals by the hooks behind it have the headers, too; others cost one comparison.
  app.addHook('onRequest', ({ url, method, headers }, reply, done) => {
    if (!url.startsWith('/uploads') || !/^\/uploads([/?]|$)/.test(url)) return done();
    reply.header('tus-resumable', TUS_VERSION);
    if (method === 'OPTIONS' || headers['tus-resumable'] === TUS_VERSION) return done();
    reply.header('tus-version', TUS_VERSION);
    done(new Refusal('tus_version'));
  });
}

/** Uploads in one form, and uploads that go on after a break: tus 1.0.0 (https://tus.io/protocols/resumable-upload). */
export function uploadRoutes(http: Http, { receive, resumable, maxBytes, maxVideoBytes }: Uploads): void {
  http.bind('POST /upload', ({ headers, visitor, request, reply }) =>
    withConnection(request, reply, async (connection, contentLength) => {
      const stored = await receive({
        visitor,
        eventCode: headers['event-code'] || null,
        deviceName: decodeHeaderText(headers['device-name'] ?? ''),
        password: textOf(headers['event-password']),
        linkToken: headers['link-token'] ?? null,
        contentLength,
        form: readUpload(request),
        connection,
      });
      return { status: stored.status, body: bodyOf(stored, reply) };
    }),
  );

  http.bind('OPTIONS /uploads', ({ reply }) => {
    const largest = Math.max(maxBytes, maxVideoBytes);
    reply.headers({ 'tus-version': TUS_VERSION, 'tus-max-size': String(largest), 'tus-extension': EXTENSIONS });
  });

  http.bind('POST /uploads', ({ headers, visitor, request, reply }) =>
    withConnection(request, reply, async (connection, contentLength) => {
      if (hasBody(request)) mustBeBytes(request);
      const chosen = beginningOf(headers, headers['upload-key'] ?? randomShortToken());
      const { created, key, state } = await resumable.begin({ ...chosen, visitor, gone: connection.gone });
      reply.header('location', `/uploads/${key}`);
      const isWhole = state.offset === state.length;
      if (!isWhole && !(created && hasBody(request))) {
        setStateHeaders(reply, state);
        if (!hasBody(request)) return { status: created ? 201 : 200, body: {} };
        // The request is a repeat whose first answer was lost: its bytes were accepted.
        throw new Refusal('upload_offset');
      }
      const rest = { offset: state.offset, contentLength: created ? contentLength : 0 };
      const arriving = { ...rest, bytes: piecesOf(request.raw), connection, linkToken: headers['link-token'] ?? null };
      const after = await resumable.append(key, visitor, arriving);
      setStateHeaders(reply, after.state);
      if (!after.stored) return { status: 201, body: {} };
      return { status: created ? after.stored.status : 200, body: bodyOf(after.stored, reply) };
    }),
  );

  http.bind('PUT /uploads/:key/preview', ({ params, headers, visitor, request, reply }) =>
    withConnection(request, reply, async (connection) => {
      mustBeBytes(request, PREVIEW_TYPE);
      const upload = { ...beginningOf(headers, params.key), visitor, gone: connection.gone };
      const { key, state, stored } = await resumable.announce(upload, { bytes: piecesOf(request.raw), connection });
      reply.header('location', `/uploads/${key}`);
      setStateHeaders(reply, state);
      return { status: stored.status, body: bodyOf(stored, reply) };
    }),
  );

  http.bind('HEAD /uploads/:key', async ({ params, visitor, reply }) => {
    const state = await resumable.state(params.key, visitor);
    setStateHeaders(reply, state);
    reply.header('upload-length', String(state.length));
  });

  http.bind('PATCH /uploads/:key', ({ params, headers, visitor, request, reply }) =>
    withConnection(request, reply, async (connection, contentLength) => {
      mustBeBytes(request);
      const linkToken = headers['link-token'] ?? null;
      const arriving = { offset: headers['upload-offset'], contentLength, bytes: piecesOf(request.raw), connection, linkToken };
      const { state, stored } = await resumable.append(params.key, visitor, arriving);
      setStateHeaders(reply, state);
      return stored ? { status: stored.status, body: bodyOf(stored, reply) } : { status: 204 };
    }),
  );

  http.bind('DELETE /uploads/:key', ({ params, visitor }) => resumable.remove(params.key, visitor));
}

function setStateHeaders(reply: FastifyReply, { offset, expiresAt }: UploadState): void {
  reply.headers({ 'upload-offset': String(offset), 'upload-expires': new Date(expiresAt).toUTCString() });
}

/** Adds the SHA-256 of the stored bytes, for senders that compare it with their own (RFC 9530). */
function bodyOf({ photo, link, sha256 }: StoredUpload, reply: FastifyReply) {
  if (sha256) reply.header('repr-digest', `sha-256=:${Buffer.from(sha256).toString('base64')}:`);
  return { photo, ...link };
}

const textOf = (header: string | undefined): string | null => (header === undefined ? null : decodeHeaderText(header));

function mustBeBytes({ headers }: FastifyRequest, type: string = UPLOAD_BODY_TYPE): void {
  if (headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== type) throw new Refusal('upload_body_type');
}

/** Reads the headers of an upload that begins. Throws Refusal. */
function beginningOf(headers: Incoming<'POST /uploads'>['headers'], key: string) {
  const { 'upload-length': length, 'upload-metadata': metadata = '', 'event-password': password, 'link-token': token } = headers;
  if (length === undefined) throw new Refusal('invalid_input', { fields: { 'upload-length': 'Bitte senden Sie die Größe der Datei.' } });
  const { eventCode, deviceName = '', filename: name = '', eventPassword = null } = readMetadata(metadata);
  if (!eventCode) throw new Refusal('event_code_missing');
  // The token is kept with the name, which is sealed: the request with the last byte may not carry it.
  const filename = token && isBoothToken(token) ? `${name}.${token}` : name;
  return { key, length, eventCode, deviceName, filename, password: textOf(password) ?? eventPassword };
}

/** Reads `filename d29ybGQ=,eventCode …`: names, each with its value in base64. */
function readMetadata(header: string): Record<string, string | undefined> {
  const pairs = header.split(',').map((pair) => pair.trim().split(' '));
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, decodeText(Buffer.from(value, 'base64'))]));
}
