import type { Bytes } from '../lib/bytes.ts';
import type { KeyOwner, PhotoContext } from './contexts.ts';

/**
 * Joins a label and its fields so that no two lists give the same bytes: each part is preceded by its length (2 bytes, big endian). Text is
 * UTF-8. Bytes derived or authenticated for one purpose never fit another.
 */
export function label(purpose: string, ...fields: (string | Bytes)[]): Buffer {
  const parts = [`feierbild/v1/${purpose}`, ...fields].map((part) => Buffer.from(part as string));
  return Buffer.concat(
    parts.flatMap((part) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(part.length);
      return [length, part];
    }),
  );
}

export function photoLabel(purpose: string, { eventId, photoId }: PhotoContext): Buffer {
  return label(purpose, eventId, photoId);
}

/** Makes the label to which a wrapped private key is bound, so that no row can be used in place of another. */
export function ownerLabel({ kind, owner, subject }: KeyOwner, publicKey: Bytes): Buffer {
  return label('private-key', kind, owner, subject, publicKey);
}
