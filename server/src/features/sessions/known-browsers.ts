import { KNOWN_BROWSER_COOKIE } from '@feierbild/contract/constants.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createCookie } from '../../http/request.ts';
import { randomToken } from '../../lib/ids.ts';
import type { Context } from '../context.ts';
import { createProof, isProof } from '../proofs/proofs.ts';

/** The logins that a browser may be known for; `factor`: with a second factor, so that a password alone does not gain guesses at it. */
type KnownRole = 'user' | 'admin' | 'factor';

export type KnownBrowsers = ReturnType<typeof createKnownBrowsers>;

/**
 * A cookie that proves that a browser was logged in under a name before: `<random id>.<HMAC by the installation's key>`. It is no
 * login. It only gives the browser attempts of its own, so that others at the same address cannot use them up.
 */
export function createKnownBrowsers({ db, secure }: Pick<Context, 'db'> & { secure: boolean }) {
  const proof = createProof(db);
  const cookies = {
    user: createCookie('known_host', secure),
    admin: createCookie('known_admin', secure),
    factor: createCookie('known_factor', secure),
  };

  const macOf = (role: KnownRole, name: string, id: string): Promise<string> => proof('known-browser', role, name, id);

  return {
    /** Returns the sender as which this browser is counted for a name; undefined if it was never logged in under that name. */
    async proofOf(request: FastifyRequest, role: KnownRole, name: string): Promise<string | undefined> {
      const [id = '', mac = ''] = (cookies[role].of(request) ?? '').split('.');
      return isProof(await macOf(role, name, id), mac) ? `browser ${id}` : undefined;
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
