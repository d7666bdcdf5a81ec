import type { CookieSerializeOptions } from '@fastify/cookie';

/** A cookie's full name. On https the prefix binds it to this host. */
export function cookieName(name: string, secure: boolean): string {
  return `${secure ? '__Host-' : ''}feierbild_${name}`;
}

/** Cookie options: no access by scripts or by other sites; on https the cookie is never sent unencrypted. */
export function cookieOptions(secure: boolean): CookieSerializeOptions {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure };
}
