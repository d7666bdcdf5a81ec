import type { ByteRange } from '../../http/byte-answer.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { photoBlob, BlobMissing, type BlobStore } from '../../storage/blob-store.ts';
import type { Vault } from '../../vault/vault.ts';
import type { ArchiveStore } from './archive.store.ts';
import type { ManifestEntry } from './manifest.ts';
import type { ZipLayout } from './zip-layout.ts';

/** Sealed keys fetched at once. */
const KEYS = 100;

interface Parts {
  store: Pick<ArchiveStore, 'sealedKeys'>;
  blobs: BlobStore;
  vault: Vault;
}

/**
 * Streams a ZIP from headers and decrypted photos, with one segment in memory and one open file at a time. Throws BlobMissing if
 * a photo was deleted, Tampered if its bytes were changed.
 */
export async function* streamZip(
  { store, blobs, vault }: Parts,
  zip: { eventId: string; entries: readonly ManifestEntry[]; layout: ZipLayout; eventKey: Bytes },
  range: ByteRange,
): AsyncGenerator<Bytes> {
  const { eventId, entries, eventKey } = zip;
  const keyOf = createKeys(store, entries);
  for (const piece of zip.layout.pieces(range.start, range.end)) {
    if ('bytes' in piece) {
      yield piece.bytes;
      continue;
    }
    const { photoId, size } = entries[piece.entry] as ManifestEntry;
    const blob = photoBlob(eventId, photoId, 'original');
    const sealed = await keyOf(piece.entry);
    if (!sealed) throw new BlobMissing(blob);
    using key = vault.openPhotoKey(eventKey, sealed, { eventId, photoId });
    yield* vault.openBlob(key, { eventId, photoId, variant: 'original' }, size, (part) => blobs.read(blob, part), piece);
  }
}

/** Sealed keys by entry, read ahead in groups. */
function createKeys(store: Parts['store'], entries: readonly ManifestEntry[]): (entry: number) => Promise<Bytes | undefined> {
  let [first, end] = [0, 0];
  let keys = new Map<string, Bytes>();
  return async (entry) => {
    if (entry < first || entry >= end) {
      [first, end] = [entry, entry + KEYS];
      keys = await store.sealedKeys(entries.slice(first, end).map(({ photoId }) => photoId));
    }
    return keys.get((entries[entry] as ManifestEntry).photoId);
  };
}
