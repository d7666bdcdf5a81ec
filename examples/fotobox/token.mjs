// Makes tokens of links before the upload and without a network (docs/fotobox.md, „A QR code before the upload“).
import { createHmac, randomBytes } from 'node:crypto';

const LABEL = 'feierbild/v1/booth-token';

/**
 * Makes a token: `random(16) ‖ minute since 1970 (4 bytes, big endian) ‖ the first 8 bytes of the MAC`, base64url: 38 characters.
 * The random begins with the last 4 bytes of the event's id, by which the server finds the event.
 */
export function makeToken({ key, event_id: eventId }) {
  const minute = Buffer.alloc(4);
  minute.writeUInt32BE(Math.floor(Date.now() / 60_000));
  const hint = Buffer.from(eventId.slice(-8), 'hex');
  const head = Buffer.concat([hint, randomBytes(12), minute]);
  const mac = createHmac('sha256', Buffer.from(key, 'base64url')).update(LABEL).update(eventId).update(head).digest();
  return Buffer.concat([head, mac.subarray(0, 8)]).toString('base64url');
}
