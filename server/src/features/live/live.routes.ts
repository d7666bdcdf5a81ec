import { PassThrough } from 'node:stream';
import type { Http } from '../../http/bind.ts';
import type { HostVisitor } from '../../http/visitor.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Events } from '../events/events.ts';
import { createDigest } from './digest.ts';
import type { Live } from './live.ts';

/** News within this time are sent as one message, ms. */
const GATHER_MS = 500;
/** Something is sent at least this often, so that proxies and routers keep the connection, ms. */
const HEARTBEAT_MS = 25_000;
/** How soon a session's end (logout, reset, purge, on any node) ends its streams, ms. */
const SESSION_CHECK_MS = 5_000;
/** A stream ends after this time; the browser connects again by itself and is authorised anew, ms. */
const LIFETIME_MS = 10 * 60_000;
/** A browser that has not taken this much is disconnected, bytes. */
const MAX_BACKLOG_BYTES = 16 * 1024;

const HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' };

interface Parts {
  live: Live;
  events: Pick<Events, 'forSlideshow'>;
  sessions: Pick<Sessions, 'lives'>;
}

/**
 * Server-sent events: `photos` says that the event's photos are no longer what they were, and which went or changed. Nothing
 * is told to a session that has ended since.
 */
export function liveRoutes(http: Http, { live, events, sessions }: Parts): void {
  http.bind('GET /api/events/:ref/live', async ({ params, visitor, request, reply }) => {
    const event = await events.forSlideshow(visitor, params.ref);
    reply.headers(HEADERS);
    // A HEAD's stream would never be read, nor ended.
    if (request.method === 'HEAD') return reply.send();
    const { sessionId } = [visitor.host, visitor.projector].find((one) => one?.eventId === event.id) as HostVisitor;
    const stream = new PassThrough();
    const digest = createDigest();
    let gathering: NodeJS.Timeout | undefined;
    /** Sends `text` to a session that still lives, and ends the stream of one that does not. */
    const write = (text: () => string): void => {
      sessions.lives(sessionId).then(
        (lives) => {
          if (stream.writableEnded || stream.destroyed) return;
          if (!lives) stream.end();
          else if (stream.writableLength > MAX_BACKLOG_BYTES) stream.destroy();
          else stream.write(text());
        },
        (error: unknown) => {
          request.log.error({ err: error }, 'a session could not be looked up');
          stream.end();
        },
      );
    };
    const stop = live.watch(event.id, {
      session: sessionId,
      changed(news) {
        digest.add(news);
        gathering ??= setTimeout(() => {
          gathering = undefined;
          write(() => `event: photos\ndata: ${digest.take()}\n\n`);
        }, GATHER_MS);
      },
      ended: () => stream.end(),
    });
    const heartbeat = setInterval(() => write(() => ':\n\n'), HEARTBEAT_MS);
    const check = setInterval(() => write(() => ''), SESSION_CHECK_MS);
    const life = setTimeout(() => stream.end(), LIFETIME_MS);
    stream.once('close', () => {
      stop();
      clearTimeout(gathering);
      clearTimeout(life);
      clearInterval(heartbeat);
      clearInterval(check);
    });
    stream.write('retry: 3000\n\n');
    return reply.send(stream);
  });
}
