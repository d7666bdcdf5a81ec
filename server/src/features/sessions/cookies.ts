import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieName, cookieOptions } from '../../http/cookies.ts';
import type { Role } from './sessions.ts';

export type Cookies = ReturnType<typeof createCookies>;

/** The cookies of sessions: host, administrator, locked slideshow. */
export function createCookies({ secure }: { secure: boolean }) {
  const names = {
    user: cookieName('host', secure),
    admin: cookieName('admin', secure),
    projector: cookieName('projector', secure),
  };
  const options = cookieOptions(secure);

  return {
    session: (request: FastifyRequest, role: Role): string | undefined => request.cookies[names[role]],
    /** `maxAge` in seconds. */
    setSession(reply: FastifyReply, role: Role, token: string, maxAge: number): void {
      reply.setCookie(names[role], token, { ...options, maxAge });
    },
    clearSession(reply: FastifyReply, role: Role): void {
      reply.clearCookie(names[role], options);
    },
  };
}
