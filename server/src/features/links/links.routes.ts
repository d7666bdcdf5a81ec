import type { Http } from '../../http/bind.ts';
import { sendBytes } from '../../http/byte-answer.ts';
import { attachment } from '../../http/content-disposition.ts';
import { Refusal } from '../../lib/errors.ts';
import { single } from '../../lib/stages.ts';
import { BlobMissing } from '../../storage/blob-store.ts';
import type { Photos } from '../photos/photos.ts';
import type { Links } from './links.ts';

export function linkRoutes(http: Http, links: Links, photos: Pick<Photos, 'find' | 'read'>): void {
  http.bind('POST /api/photos/:id/link', async ({ params, visitor }) => ({
    status: 201,
    // As the host alone: the device that uploaded the photo makes no links.
    body: await links.make(await photos.find({ ...visitor, deviceId: null }, params.id)),
  }));

  http.bind('GET /api/photos/temp_download/:token', async ({ params, request, reply }) => {
    const found = await links.open(params.token);
    try {
      const made = await links.withoutPlace(found);
      return await sendBytes(reply, request, {
        type: 'image/jpeg',
        size: made?.length ?? found.row.size,
        etag: `${found.row.id}.shared`,
        disposition: attachment('photo.jpg'),
        headers: { 'cache-control': 'no-store' },
        open: (range) => (made ? single(made.subarray(range.start, range.end)) : photos.read(found, 'original', found.row.size, range)),
      });
    } catch (error) {
      // Deleted a moment ago.
      throw error instanceof BlobMissing ? new Refusal('link_expired', { cause: error }) : error;
    }
  });
}
