import type { Http } from '../../http/bind.ts';
import { Refusal } from '../../lib/errors.ts';
import { CLEANING, cleanFileName, type Photos } from '../photos/photos.ts';
import type { Links, Rendition } from './links.ts';

/** Part of the ETag; must change whenever the same photo may give different bytes. */
const RENDERING = 'shared-2';

type Used = 'find' | 'proveReceived' | 'mustBeShareable' | 'read' | 'readClean';

/** Temporary links: made by hosts, opened by everybody who has the token. */
export function linkRoutes(http: Http, links: Links, photos: Pick<Photos, Used>): void {
  http.bind('POST /api/photos/:id/link', async ({ params, visitor }) => {
    const found = await photos.find(visitor, params.id);
    // The device that uploaded the photo may see it, but only the host may make links.
    if (found.row.event_id !== visitor.host.eventId) throw new Refusal('photo_not_found');
    await photos.mustBeShareable(found);
    await photos.proveReceived(found.row.event_id, visitor.host.openEventKey(), { ids: [params.id] });
    return links.make(await photos.find(visitor, params.id));
  });

  http.bind('GET /api/photos/temp_download/:token', async ({ params }) => {
    const found = await links.open(params.token);
    const { id, type, size, codecs, created_at } = found.row;
    let made = null as Rendition;
    const failed = async (error: unknown): Promise<never> => {
      made?.release();
      // A link ends with its photo.
      throw error instanceof Refusal && error.code === 'photo_not_found' ? new Refusal('link_expired', { cause: error }) : error;
    };
    if (codecs === null)
      return {
        type: 'image/jpeg',
        etag: `${id}.${RENDERING}`,
        filename: `photo_${created_at}.jpg`,
        // By which a report can name it.
        headers: { 'cache-control': 'no-store', 'photo-id': id },
        make: async () => {
          made = await links.withoutPlace(found);
          return made ? { size: made.size, open: made.read } : { size, open: (range) => photos.read(found, 'original', range) };
        },
        instead: failed,
      };
    // Picture and sound alone. One that cannot be handed out is refused to HEAD, too, by which a page asks what it is.
    await photos.mustBeShareable(found).catch(failed);
    return {
      type,
      size,
      etag: `${id}.${CLEANING}`,
      filename: cleanFileName(`video_${created_at}`, type),
      headers: { 'cache-control': 'no-store' },
      open: (range) => photos.readClean(found, range),
      instead: failed,
    };
  });
}
