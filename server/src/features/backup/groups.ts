import { photoOf } from '../../storage/blob-store.ts';
import type { Copied } from './copy.ts';
import type { BlobLine } from './format.ts';

/** Items in groups of `size`; the last may be smaller. */
export async function* inGroups<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let group: T[] = [];
  for await (const item of items) {
    if (group.push(item) < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** Reads an earlier list of blobs in parallel to the photos of a new snapshot; both are ordered by the photos' ids. */
export function createLookAhead(lines: AsyncGenerator<BlobLine> | null) {
  let next: BlobLine | undefined;
  return {
    /** The blobs of the next photos, up to and including this id. */
    async upTo(photoId: string): Promise<Map<string, Copied>> {
      const found = new Map<string, Copied>();
      while (lines) {
        next ??= (await lines.next()).value as BlobLine | undefined;
        if (!next || photoOf(next.key) > photoId) return found;
        const { key, ...copied } = next;
        found.set(key, copied);
        next = undefined;
      }
      return found;
    },
  };
}
