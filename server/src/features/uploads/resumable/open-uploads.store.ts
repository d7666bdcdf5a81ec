import { UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import { sql, type Compilable, type ExpressionBuilder } from 'kysely';
import type { Db } from '../../../database/open.ts';
import { inPieces, PIECE_ROWS } from '../../../database/pieces.ts';
import type { Database, UploadRow } from '../../../database/schema.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { partBlob } from '../../../storage/blob-store.ts';

/** Expired uploads that are removed at once. */
const PAGE_ROWS = 100;

export interface Part {
  n: number;
  /** Plain bytes. */
  size: number;
}

/** A part that takes its place in an upload, and the one before it that it contains. */
export interface NewPart extends Part {
  instead: Part | null;
}

/** Who shares a budget of open uploads. */
export type Scope = 'device' | 'network' | 'event';

/** What is open, in rows and in the bytes that they may come to. */
export interface Usage {
  uploads: number;
  bytes: number;
}

export type OpenUploadStore = ReturnType<typeof createOpenUploadStore>;

/** The SQL of uploads that are not complete, and of the note which photos they became. */
export function createOpenUploadStore({ kysely, transaction, batch }: Pick<Db, 'kysely' | 'transaction' | 'batch'>) {
  const open = kysely.selectFrom('uploads').where('photo_id', 'is', null);
  const partsOf = (of: Pick<Db['kysely'], 'selectFrom'>, id: string): Promise<Part[]> =>
    of.selectFrom('upload_parts').select(['n', 'size']).where('upload_id', '=', id).orderBy('n').execute();

  return {
    byKey: (keyHash: Bytes): Promise<UploadRow | undefined> =>
      kysely.selectFrom('uploads').selectAll().where('key_hash', '=', keyHash).executeTakeFirst(),

    /** What is open in an event: of a device, of its network, and in all. */
    async usage({
      event_id,
      network,
      device_hash,
    }: Pick<UploadRow, 'event_id' | 'network' | 'device_hash'>): Promise<Record<Scope, Usage>> {
      const row = await open
        .where('event_id', '=', event_id)
        .select(({ fn }) => [
          fn.countAll().as('uploads'),
          fn.sum('length').as('bytes'),
          fn.countAll().filterWhere('network', '=', network).as('networkUploads'),
          fn.sum('length').filterWhere('network', '=', network).as('networkBytes'),
          fn.countAll().filterWhere('device_hash', '=', device_hash).as('deviceUploads'),
          fn.sum('length').filterWhere('device_hash', '=', device_hash).as('deviceBytes'),
        ])
        .executeTakeFirstOrThrow();
      return {
        event: { uploads: Number(row.uploads), bytes: Number(row.bytes) },
        network: { uploads: Number(row.networkUploads), bytes: Number(row.networkBytes) },
        device: { uploads: Number(row.deviceUploads), bytes: Number(row.deviceBytes) },
      };
    },

    /**
     * Which open uploads are to end first: of the network that holds most of what is short those without a byte, by what their device
     * holds and for how long; then of its device that holds most the one that was fed longest ago. Those fed since `fedSince` come last,
     * and those that are whole and were fed since `wholeSince` not at all.
     */
    firstToEnd(
      { event_id, network, device_hash }: Pick<UploadRow, 'event_id' | 'network' | 'device_hash'>,
      scope: Scope,
      { short, now, fedSince, wholeSince, limit }: { short: keyof Usage; now: number; fedSince: number; wholeSince: number; limit: number },
    ): Promise<Pick<UploadRow, 'id' | 'length'>[]> {
      const held = (by: 'network' | 'device_hash') => (of: ExpressionBuilder<Database, 'uploads'>) =>
        (short === 'uploads' ? of.fn.countAll<number>() : of.fn.sum<number>('length')).over((over) => over.partitionBy(by));
      const ranked = open
        .where('event_id', '=', event_id)
        .$if(scope === 'network', (query) => query.where('network', '=', network))
        .$if(scope === 'device', (query) => query.where('device_hash', '=', device_hash))
        .where((of) => of.or([of('received', '<', of.ref('length')), of('expires_at', '<=', wholeSince + UPLOAD_KEPT)]))
        .select(['id', 'length', 'expires_at'])
        .select((of) => [held('network')(of).as('of_network'), held('device_hash')(of).as('of_device')])
        .select(sql<number>`case when received > 0 then 1 else 0 end`.as('has_bytes'))
        .select(sql<number>`case when received > 0 and expires_at > ${fedSince + UPLOAD_KEPT} then 1 else 0 end`.as('is_fed'))
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
          .limit(limit)
          .execute()
      );
    },

    /** Adds an upload. False: its key is taken, or its event is being purged. */
    async add(upload: UploadRow, wrapped: Bytes): Promise<boolean> {
      const values = Object.values(upload).map((value, n) => sql.val(value as unknown).as(`value${n}`));
      const { id, event_id } = upload;
      const rows = await batch([
        kysely
          .insertInto('uploads')
          .columns(Object.keys(upload) as (keyof UploadRow)[])
          .expression(kysely.selectFrom('events').where('events.id', '=', event_id).where('purging_at', 'is', null).select(values) as never)
          .onConflict((conflict) => conflict.column('key_hash').doNothing()),
        kysely
          .insertInto('upload_keys')
          .columns(['upload_id', 'event_id', 'wrapped'])
          .expression(
            kysely
              .selectFrom('uploads')
              .where('id', '=', id)
              .select(['id', 'event_id', sql.val(wrapped).as('wrapped')]),
          )
          .returning('upload_id'),
      ]);
      return rows.at(-1)?.length === 1;
    },

    /** Takes an open upload over at this many received bytes: its new version; undefined where it has another number. */
    async claim(id: string, received: number, expiresAt: number): Promise<number | undefined> {
      const row = await kysely
        .updateTable('uploads')
        .set((of) => ({ version: of('version', '+', 1), expires_at: expiresAt }))
        .where('id', '=', id)
        .where('photo_id', 'is', null)
        .where('received', '=', received)
        .returning('version')
        .executeTakeFirst();
      return row?.version;
    },

    /** Adds part `n` of a sender that holds this version; the new version. Undefined, and nothing is written, where another sender has taken it over, or it is gone. */
    addPart: (id: string, { n, size, instead }: NewPart, expiresAt: number): Promise<number | undefined> =>
      transaction(async (trx) => {
        const grown = size - (instead?.size ?? 0);
        const row = await trx
          .updateTable('uploads')
          .set((of) => ({ version: of('version', '+', 1), received: of('received', '+', grown), expires_at: expiresAt }))
          .where('id', '=', id)
          .where('version', '=', n)
          .where('photo_id', 'is', null)
          .returning('version')
          .executeTakeFirst();
        if (!row) return undefined;
        if (instead) await trx.deleteFrom('upload_parts').where('upload_id', '=', id).where('n', '=', instead.n).execute();
        await trx.insertInto('upload_parts').values({ upload_id: id, n, size }).execute();
        return row.version;
      }),

    parts: (id: string): Promise<Part[]> => partsOf(kysely, id),

    /** The key of the parts, wrapped for the device; undefined where the upload is finished or gone. */
    async wrappedKey(id: string): Promise<Bytes | undefined> {
      const row = await kysely.selectFrom('upload_keys').select('wrapped').where('upload_id', '=', id).executeTakeFirst();
      return row?.wrapped;
    },

    /** Notes which photo an upload became, and deletes the key of its parts with their rows; nothing where there is no such photo. */
    finish(id: string, photoId: string, expiresAt: number): Compilable[] {
      const photo = kysely.selectFrom('photos').select('photos.id').where('photos.id', '=', photoId);
      return [
        kysely
          .deleteFrom('upload_keys')
          .where('upload_id', '=', id)
          .where((of) => of.exists(photo)),
        kysely
          .deleteFrom('upload_parts')
          .where('upload_id', '=', id)
          .where((of) => of.exists(photo)),
        kysely
          .updateTable('uploads')
          .set({ photo_id: photoId, description: null, expires_at: expiresAt })
          .where('id', '=', id)
          .where((of) => of.exists(photo))
          .returning('id'),
      ];
    },

    /** Deletes an upload with its key, with `expiredAt` only if it had expired by that instant; the blobs of its parts. */
    remove: (id: string, expiredAt?: number): Promise<string[]> =>
      transaction(async (trx) => {
        // A sender that adds a part at the same time was first, or is too late.
        const gone = await trx
          .updateTable('uploads')
          .set((of) => ({ version: of('version', '+', 1) }))
          .where('id', '=', id)
          .$if(expiredAt !== undefined, (query) => query.where('expires_at', '<=', expiredAt as number))
          .returning('event_id')
          .executeTakeFirst();
        if (!gone) return [];
        const parts = await partsOf(trx, id);
        await trx.deleteFrom('uploads').where('id', '=', id).execute();
        return parts.map(({ n }) => partBlob(gone.event_id, id, n));
      }),

    /** Those of an event, or of all; fed longest ago first. */
    list: (eventId?: string) =>
      open
        .innerJoin('events', 'events.id', 'uploads.event_id')
        .select(['uploads.id', 'events.code', 'device_hash', 'length', 'received', 'expires_at'])
        .select((of) => [
          of
            .selectFrom('upload_parts')
            .whereRef('upload_parts.upload_id', '=', 'uploads.id')
            .select((part) => part.fn.countAll<number>().as('count'))
            .as('parts'),
        ])
        .$if(eventId !== undefined, (query) => query.where('event_id', '=', eventId as string))
        .orderBy('events.code')
        .orderBy('expires_at')
        .execute(),

    /** Some open ones that expired before an instant. */
    expired: (now: number): Promise<{ id: string }[]> =>
      open.select('id').where('expires_at', '<=', now).orderBy('expires_at').limit(PAGE_ROWS).execute(),

    /** Forgets which photos uploads became that expired before an instant. */
    async forgetFinished(now: number): Promise<void> {
      const finished = kysely.selectFrom('uploads').select('id').where('expires_at', '<=', now).where('photo_id', 'is not', null);
      const some = finished.orderBy('expires_at').limit(PIECE_ROWS);
      await inPieces(() => kysely.deleteFrom('uploads').where('id', 'in', some).executeTakeFirst());
    },
  };
}
