import type { Http } from '../../http/bind.ts';
import type { HostVisitor, Visitor } from '../../http/visitor.ts';
import type { Events } from '../events/events.ts';
import type { Cookies, Sessions } from '../sessions/sessions.ts';
import type { WallFeature } from './wall.ts';

interface Deps {
  wall: WallFeature;
  events: Pick<Events, 'forHost' | 'forSlideshow'>;
  sessions: Pick<Sessions, 'end'>;
  cookies: Cookies;
}

/** Calls for the wall's remote control, and for opening a wall without a login. */
export function wallRoutes(http: Http, { wall, events, sessions, cookies }: Deps): void {
  async function asked({ params, visitor }: { params: { ref: string }; visitor: Visitor & { host: HostVisitor } }) {
    return { event: await events.forHost(visitor.host, params.ref), host: visitor.host, address: visitor.address };
  }

  http.bind('GET /api/events/:ref/wall', async ({ params, visitor }) => {
    const event = await events.forSlideshow(visitor, params.ref);
    const by = [visitor.host, visitor.projector].find((one) => one?.eventId === event.id) as HostVisitor;
    const [state, guests] = await Promise.all([wall.view(event), wall.guestsPath(event, by)]);
    return { ...state, guests, ...(state.favourites && { loved: await wall.loved(event.id) }) };
  });
  http.bind('PUT /api/events/:ref/wall', async (incoming) => wall.change((await asked(incoming)).event, incoming.body));

  http.bind('GET /api/events/:ref/wall/link', async (incoming) => ({ url: await wall.linkUrl(await asked(incoming)) }));
  http.bind('POST /api/events/:ref/wall/link', async (incoming) => {
    const by = await asked(incoming);
    await wall.setLink(by, incoming.body ?? {});
    return { url: await wall.linkUrl(by) };
  });
  http.bind('POST /api/events/:ref/wall/code', async (incoming) => wall.newCode(await asked(incoming)));

  http.bind('POST /auth/wall/login', async ({ body, visitor, reply }) => {
    const { token, maxAge, code } = await wall.login({ ...body, address: visitor.address });
    if (visitor.projector) await sessions.end(visitor.projector.sessionId);
    cookies.projector.set(reply, token, maxAge);
    return { role: 'projector' as const, code };
  });
}
