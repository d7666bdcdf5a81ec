import type { FastifyReply, FastifyRequest } from 'fastify';

export interface Cookie {
  of(request: FastifyRequest): string | undefined;
  /** `maxAge` in seconds. */
  set(reply: FastifyReply, value: string, maxAge: number): void;
  clear(reply: FastifyReply): void;
}

/** A cookie without access by scripts or by other sites; on https it is never sent unencrypted, and its prefix binds it to this host. */
export function createCookie(name: string, secure: boolean): Cookie {
  const fullName = `${secure ? '__Host-' : ''}feierbild_${name}`;
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  return {
    of: ({ cookies }) => cookies[fullName],
    set: (reply, value, maxAge) => void reply.setCookie(fullName, value, { ...options, maxAge }),
    clear: (reply) => void reply.clearCookie(fullName, options),
  };
}
