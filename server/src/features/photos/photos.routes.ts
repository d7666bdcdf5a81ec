import { POSTER_BYTES } from '@feierbild/contract/constants.ts';
import { STATE_RULES } from '@feierbild/contract/photo-states.ts';
import type { Http } from '../../http/bind.ts';
import type { ByteAnswer } from '../../http/byte-answer.ts';
import { readFormFile } from '../../http/form.ts';
import type { HostVisitor } from '../../http/visitor.ts';
import { Refusal } from '../../lib/errors.ts';
import { BlobMissing, type Derived, type Variant } from '../../storage/blob-store.ts';
import { Tampered } from '../../vault/vault.ts';
import type { Events } from '../events/events.ts';
import { cleanFileName, previewName } from './file-names.ts';
import { CLEANING, type FoundPhoto, type Photos } from './photos.ts';
import type { WallFeature } from '../wall/wall.ts';
import type { Links } from '../links/links.ts';
import { renditionOf } from './photos.store.ts';

/** Photo bytes never change. Only this browser may cache them, for a day at most (a logout clears them). */
const IMMUTABLE = 'private, max-age=86400, immutable';

/** Serves lists of photos and their bytes; `photos` decides who may see which. */
export function photoRoutes(
  http: Http,
  photos: Photos,
  links: Pick<Links, 'shared'>,
  events: Pick<Events, 'guests' | 'forViewer' | 'forSlideshow'>,
  wall: Pick<WallFeature, 'view'>,
): void {
  const anEvent = http.reading(({ ref = '' }) => events.guests.resolve(ref));

  anEvent.bind('GET /api/events/:ref/photos', async ({ query, visitor, request, reply }, found) => {
    const { event, as } = events.forViewer(visitor, found, query.view);
    if (as === 'gallery' || query.view === 'gallery') {
      // Hundreds of pages poll this. The ETag is the state that the answer was made from; `vary` names the reader.
      const etag = `W/"${event.change_seq}.${event.version}"`;
      reply.headers({ etag, 'cache-control': 'private, no-cache', vary: 'Cookie, Device-ID' });
      if (request.headers['if-none-match'] === etag && query.seq !== undefined && photos.isOpen(event)) return { status: 304 };
      return { status: 200, body: await photos.gallery(event, visitor, query) };
    }
    const { after } = query;
    if (as === 'helper' || query.view === 'waiting')
      return { status: 200, body: await photos.waiting(event, visitor[as] as HostVisitor, query) };
    return {
      status: 200,
      body: after === undefined ? await photos.page(event, visitor, query) : await photos.after(event, visitor, { ...query, after }),
    };
  });

  http.bind('GET /api/events/:ref/my-photos', async ({ params, visitor }) => {
    const event = await events.guests.find(params.ref, visitor.address);
    return { photos: await photos.ofDevice(event, visitor.deviceId) };
  });

  http.bind('POST /api/events/:ref/known', async ({ params, body, visitor }) => {
    const event = await events.guests.find(params.ref, visitor.address);
    return { photos: await photos.known(event.id, visitor, body.fingerprints) };
  });

  http.bind('GET /api/events/:ref/slideshow', async ({ params, query, visitor }) => {
    const event = await events.forSlideshow(visitor, params.ref);
    return photos.slideshow(event, visitor, query);
  });

  http.bind('PUT /api/photos/:id/slideshow', async ({ params, body, visitor }) => ({
    slideshow: await photos.setSlideshow(visitor, params.id, body ?? {}),
  }));

  anEvent.bind('POST /api/events/:ref/release/all', ({ body, visitor }, found) =>
    photos.showWaiting(events.forViewer(visitor, found, 'waiting').event, visitor, body),
  );

  const aPhoto = http.reading(({ id = '' }) => photos.byId(id));

  aPhoto.bind('GET /api/photos/:id/thumbnail', ({ visitor }, photo) => picture(photos.findShown(visitor, photo), 'thumbnail'));

  aPhoto.bind('GET /api/photos/:id/preview', async ({ query, visitor }, photo) => {
    const found = photos.findShown(visitor, photo);
    const shown = await photos.withPreview(found, query.wide !== undefined);
    // The thumbnail stands in for a preview that is missing: the browser must not cache it under this address.
    return shown ? picture(shown, 'preview') : picture(found, 'thumbnail', 'no-store');
  });

  aPhoto.bind('GET /api/photos/:id/large', async ({ visitor }, photo) => {
    const found = photo && photos.onWall(visitor, photo);
    if (!found) throw new Refusal('photo_not_found');
    const { large: wished } = await wall.view({ id: found.row.event_id });
    const large = wished && (await photos.withLarge(found));
    if (!large) throw new Refusal('large_missing');
    return picture(large, 'large');
  });

  aPhoto.bind('GET /api/photos/:id/download', async ({ visitor }, photo) => {
    const found = photos.findShown(visitor, photo);
    if (!found.own) {
      // A wall and a helper may look, but not download.
      const inGallery = photos.findInGallery(visitor, photo);
      if (inGallery.row.gallery_originals !== 1) throw new Refusal('originals_off');
      const { row } = await photos.verified(inGallery);
      // The verification may have replaced the picture, and the photo then waits for its release again.
      return links.shared(photos.findInGallery(visitor, row), visitor.address);
    }
    const { filename } = found.own.describe();
    if (STATE_RULES[found.row.state].original) return { ...bytesOf(found, 'original'), filename: cleanFileName(filename, found.row.type) };
    return { ...bytesOf(found, 'preview', 'no-store'), filename: previewName(filename) };
  });

  aPhoto.bind('GET /api/photos/:id/video', ({ visitor }, photo) => {
    const found = photos.findShown(visitor, photo);
    const { id, type, size, codecs } = found.row;
    if (codecs === null) throw new Refusal('photo_not_found');
    // Other visitors get a copy without location.
    const clean = found.own === null;
    return {
      // Browsers play QuickTime as MP4, but refuse it under its own media type.
      type: type === 'video/quicktime' ? 'video/mp4' : type,
      size,
      etag: `${id}.${clean ? CLEANING : 'original'}`,
      headers: { 'cache-control': IMMUTABLE },
      open: (range) => (clean ? photos.readClean(found, range) : photos.read(found, 'original', range)),
    };
  });

  http.bind('PUT /api/photos/:id/poster', async ({ params, visitor, request }) => {
    await photos.setPoster(visitor, params.id, () => readFormFile(request, POSTER_BYTES));
  });

  http.bind('DELETE /api/photos/:id', async ({ params, visitor }) => {
    await photos.remove(await photos.find(visitor, params.id));
  });

  /** Answers with a picture of a photo. A lost or changed picture is made anew; if there is no preview, the thumbnail is sent. */
  function picture(found: FoundPhoto, variant: Derived, cache = IMMUTABLE): ByteAnswer {
    // A drawn poster is replaced by a real one later.
    const passing = ({ row }: FoundPhoto): boolean => row.codecs !== null && !renditionOf(row, 'preview');
    const from = (photo: FoundPhoto): ByteAnswer => bytesOf(photo, variant, passing(photo) ? 'no-store' : cache);
    return {
      ...from(found),
      async instead(error) {
        if (!(error instanceof BlobMissing || error instanceof Tampered)) throw error;
        const healed = await photos.heal(found, variant);
        if (!healed && variant === 'preview') return picture(found, 'thumbnail', 'no-store');
        if (!healed) throw new Refusal(variant === 'large' ? 'large_missing' : 'unavailable', { cause: error });
        const explain = async (again: unknown): Promise<never> => {
          throw await photos.explained(found.row.id, again);
        };
        return { ...from(healed), instead: explain };
      },
    };
  }

  /** Answers with one of the photo's blobs. Throws Refusal photo_not_found. */
  function bytesOf(found: FoundPhoto, variant: Variant, cache = IMMUTABLE): ByteAnswer {
    const rendition = renditionOf(found.row, variant);
    if (!rendition) throw new Refusal('photo_not_found');
    const { type, size, version } = rendition;
    const etag = `${found.row.id}.${version ? `${version}.` : ''}${variant}`;
    return { type, size, etag, headers: { 'cache-control': cache }, open: (range) => photos.read(found, variant, range) };
  }
}
