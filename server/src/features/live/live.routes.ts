import { PassThrough } from 'node:stream';
import type { Change, ChangeKind } from '../../database/changes.ts';
import type { Http } from '../../http/bind.ts';
import type { HostVisitor } from '../../http/visitor.ts';
import type { Events } from '../events/events.ts';
import type { Live } from './live.ts';

/** Interval of heartbeats. They make proxies and routers keep the connection, and let pages notice a dead one. */
const HEARTBEAT_MS = 25_000;
/** An event, as scripts do not see comments. It needs data, else browsers would drop it. */
const HEARTBEAT = 'event: heartbeat\ndata: 1\n\n';
/** Lifetime of a stream; then the browser reconnects by itself, and its access is checked again. */
const LIFETIME_MS = 30 * 60_000;
/** Most unread bytes of a browser; with more it is disconnected. */
const MAX_BACKLOG_BYTES = 64 * 1024;

const HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' };

interface Deps {
  live: Live;
  events: Pick<Events, 'forSlideshow'>;
  /** Replaces HEARTBEAT_MS in tests. */
  heartbeatMs?: number;
}

/**
 * Binds the server-sent events. `photos` says that the event or its photos have changed, and which were deleted or changed; its id is the
 * number of the last change. `heartbeat` comes every 25 s. A stream ends with its session.
 */
export function liveRoutes(http: Http, { live, events, heartbeatMs = HEARTBEAT_MS }: Deps): void {
  http.bind('GET /api/events/:ref/live', async ({ params, query, headers, visitor, request, reply }) => {
    const event = await events.forSlideshow(visitor, params.ref);
    reply.headers(HEADERS);
    // The stream of a HEAD request would never be read or ended.
    if (request.method === 'HEAD') return reply.send();
    const { sessionId } = [visitor.host, visitor.projector].find((one) => one?.eventId === event.id) as HostVisitor;
    const stream = new PassThrough();
    const write = (text: string): void => {
      if (stream.writableEnded || stream.destroyed) return;
      if (stream.writableLength > MAX_BACKLOG_BYTES) stream.destroy();
      else stream.write(text);
    };
    write('retry: 3000\n\n');
    const stop = live.watch(event.id, {
      session: sessionId,
      since: headers['last-event-id'] ?? query.last ?? event.change_seq,
      // A session of a locked slideshow is always a wall.
      wall: query.wall === '1' || visitor.host?.eventId !== event.id,
      changed(changes, seq) {
        // An id without data updates the browser's last id without an event.
        const news = changes?.length === 0 ? '' : `event: photos\ndata: ${digest(changes)}\n`;
        write(`id: ${seq}\n${news}\n`);
      },
      ended: () => stream.end(),
    });
    const heartbeat = setInterval(() => write(HEARTBEAT), heartbeatMs);
    const life = setTimeout(() => stream.end(), LIFETIME_MS);
    stream.once('close', () => {
      stop();
      clearTimeout(life);
      clearInterval(heartbeat);
    });
    return reply.send(stream);
  });
}

/**
 * Returns JSON for pages: `{gone, slideshow, posters, received, replaced, unreadable}`. `slideshow` says which photos were put in or taken
 * out; the last three list announced photos by the fate of their originals. New photos are not listed. `null` if not all changes are known.
 */
export function digest(changes: readonly Change[] | null): string {
  if (changes === null) return 'null';
  const idsOf = (wanted: ChangeKind) => changes.filter(({ kind }) => kind === wanted).map(({ photo_id }) => photo_id);
  const flags = changes.filter(({ kind }) => kind === 'shown' || kind === 'hidden');
  const slideshow = Object.fromEntries(flags.map(({ kind, photo_id }) => [photo_id, kind === 'shown']));
  const states = (['received', 'replaced', 'unreadable'] as const)
    .map((kind) => [kind, idsOf(kind)] as const)
    .filter(([, ids]) => ids.length > 0);
  const wall = changes.some(({ kind }) => kind === 'wall' || kind === 'event') && { wall: true };
  return JSON.stringify({ gone: idsOf('gone'), slideshow, posters: idsOf('poster'), ...Object.fromEntries(states), ...wall });
}
