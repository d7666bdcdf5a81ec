import { EVENT_CODE_ALPHABET } from '@feierbild/contract/constants.ts';
import { randomBytes, randomInt } from 'node:crypto';

let last = 0n;

/** Makes a UUIDv7 (RFC 9562) for an instant in ms. In this process each is greater than the one before, even within one ms. */
export function uuidv7(now: number): string {
  // 48 bits of time, then a 12-bit counter with a random start. If the counter overflows, it increments the time.
  const fresh = (BigInt(now) << 12n) | BigInt(randomInt(0x400));
  last = fresh > last ? fresh : last + 1n;
  const time = (last >> 12n).toString(16).padStart(12, '0');
  const counter = (last & 0xfffn).toString(16).padStart(3, '0');
  const tail = randomBytes(8);
  tail[0] = ((tail[0] as number) & 0x3f) | 0x80;
  const hex = tail.toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${hex.slice(0, 4)}-${hex.slice(4)}`;
}

/** Makes a UUID (RFC 9562, version 8) of the first 16 bytes of a hash. */
export function uuidOf(hash: Uint8Array): string {
  const bytes = Buffer.from(hash.subarray(0, 16));
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Returns 256 random bits, base64url. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Tells whether a text has the form of `randomToken`. */
export function isToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** Tells whether a text has the form of a Fotobox's token: 28 bytes in base64url. */
export function isBoothToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{38}$/.test(text);
}

/** Returns 128 random bits, base64url: the id of a guest's device, or the token of a link. */
export function randomShortToken(): string {
  return randomBytes(16).toString('base64url');
}

/** Tells whether a text has the form of `randomShortToken`. */
export function isShortToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{22}$/.test(text);
}

/** Returns random characters of the code alphabet, each equally likely. */
export function randomCode(length: number): string {
  return Array.from({ length }, () => EVENT_CODE_ALPHABET[randomInt(EVENT_CODE_ALPHABET.length)]).join('');
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text);
}
