import { DEVICE_COOKIE } from '@feierbild/contract/constants.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieOptions, cookieName } from '../../http/cookies.ts';
import type { Bytes } from '../../lib/bytes.ts';
import type { Vault } from '../../vault/vault.ts';

/** 128 random bits, base64url. */
const DEVICE_ID = /^[A-Za-z0-9_-]{22}$/;

export type Devices = ReturnType<typeof createDevices>;

/** The id of a browser: its proof that photos are its own. It comes in the Device-ID header, and in a cookie of a year. */
export function createDevices({ secure }: { secure: boolean }) {
  const cookie = cookieName('device', secure);
  const options = cookieOptions(secure);
  const inHeader = (request: FastifyRequest): string | null => wellFormed(request.headers['device-id']);
  const inCookie = (request: FastifyRequest): string | null => wellFormed(request.cookies[cookie]);

  return {
    /** Who makes a request: the header first; null where neither holds a well-formed id. */
    idOf: (request: FastifyRequest): string | null => inHeader(request) ?? inCookie(request),
    /** The id that a browser keeps: the cookie first. */
    keptIdOf: (request: FastifyRequest): string | null => inCookie(request) ?? inHeader(request),
    setCookie(reply: FastifyReply, id: string): void {
      reply.setCookie(cookie, id, { ...options, maxAge: DEVICE_COOKIE / 1000 });
    },
    clearCookie(reply: FastifyReply): void {
      reply.clearCookie(cookie, options);
    },
  };
}

function wellFormed(id: string | string[] | undefined): string | null {
  return typeof id === 'string' && DEVICE_ID.test(id) ? id : null;
}

/** The look-up hash of a device within one event: no two events have the same, so devices can't be followed across them. */
export function deviceHash(vault: Vault, deviceId: string, eventId: string): Bytes {
  return vault.lookupHash(deviceId, `device:${eventId}`);
}
