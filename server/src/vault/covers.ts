import { randomBytes } from 'node:crypto';
import type { Bytes } from '../lib/bytes.ts';
import { derive, KEY_LENGTH, openSmall, sealSmall } from './aead.ts';
import { label } from './labels.ts';
import type { CoveredKey } from './contexts.ts';

/** A secret of an event, under which the wrapped keys of its photos are encrypted once more: without it none of them opens. */
export function createEventSecret(): Bytes {
  return randomBytes(KEY_LENGTH);
}

export function coverKey(secret: Bytes, wrapped: Bytes, of: CoveredKey): Bytes {
  return sealSmall(coverOf(secret, of), wrapped, aadOf(of));
}

/** Throws Tampered. */
export function uncoverKey(secret: Bytes, covered: Bytes, of: CoveredKey): Bytes {
  return openSmall(coverOf(secret, of), covered, aadOf(of));
}

function coverOf(secret: Bytes, { eventId }: CoveredKey): Bytes {
  return derive(secret, Buffer.alloc(0), label('cover', eventId));
}

function aadOf({ eventId, photoId, holder }: CoveredKey): Bytes {
  return label('covered-key', eventId, photoId, holder);
}
