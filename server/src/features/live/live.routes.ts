import { PassThrough } from 'node:stream';
import type { Http } from '../../http/bind.ts';
import type { HostVisitor } from '../../http/visitor.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Events } from '../events/events.ts';
import { createDigest } from './digest.ts';
import type { Live } from './live.ts';

/** Changes within this time are sent as one message. */
const GATHER_MS = 500;
/** Interval of heartbeats, so that proxies and routers keep the connection. */
const HEARTBEAT_MS = 25_000;
/** Within this time after the end of a session (logout, reset, purge, on any node) its streams end. */
const SESSION_CHECK_MS = 5_000;
/** A stream ends after this time; the browser then reconnects by itself and its access is checked again. */
const LIFETIME_MS = 10 * 60_000;
/** A browser with more unread bytes is disconnected. */
const MAX_BACKLOG_BYTES = 16 * 1024;

const HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' };

interface Parts {
  live: Live;
  events: Pick<Events, 'forSlideshow'>;
  sessions: Pick<Sessions, 'lives'>;
}

/**
 * Server-sent events: `photos` tells that the event's photos have changed, and which were deleted or changed. Nothing is sent to
 * a session that has ended.
 */
export function liveRoutes(http: Http, { live, events, sessions }: Parts): void {
  http.bind('GET /api/events/:ref/live', async ({ params, visitor, request, reply }) => {
    const event = await events.forSlideshow(visitor, params.ref);
    reply.headers(HEADERS);
    // The stream of a HEAD request would never be read or ended.
    if (request.method === 'HEAD') return reply.send();
    const { sessionId } = [visitor.host, visitor.projector].find((one) => one?.eventId === event.id) as HostVisitor;
    const stream = new PassThrough();
    const digest = createDigest();
    let gathering: NodeJS.Timeout | undefined;
    /** Sends `text` if the session still exists; otherwise ends the stream. */
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
