/** Needs a secure context: `crypto.subtle`. */

export async function sha256(file: ArrayBuffer): Promise<{ bytes: ArrayBuffer; base64: string }> {
  const bytes = await crypto.subtle.digest('SHA-256', file);
  return { bytes, base64: base64(bytes) };
}

/** The server's fingerprint of a photo of this device in this event (docs/vault-format.md), base64url. */
export async function fingerprint(hash: ArrayBuffer, deviceId: string, eventId: string): Promise<string> {
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

/** Each part after its length (2 bytes, big endian), as the server's labels are. */
function label(...parts: string[]): Uint8Array<ArrayBuffer> {
  const encoded = parts.map((part) => new TextEncoder().encode(part));
  return new Uint8Array(encoded.flatMap((part) => [part.length >> 8, part.length & 255, ...part]));
}

function base64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}
