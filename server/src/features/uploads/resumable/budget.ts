import { GB, OPEN_UPLOAD_BYTES, OPEN_UPLOADS, UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import { sql, type ExpressionBuilder } from 'kysely';
import type { Database, EventRow, UploadRow } from '../../../database/schema.ts';
import type { Ground } from '../../ground.ts';

/** Of an event: a feast of 600 phones, each of which sends six at once; and what these may come to. */
const EVENT_UPLOADS = 4000;
const EVENT_BYTES = 20 * GB;
/** All guests of a feast may share one network; a quarter is left to others all the same. */
const NETWORK_SHARE = 3 / 4;
/** Who was fed so recently is on the line, ms. */
const FED_MS = 60_000;
/** A whole upload that was fed so recently is becoming a photo, or waits for a slot and a decoder, ms. */
const COMPLETING_MS = 15 * 60_000;
/** Looked at at a time. */
const PAGE_ROWS = 64;

/** Who shares a budget, by the column that names it. */
const SCOPES = ['device_hash', 'network', 'event_id'] as const;
type Scope = (typeof SCOPES)[number];

/** What is open, in rows and in the bytes that they may come to. */
interface Usage {
  uploads: number;
  bytes: number;
}

/**
 * What open uploads may hold by device, network and event, as if each came to its whole length. A newcomer is never refused: where a budget
 * is full, those end that were fed longest ago (`firstToEnd`). So nobody can hold what others need, and no part that comes is refused.
 */
export function createBudget({ db: { kysely }, clock }: Pick<Ground, 'db' | 'clock'>, end: (upload: { id: string }) => Promise<void>) {
  /** What is announced counts from its first byte on: its photos have a limit of their own. */
  const ofEvent = (event_id: string) =>
    kysely
      .selectFrom('uploads')
      .where('photo_id', 'is', null)
      .where('event_id', '=', event_id)
      .where((of) => of.or([of('announced', '=', 0), of('received', '>', 0)]));

  /** By how much a new upload would be too much, by scope. */
  async function excesses(upload: UploadRow, limits: Record<Scope, Usage>): Promise<({ scope: Scope } & Usage)[]> {
    const row: Record<string, unknown> = await ofEvent(upload.event_id)
      .select(({ fn }) =>
        SCOPES.flatMap((scope) => [
          fn.countAll().filterWhere(scope, '=', upload[scope]).as(`${scope} uploads`),
          fn.sum('length').filterWhere(scope, '=', upload[scope]).as(`${scope} bytes`),
        ]),
      )
      .executeTakeFirstOrThrow();
    return SCOPES.map((scope) => ({
      scope,
      uploads: Number(row[`${scope} uploads`]) + 1 - limits[scope].uploads,
      bytes: Number(row[`${scope} bytes`]) + upload.length - limits[scope].bytes,
    }));
  }

  /**
   * Which open uploads are to end first: of the network that holds most of what is short those without a byte, by what their device
   * holds and for how long; then of its device that holds most the one that was fed longest ago. Those fed a moment ago come last, and
   * those that are completing not at all.
   */
  function firstToEnd(upload: UploadRow, scope: Scope, short: keyof Usage): Promise<Pick<UploadRow, 'id' | 'length'>[]> {
    const now = clock.now();
    const held = (by: 'network' | 'device_hash') => (of: ExpressionBuilder<Database, 'uploads'>) =>
      (short === 'uploads' ? of.fn.countAll<number>() : of.fn.sum<number>('length')).over((over) => over.partitionBy(by));
    const ranked = ofEvent(upload.event_id)
      .where(scope, '=', upload[scope])
      .where((of) => of.or([of('received', '<', of.ref('length')), of('expires_at', '<=', now - COMPLETING_MS + UPLOAD_KEPT)]))
      .select(['id', 'length', 'expires_at'])
      .select((of) => [held('network')(of).as('of_network'), held('device_hash')(of).as('of_device')])
      .select(sql<number>`case when received > 0 then 1 else 0 end`.as('has_bytes'))
      .select(sql<number>`case when received > 0 and expires_at > ${now - FED_MS + UPLOAD_KEPT} then 1 else 0 end`.as('is_fed'))
      .as('ranked');
    return (
      kysely
        .selectFrom(ranked)
        .select(['id', 'length'])
        .orderBy('is_fed')
        .orderBy('of_network', 'desc')
        .orderBy('has_bytes')
        // Devices are made up for nothing: of a flood, be it of many small ones or of large ones begun anew, there is more for longer.
        .orderBy(sql`case when has_bytes = 1 then of_device else of_device * (${now + UPLOAD_KEPT} - expires_at) end`, 'desc')
        .orderBy('expires_at')
        .limit(PAGE_ROWS)
        .execute()
    );
  }

  return {
    /** Ends what is in the way of a new upload. Returns how many that were. */
    async makeRoom(upload: UploadRow, { storage_limit }: Pick<EventRow, 'storage_limit'>): Promise<number> {
      const bytes = Math.min(EVENT_BYTES, Math.max(storage_limit ?? Infinity, OPEN_UPLOAD_BYTES));
      const limits: Record<Scope, Usage> = {
        device_hash: { uploads: OPEN_UPLOADS, bytes: OPEN_UPLOAD_BYTES },
        network: { uploads: EVENT_UPLOADS * NETWORK_SHARE, bytes: bytes * NETWORK_SHARE },
        event_id: { uploads: EVENT_UPLOADS, bytes },
      };
      for (let ended = 0; ;) {
        const excess = (await excesses(upload, limits)).find((over) => over.uploads > 0 || over.bytes > 0);
        if (!excess) return ended;
        const short = excess.uploads > 0 ? 'uploads' : 'bytes';
        const first = await firstToEnd(upload, excess.scope, short);
        // All others are completing.
        if (first.length === 0) return ended;
        for (const { id, length } of first) {
          if (excess[short] <= 0) break;
          await end({ id });
          excess.uploads -= 1;
          excess.bytes -= length;
          ended += 1;
        }
      }
    },
  };
}
