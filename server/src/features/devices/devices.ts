import { DEVICE_COOKIE } from '@feierbild/contract/constants.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Http } from '../../http/bind.ts';
import { createCookie } from '../../http/request.ts';
import type { Visitor } from '../../http/visitor.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { isShortToken, randomShortToken } from '../../lib/ids.ts';
import type { Vault } from '../../vault/vault.ts';

export type Devices = ReturnType<typeof createDevices>;

/**
 * Creates the ids of browsers. An id proves that photos are the browser's own; it comes in the Device-ID header or in a cookie that lasts a
 * year.
 */
export function createDevices({ secure }: { secure: boolean }) {
  const cookie = createCookie('device', secure);
  const inHeader = (request: FastifyRequest): string | null => wellFormed(request.headers['device-id']);
  const inCookie = (request: FastifyRequest): string | null => wellFormed(cookie.of(request));

  return {
    /** Returns the id of a request: from the header, else from the cookie; null if neither contains a well-formed id. */
    idOf: (request: FastifyRequest): string | null => inHeader(request) ?? inCookie(request),
    /** Gives a browser its id; a browser that has one, in the cookie or else in the header, keeps it. */
    issue(request: FastifyRequest, reply: FastifyReply): string {
      const id = inCookie(request) ?? inHeader(request) ?? randomShortToken();
      cookie.set(reply, id, DEVICE_COOKIE / 1000);
      return id;
    },
    clearCookie: cookie.clear,
  };
}

export function deviceRoutes(http: Http, { devices }: { devices: Devices }): void {
  http.bind('GET /device_id', ({ request, reply }) => ({ device_id: devices.issue(request, reply) }));
}

function wellFormed(id: string | string[] | undefined): string | null {
  return typeof id === 'string' && isShortToken(id) ? id : null;
}

/** Returns the look-up hash of a device within one event. It differs per event, so that devices cannot be traced across events. */
export function deviceHash(vault: Vault, deviceId: string, eventId: string): Bytes {
  return vault.lookupHash(deviceId, `device:${eventId}`);
}

/**
 * Returns the hash that gives hearts: the device's, or the session's for a guest in the gallery without a device. Null if there is neither.
 */
export function guestHash(vault: Vault, { deviceId, gallery }: Pick<Visitor, 'deviceId' | 'gallery'>, eventId: string): Bytes | null {
  if (deviceId !== null) return deviceHash(vault, deviceId, eventId);
  return gallery && vault.lookupHash(gallery.sessionId, `guest:${eventId}`);
}
