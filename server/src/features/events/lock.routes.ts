import type { Http } from '../../http/bind.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Devices } from '../devices/devices.ts';
import type { Cookies } from '../sessions/cookies.ts';
import type { KnownBrowsers } from '../sessions/known-browsers.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Events } from './events.ts';

interface Parts {
  events: Pick<Events, 'forHost'>;
  accounts: Pick<Accounts, 'lockSlideshow'>;
  sessions: Pick<Sessions, 'end'>;
  cookies: Cookies;
  devices: Devices;
  knownBrowsers: KnownBrowsers;
}

/** For the laptop at the projector: from here on it shows the slideshow, and is a stranger everywhere else. */
export function lockRoutes(http: Http, { events, accounts, sessions, cookies, devices, knownBrowsers }: Parts): void {
  http.bind('POST /api/events/:ref/slideshow-lock', async ({ params, visitor, reply }) => {
    const event = await events.forHost(visitor.host, params.ref);
    if (event.with_slideshow !== 1) throw new Refusal('slideshow_disabled');
    const { token, maxAge } = await accounts.lockSlideshow(visitor.host, visitor.address);
    for (const other of [visitor.admin, visitor.projector]) if (other) await sessions.end(other.sessionId);
    cookies.clearSession(reply, 'user');
    cookies.clearSession(reply, 'admin');
    // What this browser uploaded is its own to see and to delete by that id.
    devices.clearCookie(reply);
    knownBrowsers.forget(reply);
    cookies.setSession(reply, 'projector', token, maxAge);
    // Originals, and pages that "back" would bring again.
    reply.header('clear-site-data', '"cache"');
    return { status: 204 };
  });
}
