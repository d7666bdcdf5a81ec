import type { Bytes } from '../lib/bytes.ts';

/**
 * Joins a label and its fields so that no two lists give the same bytes: each part is preceded by its length
 * (2 bytes, big endian). Text is UTF-8. What is derived or authenticated for one purpose never fits another.
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
