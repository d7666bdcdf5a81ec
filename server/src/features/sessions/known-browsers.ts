import { createHmac, timingSafeEqual } from 'node:crypto';
import { KNOWN_BROWSER_COOKIE } from '@feierbild/contract/constants.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createInstallationKey } from '../../database/settings.ts';
import type { Db } from '../../database/open.ts';
import { createCookie } from '../../http/cookies.ts';
import { randomToken } from '../../lib/ids.ts';

/** The logins that a browser is known for. */
type KnownRole = 'user' | 'admin';

export type KnownBrowsers = ReturnType<typeof createKnownBrowsers>;

/**
 * A cookie that proves that a browser was logged in under a name before: `<random id>.<HMAC by the installation's key>`. It is no
 * login. It only gives the browser attempts of its own, so that others at the same address cannot use them up.
 */
export function createKnownBrowsers({ db, secure }: { db: Db; secure: boolean }) {
  const installationKey = createInstallationKey(db);
  const cookies = { user: createCookie('known_host', secure), admin: createCookie('known_admin', secure) };

  async function macOf(role: KnownRole, name: string, id: string): Promise<string> {
    return createHmac('sha256', await installationKey())
      .update(JSON.stringify(['known-browser', role, name, id]))
      .digest('base64url');
  }

  return {
    /** The sender under which this browser is counted for a name; undefined if it was never logged in under that name. */
    async proofOf(request: FastifyRequest, role: KnownRole, name: string): Promise<string | undefined> {
      const [id = '', mac = ''] = (cookies[role].of(request) ?? '').split('.');
      const right = Buffer.from(await macOf(role, name, id));
      const given = Buffer.from(mac);
      return given.length === right.length && timingSafeEqual(given, right) ? `browser ${id}` : undefined;
    },
    /** Sets the cookie after a login. */
    async remember(reply: FastifyReply, role: KnownRole, name: string): Promise<void> {
      const id = randomToken();
      cookies[role].set(reply, `${id}.${await macOf(role, name, id)}`, KNOWN_BROWSER_COOKIE / 1000);
    },
    forget(reply: FastifyReply): void {
      for (const cookie of Object.values(cookies)) cookie.clear(reply);
    },
  };
}
