import type { Http, Incoming } from '../../http/bind.ts';
import { goneOf, type ByteAnswer, type ByteSource } from '../../http/byte-answer.ts';
import type { Events } from '../events/events.ts';
import type { Archive } from './archive.ts';
import type { Selections } from './selections.ts';
import type { OpenedZip } from './zips.ts';
import { iso } from '../../lib/clock.ts';

type Making = Pick<Incoming<'POST /api/events/:ref/create-zip'>, 'params' | 'body' | 'visitor'>;

/** Binds the event's ZIP and ZIPs of selected photos; both support ranges. */
export function archiveRoutes(http: Http, archive: Archive, selections: Selections, events: Pick<Events, 'forHost'>): void {
  const make = async ({ params, body, visitor }: Making) => {
    const event = await events.forHost(visitor.host, params.ref);
    return archive.create(event.id, () => visitor.host.openEventKey(), body ?? {});
  };
  http.bind('POST /api/events/:ref/create-zip', make);
  http.bind('POST /api/events/:ref/regenerate-zip', make);

  http.bind('GET /api/events/:ref/zip-progress', async ({ params, visitor }) =>
    archive.status((await events.forHost(visitor.host, params.ref)).id),
  );

  http.bind('GET /api/events/:ref/download', async ({ params, visitor: { host } }) => {
    const event = await events.forHost(host, params.ref);
    return answerOf(await archive.open(event.id, () => host.openEventKey()));
  });

  http.bind('POST /api/events/:ref/selections', async ({ params, body, visitor, reply }) => {
    await events.forHost(visitor.host, params.ref);
    const { id, expiresAt } = await selections.make(visitor.host, body.photos, goneOf(reply.raw));
    return { download_url: `/api/events/${visitor.host.eventCode}/selections/${id}`, expires_at: iso(expiresAt) };
  });

  http.bind('GET /api/events/:ref/selections/:id', async ({ params, visitor }) => {
    await events.forHost(visitor.host, params.ref);
    return answerOf(await selections.open(visitor.host, params.id));
  });
}

function answerOf({ size, etag, filename, read, sent }: OpenedZip & Pick<ByteSource, 'sent'>): ByteAnswer {
  const headers = { 'cache-control': 'private, no-cache' };
  return { size, type: 'application/zip', etag, filename, headers, open: read, ...(sent && { sent }) };
}
