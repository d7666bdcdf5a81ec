import { serve } from '../../../lib/work.ts';
import { putBytes } from './database.ts';

/** The page's request: a hash, or a copy that outlives the page. */
export type Job =
  | { kind: 'hash'; file: Blob; deviceId: string; /** Null for a hash without a fingerprint. */ eventId: string | null }
  | { kind: 'copy'; file: Blob; id: string };

export type Done = { sha256: string; fingerprint: string | null } | { copied: true };

/** Reads chosen files off the page's thread, one after the other. */
serve(async (job: Job): Promise<Done> => {
  const bytes = await job.file.arrayBuffer();
  if (job.kind === 'copy') {
    await putBytes(job.id, bytes);
    return { copied: true };
  }
  // `crypto.subtle` exists in secure contexts only.
  const hash = await crypto.subtle.digest('SHA-256', bytes);
  return { sha256: base64(hash), fingerprint: job.eventId === null ? null : await fingerprint(hash, job.deviceId, job.eventId) };
});

/** Computes the server's fingerprint of a photo of this device in this event (docs/vault-format.md), base64url. */
async function fingerprint(hash: ArrayBuffer, deviceId: string, eventId: string): Promise<string> {
  const secret = await crypto.subtle.importKey('raw', new TextEncoder().encode(deviceId), 'HKDF', false, ['deriveKey']);
  const key = await crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: label('feierbild/v1/keyed-hash', `fingerprint:${eventId}`) },
    secret,
    { name: 'HMAC', hash: 'SHA-256', length: 256 },
    false,
    ['sign'],
  );
  const signed = base64(await crypto.subtle.sign('HMAC', key, hash));
  return signed.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Encodes parts like the server's labels: each after its length (2 bytes, big endian). */
function label(...parts: string[]): Uint8Array<ArrayBuffer> {
  const encoded = parts.map((part) => new TextEncoder().encode(part));
  return new Uint8Array(encoded.flatMap((part) => [part.length >> 8, part.length & 255, ...part]));
}

function base64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}
