import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import type { InvitedRole } from '../../database/schema.ts';
import type { Http } from '../../http/bind.ts';
import type { HostVisitor, Visitor } from '../../http/visitor.ts';
import type { Bytes } from '../../lib/bytes.ts';
import type { Vault } from '../../vault/vault.ts';
import { guestHash } from '../devices/devices.ts';
import type { Events } from '../events/events.ts';
import type { Grants } from '../grants/grants.ts';
import type { Photos } from '../photos/photos.ts';
import type { Cookies, Sessions, StartedSession } from '../sessions/sessions.ts';
import type { FastifyReply } from 'fastify';
import type { GalleryFeature } from './gallery.ts';

interface Deps {
  gallery: GalleryFeature;
  grants: Pick<Grants, 'login'>;
  events: Pick<Events, 'forHost'>;
  photos: Pick<Photos, 'byId' | 'findInGallery'>;
  sessions: Pick<Sessions, 'end'>;
  cookies: Cookies;
  vault: Vault;
}

/** Binds the calls for the guests' gallery: its settings, the links that lead into it, and its hearts. */
export function galleryRoutes(http: Http, { gallery, grants, events, photos, sessions, cookies, vault }: Deps): void {
  async function asked({ params, visitor }: { params: { ref: string }; visitor: Visitor & { host: HostVisitor } }) {
    return { event: await events.forHost(visitor.host, params.ref), host: visitor.host, address: visitor.address };
  }

  http.bind('GET /api/events/:ref/gallery', async (incoming) => gallery.view(await asked(incoming)));
  http.bind('PUT /api/events/:ref/gallery', async (incoming) => gallery.set(await asked(incoming), incoming.body));
  http.bind('POST /api/events/:ref/gallery/link', async (incoming) => gallery.newLink(await asked(incoming)));
  http.bind('POST /api/events/:ref/gallery/reveal', async (incoming) => gallery.reveal(await asked(incoming)));

  http.bind('PUT /api/events/:ref/release', async (incoming) => gallery.setApproval(await asked(incoming), incoming.body));

  http.bind('GET /api/events/:ref/helper', async (incoming) => ({ url: await gallery.helperUrl(await asked(incoming)) }));
  http.bind('POST /api/events/:ref/helper', async (incoming) => {
    const by = await asked(incoming);
    await gallery.setHelper(by, incoming.body ?? {});
    return { url: await gallery.helperUrl(by) };
  });

  http.bind('POST /auth/gallery/login', async ({ body, visitor, reply }) => {
    const { deviceId, address } = visitor;
    // A browser that has a session needs no second one.
    const own = [visitor.gallery, visitor.host].find((one) => one?.eventCode === cleanEventCode(body.code));
    if (body.token === undefined && own) return { role: 'gallery', code: own.eventCode };
    const { code, ...session } = await grants.login('gallery', { code: body.code, token: body.token, deviceId }, address);
    await begin('gallery', session, visitor, reply);
    return { role: 'gallery', code };
  });
  http.bind('POST /auth/helper/login', async ({ body, visitor, reply }) => {
    const { code, ...session } = await grants.login('helper', body, visitor.address);
    await begin('helper', session, visitor, reply);
    return { role: 'helper', code };
  });

  /** Sets the session's cookie and ends the browser's earlier session of the role. */
  async function begin(role: InvitedRole, { token, maxAge }: StartedSession, visitor: Visitor, reply: FastifyReply): Promise<void> {
    const earlier = visitor[role];
    if (earlier) await sessions.end(earlier.sessionId);
    cookies[role].set(reply, token, maxAge);
  }

  const aPhoto = http.reading(({ id = '' }) => photos.byId(id));

  aPhoto.bind('PUT /api/photos/:id/heart', async ({ body, visitor }, photo) => {
    const { row } = photos.findInGallery(visitor, photo);
    const device_hash = guestHash(vault, visitor, row.event_id) as Bytes;
    return { value: await gallery.setHeart({ photo_id: row.id, event_id: row.event_id, device_hash }, body.value) };
  });
}
