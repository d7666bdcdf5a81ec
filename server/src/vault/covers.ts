import { randomBytes } from 'node:crypto';
import type { Bytes } from '../lib/bytes.ts';
import { decryptRandomly, derive, encryptRandomly, KEY_LENGTH } from './aead.ts';
import { label } from './labels.ts';
import { Tampered, type CoveredKey } from './vault.ts';

/** The wrapped keys of an event's photos are encrypted once more under a secret of the event: without it none of them opens. */
const VERSION = 1;

export function createEventSecret(): Bytes {
  return randomBytes(KEY_LENGTH);
}

export function coverKey(secret: Bytes, wrapped: Bytes, of: CoveredKey): Bytes {
  return Buffer.concat([Buffer.from([VERSION]), encryptRandomly(coverOf(secret, of), wrapped, aadOf(of))]);
}

/** Throws Tampered. */
export function uncoverKey(secret: Bytes, covered: Bytes, of: CoveredKey): Bytes {
  if (covered[0] !== VERSION) throw new Tampered('unknown version of a covered key');
  return decryptRandomly(coverOf(secret, of), covered.subarray(1), aadOf(of));
}

function coverOf(secret: Bytes, { eventId }: CoveredKey): Bytes {
  return derive(secret, Buffer.alloc(0), label('cover', eventId));
}

function aadOf({ eventId, photoId, holder }: CoveredKey): Bytes {
  return label('covered-key', eventId, photoId, holder);
}
