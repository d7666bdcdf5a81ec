import type { ZipProgress } from '@feierbild/contract/calls/archive.ts';
import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import type { Http } from '../../http/bind.ts';
import { sendBytes } from '../../http/byte-answer.ts';
import { attachment } from '../../http/content-disposition.ts';
import type { HostVisitor } from '../../http/visitor.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Archive } from './archive.ts';

export function archiveRoutes(http: Http, archive: Archive): void {
  /** Both calls make the ZIP from what is there now. */
  const make = async (ref: string, visitor: HostVisitor): Promise<ZipProgress> => {
    const host = ownHost(visitor, ref);
    return archive.create(host.eventId, () => host.openEventKey());
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
    body: await archive.status(ownHost(visitor.host, params.ref).eventId),
  }));

  http.bind('GET /api/events/:ref/download', async ({ params, visitor, request, reply }) => {
    const host = ownHost(visitor.host, params.ref);
    const zip = await archive.open(host.eventId, () => host.openEventKey());
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

/** The visitor, if the event of the path (its id or code) is the host's own. */
function ownHost(host: HostVisitor, ref: string): HostVisitor {
  if (ref !== host.eventId && cleanEventCode(ref) !== host.eventCode) throw new Refusal('event_not_found');
  return host;
}
