import { STATE_RULES } from '@feierbild/contract/photo-states.ts';
import type { Kysely } from 'kysely';
import type { PhotoRow } from '../../database/rows.ts';
import type { Database } from '../../database/schema.ts';
import type { Bytes } from '../../lib/bytes.ts';

/** Bytes per photo in a ZIP's `members`. */
const MEMBER_BYTES = 8;
/**
 * Stands before the photos whose originals are damaged, and once more before those that are in ZIPs as previews only, and whose previews are.
 * No id ends like this: the first bits of these bytes are the UUID's variant.
 */
const DAMAGED = Buffer.alloc(MEMBER_BYTES);

/** Returns the random part of a photo's id. */
const memberOf = (photoId: string): Buffer => Buffer.from(photoId.replaceAll('-', '').slice(-2 * MEMBER_BYTES), 'hex');

/** Packs the ids of a ZIP's photos, and behind them of damaged ones: the ZIP has not more than their previews. */
export function membersOf(photoIds: Iterable<string>, damaged: Iterable<Pick<PhotoRow, 'id' | 'state'>>): Buffer {
  const lost = Map.groupBy(damaged, ({ state }) => STATE_RULES[state].handedOut);
  const idsOf = (handedOut: boolean): Buffer[] => (lost.get(handedOut) ?? []).map(({ id }) => memberOf(id));
  const [originals, previews] = [idsOf(true), idsOf(false)];
  const behind = previews.length === 0 ? originals : [...originals, DAMAGED, ...previews];
  return Buffer.concat([...Array.from(photoIds, memberOf), ...(behind.length === 0 ? [] : [DAMAGED, ...behind])]);
}

/** Returns how many originals and previews a finished ZIP has, without damaged photos; one of a release that noted no members counts no previews. */
export function zipContents({ photo_count, members }: { photo_count: number; members: Bytes | null }) {
  const damaged = members ? indexOf(members, DAMAGED) : -1;
  const bytes = damaged === -1 ? (members?.length ?? 0) : damaged;
  return { originals: photo_count, previews: members ? bytes / MEMBER_BYTES - photo_count : 0 };
}

/** Returns whether a ZIP with these members has the photo. */
export function zipHas(members: Bytes, photoId: string): boolean {
  return indexOf(members, memberOf(photoId)) !== -1;
}

/** The photos whose originals are damaged by a ZIP's members. A lost preview is none of them: the original may come yet, or is there. */
export interface Damaged {
  count: number;
  /** The members of a failed ZIP that knows these; null if there are none. */
  noted: Buffer | null;
  has(photoId: string): boolean;
  /** Returns the members of a ZIP that has failed because of one more original. */
  with(photoId: string): Buffer;
}

export function damagedIn(members: Bytes | null | undefined): Damaged {
  const at = members ? indexOf(members, DAMAGED) : -1;
  const lost = at === -1 ? Buffer.alloc(0) : Buffer.from((members as Bytes).subarray(at + MEMBER_BYTES));
  const previewsAt = indexOf(lost, DAMAGED);
  const originals = previewsAt === -1 ? lost : lost.subarray(0, previewsAt);
  return {
    count: originals.length / MEMBER_BYTES,
    noted: originals.length === 0 ? null : Buffer.concat([DAMAGED, originals]),
    has: (photoId) => zipHas(originals, photoId),
    with: (photoId) => Buffer.concat([DAMAGED, memberOf(photoId), originals]),
  };
}

/** Reads which of an event's originals its ZIP has found damaged. They may have their full length. */
export async function damagedOf(kysely: Kysely<Database>, eventId: string): Promise<Damaged> {
  const row = await kysely.selectFrom('archives').select('members').where('event_id', '=', eventId).executeTakeFirst();
  return damagedIn(row?.members);
}

function indexOf(members: Bytes, one: Buffer): number {
  const all = Buffer.from(members.buffer, members.byteOffset, members.byteLength);
  for (let at = all.indexOf(one); at !== -1; at = all.indexOf(one, at + 1)) if (at % MEMBER_BYTES === 0) return at;
  return -1;
}
