import { DEVICE_COOKIE } from '@feierbild/contract/constants.ts';
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Role } from './sessions.ts';

/** 128 random bits, base64url. */
const DEVICE_ID = /^[A-Za-z0-9_-]{22}$/;

export type Cookies = ReturnType<typeof createCookies>;

/** The cookies: host, admin, locked slideshow, device. On https they are bound to this host and never leave it unencrypted. */
export function createCookies({ secure }: { secure: boolean }) {
  const prefix = secure ? '__Host-' : '';
  const names = {
    user: `${prefix}feierbild_host`,
    admin: `${prefix}feierbild_admin`,
    projector: `${prefix}feierbild_projector`,
    device: `${prefix}feierbild_device`,
  };
  const options: CookieSerializeOptions = { path: '/', httpOnly: true, sameSite: 'lax', secure };

  return {
    session: (request: FastifyRequest, role: Role): string | undefined => request.cookies[names[role]],
    setSession(reply: FastifyReply, role: Role, token: string, maxAge: number): void {
      reply.setCookie(names[role], token, { ...options, maxAge });
    },
    clearSession(reply: FastifyReply, role: Role): void {
      reply.clearCookie(names[role], options);
    },
    /** The browser's id: the Device-ID header, else the cookie; null where neither is one of ours in form. */
    deviceId(request: FastifyRequest): string | null {
      return wellFormed(request.headers['device-id']) ?? wellFormed(request.cookies[names.device]);
    },
    /** The same, the cookie first: a browser that has it keeps its id. */
    knownDevice(request: FastifyRequest): string | null {
      return wellFormed(request.cookies[names.device]) ?? wellFormed(request.headers['device-id']);
    },
    setDevice(reply: FastifyReply, id: string): void {
      reply.setCookie(names.device, id, { ...options, maxAge: DEVICE_COOKIE / 1000 });
    },
    clearDevice(reply: FastifyReply): void {
      reply.clearCookie(names.device, options);
    },
  };
}

function wellFormed(id: string | string[] | undefined): string | null {
  return typeof id === 'string' && DEVICE_ID.test(id) ? id : null;
}
