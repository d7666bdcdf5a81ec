import type { Http } from '../../http/bind.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Photos } from '../photos/photos.ts';
import type { Links } from './links.ts';

/** Temporary links: made by hosts, opened by everybody who has the token. */
export function linkRoutes(http: Http, links: Links, photos: Pick<Photos, 'find' | 'proveReceived' | 'mustBeShareable'>): void {
  http.bind('POST /api/photos/:id/link', async ({ params, visitor }) => {
    const found = await photos.find(visitor, params.id);
    // The device that uploaded the photo may see it, but only the host may make links.
    if (found.row.event_id !== visitor.host.eventId) throw new Refusal('photo_not_found');
    await photos.mustBeShareable(found);
    await photos.proveReceived(found.row.event_id, visitor.host.openEventKey(), { ids: [params.id] });
    return links.make(await photos.find(visitor, params.id));
  });

  http.bind('GET /api/photos/temp_download/:token', async ({ params }) => links.shared(await links.open(params.token), ended));
}

/** A link ends with its photo. */
const ended = (error: unknown): unknown =>
  error instanceof Refusal && error.code === 'photo_not_found' ? new Refusal('link_expired', { cause: error }) : error;
