import { createCookie, type Cookie } from '../../http/cookies.ts';
import type { Role } from './sessions.ts';

export type Cookies = Record<Role, Cookie>;

/** The cookies of sessions: host, administrator, locked slideshow. */
export function createCookies({ secure }: { secure: boolean }): Cookies {
  return {
    user: createCookie('host', secure),
    admin: createCookie('admin', secure),
    projector: createCookie('projector', secure),
  };
}
