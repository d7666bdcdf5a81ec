import type { Http } from '../../http/bind.ts';
import { sendBytes } from '../../http/byte-answer.ts';
import { attachment } from '../../http/content-disposition.ts';
import { Refusal } from '../../lib/errors.ts';
import { single } from '../../lib/stages.ts';
import { BlobMissing } from '../../storage/blob-store.ts';
import type { Photos } from '../photos/photos.ts';
import type { Links } from './links.ts';

/** Temporary links: made by whoever may see the photo, opened by whoever has the token. */
export function linkRoutes(http: Http, links: Links, photos: Pick<Photos, 'find' | 'read'>): void {
  http.bind('POST /api/photos/:id/link', async ({ params, visitor }) => {
    const found = await photos.find(visitor, params.id);
    // The device that uploaded the photo makes no links.
    if (found.row.event_id !== visitor.host.eventId) throw new Refusal('photo_not_found');
    return { status: 201, body: await links.make(found) };
  });

  http.bind('GET /api/photos/temp_download/:token', async ({ params, request, reply }) => {
    const found = await links.open(params.token);
    try {
      const made = await links.withoutPlace(found);
      return await sendBytes(reply, request, {
        type: 'image/jpeg',
        size: made?.length ?? found.row.size,
        etag: `${found.row.id}.shared`,
        disposition: attachment(`photo_${found.row.created_at}.jpg`),
        headers: { 'cache-control': 'no-store' },
        open: (range) => (made ? single(made.subarray(range.start, range.end)) : photos.read(found, 'original', found.row.size, range)),
      });
    } catch (error) {
      // Deleted a moment ago.
      throw error instanceof BlobMissing ? new Refusal('link_expired', { cause: error }) : error;
    }
  });
}
