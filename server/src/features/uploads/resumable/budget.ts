import { GB, OPEN_UPLOAD_BYTES, OPEN_UPLOADS, UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import { sql, type AggregateFunctionBuilder } from 'kysely';
import type { EventRow, UploadRow } from '../../../database/rows.ts';
import type { Database } from '../../../database/schema.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { createSingleFlight } from '../../../lib/concurrency/single-flight.ts';
import type { Context } from '../../context.ts';

/** Limits of an event: 600 phones with six uploads each, and the bytes of all open uploads. */
const EVENT_UPLOADS = 4000;
const EVENT_BYTES = 20 * GB;
/** Share of a network: all guests of a feast may be in one, yet a quarter is left for others. */
const NETWORK_SHARE = 3 / 4;
/** A device is on the line for FED_MS after its last bytes, if it has sent at least a FED_SHARE-th of the bytes that it announces. */
const FED_MS = 60_000;
const FED_SHARE = 64;
/** An upload with all its bytes counts as completing for so long after the last byte: it waits for a slot or a decoder. */
const COMPLETING_MS = 15 * 60_000;
/** Age at which a count of an event's uploads is read again: other nodes begin and end uploads, too. */
const COUNTED_MS = 2000;
/** If a network or event has too many uploads, a SPARE-th of the limit is freed at once, so that the next uploads find room. */
const SPARE = 64;
/** Uploads that are read to be ended at a time. */
const PAGE_ROWS = 64;

/** The columns of those who share a budget. */
const SCOPES = ['device_hash', 'network', 'event_id'] as const;
type Scope = (typeof SCOPES)[number];

/** Number and bytes of open uploads, each with its whole length. */
interface Usage {
  uploads: number;
  bytes: number;
}

/** Counts of an event's open uploads by network, and when they were read, ms. */
interface Counted {
  at: number;
  networks: Map<string, Usage>;
}

type Open = Pick<UploadRow, 'id' | 'network' | 'length'>;

const NOTHING: Usage = { uploads: 0, bytes: 0 };
const sumOf = (all: Iterable<Usage>): Usage =>
  [...all].reduce((sum, { uploads, bytes }) => ({ uploads: sum.uploads + uploads, bytes: sum.bytes + bytes }), NOTHING);
const nameOf = (network: Bytes): string => Buffer.from(network).toString('base64');

/**
 * The budgets of open uploads, by device, network and event. Each upload counts with its whole length. A new upload is never refused: if a
 * budget is full, other uploads end, first those that were fed longest ago and hold most (`firstToEnd`). So nobody holds what others need,
 * and no part is refused.
 */
export function createBudget(
  { db: { kysely }, clock }: Pick<Context, 'db' | 'clock'>,
  end: (uploads: Pick<Open, 'id'>[]) => Promise<void>,
) {
  const counts = new Map<string, Counted>();
  const counting = createSingleFlight<Counted>();

  /** Selects the uploads that count. An announced photo counts from its first byte on: announced photos have a limit of their own. */
  const ofEvent = (event_id: string) =>
    kysely
      .selectFrom('uploads')
      .where('photo_id', 'is', null)
      .where('event_id', '=', event_id)
      .where((of) => of.or([of('announced', '=', 0), of('received', '>', 0)]));

  async function usageOfDevice({ event_id, device_hash }: UploadRow): Promise<Usage> {
    const row = await ofEvent(event_id)
      .where('device_hash', '=', device_hash)
      .select(({ fn }) => [fn.countAll().as('uploads'), fn.sum('length').as('bytes')])
      .executeTakeFirstOrThrow();
    return { uploads: Number(row.uploads), bytes: Number(row.bytes) };
  }

  /**
   * Counts all open uploads of an event, at most once in COUNTED_MS or if there seem to be too many: with SQLite it blocks the event loop.
   */
  const count = (event_id: string): Promise<Counted> =>
    counting.run(event_id, async () => {
      const rows = await ofEvent(event_id)
        .select(({ fn }) => ['network', fn.countAll().as('uploads'), fn.sum('length').as('bytes')])
        .groupBy('network')
        .execute();
      const networks = rows.map((row) => [nameOf(row.network), { uploads: Number(row.uploads), bytes: Number(row.bytes) }] as const);
      const counted = { at: clock.now(), networks: new Map(networks) };
      counts.set(event_id, counted);
      for (const [id, { at }] of counts) if (!isFresh(at)) counts.delete(id);
      return counted;
    });

  const isFresh = (at: number): boolean => Math.abs(clock.now() - at) < COUNTED_MS;

  /** Adds an upload of this node to the counts, or subtracts it. */
  function note({ event_id }: Pick<UploadRow, 'event_id'>, { network, length }: Pick<Open, 'network' | 'length'>, sign: 1 | -1): void {
    const networks = counts.get(event_id)?.networks;
    networks?.set(nameOf(network), sumOf([networks.get(nameOf(network)) ?? NOTHING, { uploads: sign, bytes: sign * length }]));
  }

  /**
   * Returns the open uploads in the order in which they end. The network that holds most of the scarce resource comes first; in it uploads
   * without a byte, then those whose device owes more bytes and was silent longer. Uploads on the line come last; completing ones never
   * end.
   */
  function firstToEnd(upload: UploadRow, scope: Scope, short: keyof Usage): Promise<Open[]> {
    const now = clock.now();
    const per = <T>(by: 'network' | 'device_hash', held: AggregateFunctionBuilder<Database, 'uploads', T>) =>
      held.over((over) => over.partitionBy(by));
    const ranked = ofEvent(upload.event_id)
      .where(scope, '=', upload[scope])
      .where((of) => of.or([of('received', '<', of.ref('length')), of('expires_at', '<=', now - COMPLETING_MS + UPLOAD_KEPT)]))
      .select(['id', 'network', 'length', 'expires_at'])
      .select(({ fn }) => {
        const held = short === 'uploads' ? fn.countAll<number>() : fn.sum<number>('length');
        const unsent = short === 'uploads' ? fn.countAll<number>() : fn.sum<number>(sql`length - received`);
        return [
          per('network', held).as('of_network'),
          per('device_hash', unsent).as('of_device'),
          per('device_hash', fn.sum<number>('length')).as('announced_bytes'),
          per('device_hash', fn.sum<number>('received')).as('sent_bytes'),
        ];
      })
      .select(sql<number>`case when received > 0 then 1 else 0 end`.as('has_bytes'))
      .as('ranked');
    const isFed = sql`case when sent_bytes * ${FED_SHARE} >= announced_bytes and has_bytes = 1 and expires_at > ${now - FED_MS + UPLOAD_KEPT} then 1 else 0 end`;
    return (
      kysely
        .selectFrom(ranked)
        .select(['id', 'network', 'length'])
        .orderBy(isFed)
        .orderBy('of_network', 'desc')
        .orderBy('has_bytes')
        // Device ids cost nothing. In a flood a device has more uploads, or older ones, than a guest's device: these end first.
        .orderBy(sql`of_device * (${now + UPLOAD_KEPT} - expires_at)`, 'desc')
        .orderBy('expires_at')
        .limit(PAGE_ROWS)
        .execute()
    );
  }

  /** Ends uploads until `excess` is gone and a `spare` share of the limit is free. Returns their number; 0: all others are completing. */
  async function endFirst(upload: UploadRow, scope: Scope, excess: Usage, spare: Usage): Promise<number> {
    const short = excess.uploads > 0 ? 'uploads' : 'bytes';
    let left = excess[short] + spare[short];
    const ending: Open[] = [];
    for (const open of await firstToEnd(upload, scope, short)) {
      if (left <= 0) break;
      left -= short === 'uploads' ? 1 : open.length;
      ending.push(open);
    }
    if (ending.length > 0) await end(ending);
    for (const open of ending) note(upload, open, -1);
    return ending.length;
  }

  return {
    /** Ends uploads until a new one fits into its budgets. Returns how many it has ended. */
    async makeRoom(upload: UploadRow, { storage_limit }: Pick<EventRow, 'storage_limit'>): Promise<number> {
      const { event_id } = upload;
      const bytes = Math.min(EVENT_BYTES, Math.max(storage_limit ?? Infinity, OPEN_UPLOAD_BYTES));
      const limits: Record<Scope, Usage> = {
        device_hash: { uploads: OPEN_UPLOADS, bytes: OPEN_UPLOAD_BYTES },
        network: { uploads: EVENT_UPLOADS * NETWORK_SHARE, bytes: bytes * NETWORK_SHARE },
        event_id: { uploads: EVENT_UPLOADS, bytes },
      };
      const excessOf = (scope: Scope, { uploads, bytes: held }: Usage): Usage | null => {
        const excess = { uploads: uploads + 1 - limits[scope].uploads, bytes: held + upload.length - limits[scope].bytes };
        return excess.uploads > 0 || excess.bytes > 0 ? excess : null;
      };
      let ended = 0;
      for (let excess; (excess = excessOf('device_hash', await usageOfDevice(upload)));) {
        const gone = await endFirst(upload, 'device_hash', excess, NOTHING);
        if (gone === 0) break;
        ended += gone;
      }
      let counted = counts.get(event_id);
      let isNew = false;
      for (;;) {
        if (!counted || !isFresh(counted.at)) [counted, isNew] = [await count(event_id), true];
        const { networks } = counted;
        const ofNetwork = excessOf('network', networks.get(nameOf(upload.network)) ?? NOTHING);
        const excess = ofNetwork ?? excessOf('event_id', sumOf(networks.values()));
        if (!excess) break;
        // The count may be outdated.
        if (!isNew) {
          counted = undefined;
          continue;
        }
        const scope = ofNetwork ? 'network' : 'event_id';
        const { uploads, bytes: most } = limits[scope];
        const gone = await endFirst(upload, scope, excess, { uploads: uploads / SPARE, bytes: most / SPARE });
        if (gone === 0) break;
        ended += gone;
      }
      note(upload, upload, 1);
      return ended;
    },
  };
}
