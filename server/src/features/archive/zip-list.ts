import type { Bytes } from '../../lib/bytes.ts';
import type { Vault } from '../../vault/vault.ts';
import { layoutZip, type ZipEntry, type ZipLayout } from './zip-layout.ts';

/** An entry of a ZIP's list, with the photo that it contains. All sizes are known, so every byte's place can be computed. */
export interface ManifestEntry extends ZipEntry {
  photoId: string;
  /** The blob with the entry's bytes, `version.variant`; absent for an original without a version. */
  blob?: string;
  /** The entry's own bytes: it is of no photo, and `photoId` is empty. */
  text?: string;
}

type Packed = [
  photoId: string,
  name: string,
  size: number,
  crc32: number,
  dos: number,
  seconds: number,
  blob?: string | null,
  text?: string,
];

/** An opened list, and where its ZIP has each byte. */
interface OpenedList {
  entries: readonly ManifestEntry[];
  layout: ZipLayout;
}

/** Packs a list; the same one gives the same bytes. */
export function packList(entries: readonly ManifestEntry[]): Buffer {
  const packed = entries.map(({ photoId, name, size, crc32, time, blob, text }): Packed => {
    const entry = [photoId, name, size, crc32, time.dos, time.seconds] as const;
    if (text !== undefined) return [...entry, null, text];
    return blob ? [...entry, blob] : [...entry];
  });
  return Buffer.from(JSON.stringify(packed));
}

/** A list as it is stored: sealed to its event, with `info` as context. */
export interface SealedList {
  manifest: Bytes;
  info: string;
  /** Strong validator of its ZIP, without quotes: a keyed hash of the list. */
  etag: string;
}

/**
 * Creates a function that opens lists. One that somebody reads is opened once: that takes a third of a second for 50,000 photos, and
 * programs ask for many parts of a ZIP at the same time.
 */
export function createListOpener(vault: Pick<Vault, 'open'>) {
  const lists = new Map<string, WeakRef<OpenedList>>();
  const unread = new FinalizationRegistry<string>((name) => {
    if (!lists.get(name)?.deref()) lists.delete(name);
  });

  return ({ manifest, info, etag }: SealedList, eventKey: Bytes): OpenedList => {
    const name = `${info}/${etag}`;
    const known = lists.get(name)?.deref();
    if (known) return known;
    // The bytes need no further check: the vault has authenticated them.
    const packed = JSON.parse(Buffer.from(vault.open(eventKey, manifest, info)).toString()) as Packed[];
    const entries = packed.map(([photoId, name, size, crc32, dos, seconds, blob, text]): ManifestEntry => ({
      photoId,
      name,
      size,
      crc32,
      time: { dos, seconds },
      ...(blob && { blob }),
      ...(text !== undefined && { text }),
    }));
    const list = { entries, layout: layoutZip(entries) };
    lists.set(name, new WeakRef(list));
    unread.register(list, name);
    return list;
  };
}
