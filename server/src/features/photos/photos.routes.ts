import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Photo } from '@feierbild/contract/entities.ts';
import type { Http } from '../../http/bind.ts';
import { sendBytes } from '../../http/byte-answer.ts';
import { attachment } from '../../http/content-disposition.ts';
import { Refusal } from '../../lib/errors.ts';
import { BlobMissing, type Variant } from '../../storage/blob-store.ts';
import type { Events } from '../events/events.ts';
import type { FoundPhoto, Photos } from './photos.ts';

/** Photo bytes never change; they are for this browser alone, and go from its cache within a day (and at logout). */
const IMMUTABLE = 'private, max-age=86400, immutable';

/** Lists of photos and the photos themselves; who may see which is decided by `photos`. */
export function photoRoutes(http: Http, photos: Photos, events: Pick<Events, 'guests' | 'forHost' | 'forSlideshow'>): void {
  http.bind('GET /api/events/:ref/photos', async ({ params, query, visitor }) => {
    const event = await events.forHost(visitor.host, params.ref);
    if (query.after === undefined) return { status: 200, body: await photos.page(event, visitor, query) };
    return { status: 200, body: await photos.after(event, visitor, query.after, query.per_page) };
  });

  http.bind('GET /api/events/:ref/my-photos', async ({ params, visitor }) => {
    const event = await events.guests.find(params.ref, visitor.address);
    return { status: 200, body: { photos: await photos.ofDevice(event.id, visitor.deviceId) } };
  });

  http.bind('GET /api/events/:ref/slideshow', async ({ params, query, visitor }) => {
    const event = await events.forSlideshow(visitor, params.ref);
    const { photos: shown, ...rest } = await photos.slideshow(event, visitor, query.since ? Date.parse(query.since) : null);
    return { status: 200, body: { photos: visitor.host?.eventId === event.id ? shown : shown.map(nameless), ...rest } };
  });

  http.bind('PUT /api/photos/:id/slideshow', async ({ params, body, visitor }) => ({
    status: 200,
    body: { slideshow: await photos.setSlideshow(visitor, params.id, body?.value) },
  }));

  http.bind('GET /api/photos/:id/thumbnail', async ({ params, visitor, request, reply }) => {
    const found = await photos.findPicture(visitor, params.id);
    return send(request, reply, found, { variant: 'thumbnail', ...thumbnail(found), cache: IMMUTABLE });
  });

  http.bind('GET /api/photos/:id/preview', async ({ params, visitor, request, reply }) => {
    const found = await photos.findPicture(visitor, params.id);
    const preview = await photos.preview(found).catch(goneMeanwhile);
    // Some photos show no more than their thumbnail; that answer must not stay in the browser's cache.
    if (!preview) return send(request, reply, found, { variant: 'thumbnail', ...thumbnail(found), cache: 'no-store' });
    return send(request, reply, found, { variant: 'preview', ...preview, cache: IMMUTABLE });
  });

  http.bind('GET /api/photos/:id/download', async ({ params, visitor, request, reply }) => {
    const found = await photos.find(visitor, params.id);
    const { type, size, filename } = found.row;
    return send(request, reply, found, { variant: 'original', type, size, disposition: attachment(filename), cache: IMMUTABLE });
  });

  http.bind('DELETE /api/photos/:id', async ({ params, visitor }) => {
    await photos.remove(await photos.find(visitor, params.id));
    return { status: 204 };
  });

  interface Content {
    variant: Variant;
    type: string;
    /** Plain bytes. */
    size: number;
    disposition?: string;
    cache: string;
  }

  function send(request: FastifyRequest, reply: FastifyReply, found: FoundPhoto, content: Content): Promise<FastifyReply> {
    const { variant, size, cache, ...answer } = content;
    return sendBytes(reply, request, {
      ...answer,
      size,
      etag: `${found.row.id}.${variant}`,
      headers: { 'cache-control': cache },
      open: (range) => photos.read(found, variant, size, range),
    }).catch(goneMeanwhile);
  }
}

function thumbnail({ row }: FoundPhoto): { type: string; size: number } {
  return { type: row.thumbnail_type, size: row.thumbnail_size };
}

/** What a locked slideshow needs to know of a photo: not who took it, with which name and when. */
function nameless(photo: Photo): Photo {
  return { ...photo, filename: '', taken_at: null, device: { name: '' } };
}

/** A row always has its blobs: where one is missing, the photo was deleted a moment ago. */
function goneMeanwhile(error: unknown): never {
  throw error instanceof BlobMissing ? new Refusal('photo_not_found', { cause: error }) : error;
}
