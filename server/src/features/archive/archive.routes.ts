import type { ZipProgress } from '@feierbild/contract/calls/archive.ts';
import type { Http } from '../../http/bind.ts';
import { sendBytes } from '../../http/byte-answer.ts';
import { attachment } from '../../http/content-disposition.ts';
import type { HostVisitor } from '../../http/visitor.ts';
import type { Events } from '../events/events.ts';
import type { Archive } from './archive.ts';

export function archiveRoutes(http: Http, archive: Archive, events: Pick<Events, 'forHost'>): void {
  /** Both calls make the ZIP from what is there now. */
  const make = async (ref: string, visitor: HostVisitor): Promise<ZipProgress> => {
    const event = await events.forHost(visitor, ref);
    return archive.create(event.id, () => visitor.openEventKey());
  };
  http.bind('POST /api/events/:ref/create-zip', async ({ params, visitor }) => ({
    status: 202,
    body: await make(params.ref, visitor.host),
  }));
  http.bind('POST /api/events/:ref/regenerate-zip', async ({ params, visitor }) => ({
    status: 202,
    body: await make(params.ref, visitor.host),
  }));

  http.bind('GET /api/events/:ref/zip-progress', async ({ params, visitor }) => ({
    status: 200,
    body: await archive.status((await events.forHost(visitor.host, params.ref)).id),
  }));

  http.bind('GET /api/events/:ref/download', async ({ params, visitor, request, reply }) => {
    const { host } = visitor;
    const event = await events.forHost(host, params.ref);
    const zip = await archive.open(event.id, () => host.openEventKey());
    return sendBytes(reply, request, {
      size: zip.size,
      type: 'application/zip',
      etag: zip.etag,
      disposition: attachment(zip.filename),
      headers: { 'cache-control': 'private, no-cache' },
      open: (range) => zip.read(range),
    });
  });
}
