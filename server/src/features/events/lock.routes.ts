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

/** Locks the laptop at the projector: afterwards it can show the slideshow and has no other access. */
export function lockRoutes(http: Http, { events, accounts, sessions, cookies, devices, knownBrowsers }: Parts): void {
  http.bind('POST /api/events/:ref/slideshow-lock', async ({ params, visitor, reply }) => {
    const event = await events.forHost(visitor.host, params.ref);
    if (event.with_slideshow !== 1) throw new Refusal('slideshow_disabled');
    const { token, maxAge } = await accounts.lockSlideshow(visitor.host, visitor.address);
    for (const other of [visitor.admin, visitor.projector]) if (other) await sessions.end(other.sessionId);
    cookies.user.clear(reply);
    cookies.admin.clear(reply);
    // With the device id, anybody at the laptop could see and delete what this browser uploaded.
    devices.clearCookie(reply);
    knownBrowsers.forget(reply);
    cookies.projector.set(reply, token, maxAge);
    // The cache may contain originals, and pages that the "back" button would show again.
    reply.header('clear-site-data', '"cache"');
  });
}
