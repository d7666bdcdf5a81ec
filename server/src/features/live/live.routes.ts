import { PassThrough } from 'node:stream';
import type { Http } from '../../http/bind.ts';
import type { HostVisitor } from '../../http/visitor.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Events } from '../events/events.ts';
import { createDigest } from './digest.ts';
import type { Live } from './live.ts';

/** Many photos at once are one piece of news, ms. */
const CALM = 500;
/** So that proxies and routers keep the connection, ms. */
const HEARTBEAT = 25_000;
/** Then the browser comes back by itself, and shows again that it may watch, ms. */
const LIFE = 10 * 60_000;
/** A browser that takes nothing any more is let go, bytes. */
const BACKLOG = 16 * 1024;

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
    // Nobody would read the stream, nor end it.
    if (request.method === 'HEAD') return reply.send();
    const { sessionId } = [visitor.host, visitor.projector].find((one) => one?.eventId === event.id) as HostVisitor;
    const stream = new PassThrough();
    const digest = createDigest();
    let calm: NodeJS.Timeout | undefined;
    const write = (text: () => string): void => {
      sessions.lives(sessionId).then(
        (lives) => {
          if (stream.writableEnded || stream.destroyed) return;
          if (!lives) stream.end();
          else if (stream.writableLength > BACKLOG) stream.destroy();
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
        calm ??= setTimeout(() => {
          calm = undefined;
          write(() => `event: photos\ndata: ${digest.take()}\n\n`);
        }, CALM);
      },
      ended: () => stream.end(),
    });
    const heartbeat = setInterval(() => write(() => ':\n\n'), HEARTBEAT);
    const life = setTimeout(() => stream.end(), LIFE);
    stream.once('close', () => {
      stop();
      clearTimeout(calm);
      clearTimeout(life);
      clearInterval(heartbeat);
    });
    stream.write('retry: 3000\n\n');
    return reply.send(stream);
  });
}
