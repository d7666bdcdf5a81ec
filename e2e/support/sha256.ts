import { createHash } from 'node:crypto';

/** Computes SHA-256, as hex. */
export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
