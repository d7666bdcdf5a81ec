import type { Bytes } from '../../lib/bytes.ts';
import type { Vault } from '../../vault/vault.ts';
import type { ZipEntry } from './zip-layout.ts';

/** The list of a ZIP: its entries, each with the photo that it contains. All sizes are known, so every byte's place can be computed. */
export interface ManifestEntry extends ZipEntry {
  photoId: string;
}

type Packed = [photoId: string, name: string, size: number, crc32: number, dos: number, seconds: number];

export function packManifest(entries: readonly ManifestEntry[]): Bytes {
  const packed = entries.map(({ photoId, name, size, crc32, time }): Packed => [photoId, name, size, crc32, time.dos, time.seconds]);
  return Buffer.from(JSON.stringify(packed));
}

/** The same list gives the same ETag, so that an interrupted download can be resumed after the ZIP was made again. */
export function etagOf(manifest: Bytes, eventKey: Bytes, vault: Pick<Vault, 'keyedHash'>): string {
  return Buffer.from(vault.keyedHash(Buffer.from(eventKey).toString('base64url'), 'archive-etag', manifest)).toString('base64url');
}

/** Reads what `packManifest` wrote. The bytes need no further check: the vault has authenticated them. */
export function unpackManifest(bytes: Bytes): ManifestEntry[] {
  const packed = JSON.parse(Buffer.from(bytes).toString()) as Packed[];
  return packed.map(([photoId, name, size, crc32, dos, seconds]) => ({ photoId, name, size, crc32, time: { dos, seconds } }));
}
