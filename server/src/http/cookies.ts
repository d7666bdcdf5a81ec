import type { FastifyReply, FastifyRequest } from 'fastify';

export type Cookie = ReturnType<typeof createCookie>;

/** A cookie without access by scripts or by other sites; on https it is never sent unencrypted, and its prefix binds it to this host. */
export function createCookie(name: string, secure: boolean) {
  const fullName = `${secure ? '__Host-' : ''}feierbild_${name}`;
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  return {
    of: ({ cookies }: FastifyRequest): string | undefined => cookies[fullName],
    /** `maxAge` in seconds. */
    set: (reply: FastifyReply, value: string, maxAge: number) => void reply.setCookie(fullName, value, { ...options, maxAge }),
    clear: (reply: FastifyReply) => void reply.clearCookie(fullName, options),
  };
}
