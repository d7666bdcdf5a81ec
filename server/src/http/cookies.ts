import type { CookieSerializeOptions } from '@fastify/cookie';

/** A cookie's full name. On https the prefix binds it to this host. */
export function cookieName(name: string, secure: boolean): string {
  return `${secure ? '__Host-' : ''}feierbild_${name}`;
}

/** Neither scripts nor foreign sites can use our cookies; on https they never leave the browser unencrypted. */
export function cookieOptions(secure: boolean): CookieSerializeOptions {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure };
}
