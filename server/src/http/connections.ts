import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../lib/errors.ts';
import { sendRefusal } from './errors.ts';
import { callOf } from './request.ts';

/** Connection limit, more than all phones of a large party open with six each. */
const MAX_CONNECTIONS = 10_000;
/** Open files that the process itself needs: libraries, database, staging, pipes to decoders and their replacements. */
const RESERVED_FILES = 256;
/** Connections that are accepted even if the limit of open files is too low. */
const MIN_CONNECTIONS = 64;
/** A connection is an open file itself, and most need another one: a photo, or the staged file of an upload. */
const FILES_PER_CONNECTION = 2;

/** Time within which a form must arrive. Uploads have a minimum speed instead (features/uploads/intake/sender.ts). */
const FORM_DEADLINE_MS = 60_000;
/** Time within which a form with a small picture must arrive: 400 KB at 2 KB/s. */
const PICTURE_DEADLINE_MS = 200_000;
/** Interval at which clients that still send after their answer are checked, and the bytes that they must have sent since (1 KB/s). */
const CHECK_INTERVAL_MS = 60_000;
const MIN_BYTES_PER_CHECK = CHECK_INTERVAL_MS;
/** Routes that are served until the port closes: a probe, and the folders of booths, which proxies keep at the one node that knows them. */
const SERVED_TO_THE_END = /^\/(health$|dav(\/|$))/;

/** Returns the limit of connections that leaves enough open files for the server's work. */
export function maxConnections(openFiles = openFilesLimit()): number {
  const room = Math.floor((openFiles - RESERVED_FILES) / FILES_PER_CONNECTION);
  return Math.max(MIN_CONNECTIONS, Math.min(MAX_CONNECTIONS, room));
}

/** Reads the process's limit of open files; 1024 (usual on Linux, macOS has more) if the system does not report it. */
function openFilesLimit(): number {
  try {
    const limit = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined || limit === 'unlimited' ? Infinity : Number(limit);
  } catch {
    return 1024;
  }
}

/**
 * Cuts connections that send very slowly, which Node's idle timeout does not catch: forms that are late, and bodies that go on after
 * their answer, too slowly or with more than `limit` bytes.
 */
export function endSlowSenders(app: FastifyInstance, { limit }: { limit: number }): void {
  app.addHook('onRequest', async (request) => {
    const { raw } = request;
    const { 'content-length': length = '0', 'transfer-encoding': encoding, 'content-type': type = '' } = raw.headers;
    const call = callOf(request);
    const { url } = request.routeOptions;
    const isFile = request.method === 'PUT' || (request.method === 'POST' && type.toLowerCase().startsWith('multipart/form-data'));
    const isUpload = call?.stream || url === '/upload' || (url?.startsWith('/dav/:code') && isFile);
    if ((length === '0' && encoding === undefined) || isUpload) return;
    const deadlineMs = call?.multipart ? PICTURE_DEADLINE_MS : FORM_DEADLINE_MS;
    const timer = setTimeout(() => raw.complete || raw.destroy(), deadlineMs).unref();
    raw.once('close', () => clearTimeout(timer));
  });

  app.addHook('onResponse', async ({ raw }) => {
    const { socket } = raw;
    if (raw.complete || socket.destroyed) return;
    const from = socket.bytesRead;
    let seen = from;
    const timer = setInterval(() => {
      if (raw.complete || socket.destroyed) clearInterval(timer);
      else if (socket.bytesRead - seen < MIN_BYTES_PER_CHECK || socket.bytesRead - from > limit) socket.destroy();
      seen = socket.bytesRead;
    }, CHECK_INTERVAL_MS).unref();
    afterBody(raw, () => clearInterval(timer));
  });
}

/**
 * After the signal to end, asks clients to close their connections (`isDraining`). Then running requests are finished, and new ones are
 * refused with 503. The returned function stops listening once these have ended, and resolves once nothing runs any more; it must be the
 * last hook `preClose`.
 */
export function refuseWhileClosing(app: FastifyInstance, isDraining: () => boolean): () => Promise<void> {
  let closing = false;
  const running = new Set<ServerResponse>();
  /** Requests that were answered before their body was read. */
  const unread = new Set<IncomingMessage>();
  app.addHook('preClose', async () => void (closing = true));
  app.addHook('onRequest', async (request, reply) => {
    const { raw } = request;
    running.add(reply.raw);
    reply.raw.once('close', () => {
      running.delete(reply.raw);
      if (raw.complete || raw.socket.destroyed) return;
      unread.add(raw);
      afterBody(raw, () => unread.delete(raw));
    });
    if (closing && !SERVED_TO_THE_END.test(request.routeOptions.url ?? '')) return sendRefusal(request, reply, new Refusal('unavailable'));
  });
  app.addHook('onSend', async (_, reply) => {
    // A proxy might send its next request on the ending connection. If a new connection is refused, it tries another node.
    if (closing || isDraining()) void reply.header('connection', 'close');
  });
  const ended = () => Promise.all([...running].map((response) => new Promise((closed) => response.once('close', closed))));
  return async () => {
    // A proxy takes a node whose port is closed for gone, and cuts what runs there: what ran, and what booths have begun since.
    await ended();
    await ended();
    // The closing port resets connections that have come and are not accepted yet. Right after the event loop's poll phase there are none.
    await setImmediate();
    // Node's own `close` of an HTTP server destroys connections whose answer is written but not sent yet, so it comes last.
    Server.prototype.close.call(app.server);
    while (running.size > 0) await ended();
    // Node considers their connections busy for more than a minute.
    for (const { complete, socket } of unread) if (!complete) socket.destroy();
  };
}

/** Calls back once the rest of a request's body has come, or its connection is closed; leaves no listener on a connection that goes on. */
function afterBody(request: IncomingMessage, callback: () => void): void {
  const { socket } = request;
  const end = (): void => {
    request.off('end', end);
    socket.off('close', end);
    callback();
  };
  request.once('end', end);
  socket.once('close', end);
}
