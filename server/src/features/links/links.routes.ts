import type { Http } from '../../http/bind.ts';
import { Refusal } from '../../lib/errors.ts';
import { decodeHeaderText } from '../../lib/header-text.ts';
import type { Events } from '../events/events.ts';
import type { Photos } from '../photos/photos.ts';
import type { Links } from './links.ts';

/** Seconds after which a client may ask again for a photo that has not come yet. */
const AWAITED_RETRY_S = 5;

/** Binds temporary links: hosts make them, everybody who has the token opens them. */
export function linkRoutes(
  http: Http,
  links: Links,
  photos: Pick<Photos, 'find' | 'verifyReceived' | 'mustBeShareable'>,
  { guests }: Pick<Events, 'guests'>,
): void {
  http.bind('GET /api/events/:ref/booth-key', async ({ params, headers, visitor }) => {
    const event = await guests.find(params.ref, visitor.address);
    const password = headers['event-password'];
    if (!password || !(await guests.isFotobox(event, decodeHeaderText(password), visitor))) throw new Refusal('wrong_event_password');
    return { key: Buffer.from(await links.booths.keyOf(event.id)).toString('base64url'), event_id: event.id };
  });

  http.bind('POST /api/photos/:id/link', async ({ params, visitor }) => {
    const found = await photos.find(visitor, params.id);
    // The device that uploaded the photo may see it, but only the host may make links.
    if (found.row.event_id !== visitor.host.eventId) throw new Refusal('photo_not_found');
    await photos.mustBeShareable(found);
    await photos.verifyReceived(found.row.event_id, visitor.host.openEventKey(), { ids: [params.id] });
    return links.make(await photos.find(visitor, params.id));
  });

  http.bind('GET /api/photos/temp_download/:token', async ({ params, reply, visitor }) => {
    const found = await links.open(params.token, visitor.address);
    if (found) return links.shared(found, visitor.address, ended);
    reply.header('retry-after', AWAITED_RETRY_S);
    return { status: 202, body: { status: 'waiting' } };
  });
}

/** Explains an error: a link ends with its photo. */
const ended = (error: unknown): unknown =>
  error instanceof Refusal && error.code === 'photo_not_found' ? new Refusal('link_expired', { cause: error }) : error;
