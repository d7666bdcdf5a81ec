import { PassThrough } from 'node:stream';
import type { Http } from '../../http/bind.ts';
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

/** Server-sent events: `photos` says that the event's photos are no longer what they were, and which went or changed. */
export function liveRoutes(http: Http, live: Live, events: Pick<Events, 'forSlideshow'>): void {
  http.bind('GET /api/events/:ref/live', async ({ params, visitor, reply }) => {
    const event = await events.forSlideshow(visitor, params.ref);
    const stream = new PassThrough();
    const digest = createDigest();
    let calm: NodeJS.Timeout | undefined;
    const write = (text: string): void => {
      if (stream.writableLength > BACKLOG) stream.destroy();
      else stream.write(text);
    };
    const stop = live.watch(event.id, {
      changed(news) {
        digest.add(news);
        calm ??= setTimeout(() => {
          calm = undefined;
          write(`event: photos\ndata: ${digest.take()}\n\n`);
        }, CALM);
      },
      ended: () => stream.end(),
    });
    const heartbeat = setInterval(() => write(':\n\n'), HEARTBEAT);
    const life = setTimeout(() => stream.end(), LIFE);
    stream.once('close', () => {
      stop();
      clearTimeout(calm);
      clearTimeout(life);
      clearInterval(heartbeat);
    });
    write('retry: 3000\n\n');
    return reply
      .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
      .send(stream);
  });
}
