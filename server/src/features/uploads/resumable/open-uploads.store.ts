import { statesWith } from '@feierbild/contract/photo-states.ts';
import { sql, type Compilable } from 'kysely';
import { insertWhere } from '../../../database/insert-where.ts';
import type { Db } from '../../../database/open.ts';
import { inPieces, PIECE_ROWS } from '../../../database/pieces.ts';
import type { UploadRow } from '../../../database/rows.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { partBlob } from '../../../storage/blob-store.ts';

/** Expired uploads that are removed at a time. */
const PAGE_ROWS = 100;

export interface Part {
  n: number;
  /** Plain bytes. */
  size: number;
}

/** A part to be added; it contains the bytes of the part `instead`, which it replaces. */
export interface NewPart extends Part {
  instead: Part | null;
}

export type OpenUploadStore = ReturnType<typeof createOpenUploadStore>;

/** The SQL of incomplete uploads, and of the notes which photos uploads became. */
export function createOpenUploadStore({ kysely, transaction, batch }: Pick<Db, 'kysely' | 'transaction' | 'batch'>) {
  // An upload without a description is over.
  const open = kysely.selectFrom('uploads').where('photo_id', 'is', null).where('description', 'is not', null);

  /** Raises an open upload's version, so that senders with an older version cannot go on. */
  const raise = (of: Pick<Db['kysely'], 'updateTable'>, id: string, expires_at: number) =>
    of
      .updateTable('uploads')
      .set((row) => ({ version: row('version', '+', 1), expires_at }))
      .where('id', '=', id)
      .where('photo_id', 'is', null)
      .returning('version');

  return {
    byKey: (keyHash: Bytes): Promise<UploadRow | undefined> =>
      kysely.selectFrom('uploads').selectAll().where('key_hash', '=', keyHash).executeTakeFirst(),

    /**
     * Finds the photo that an upload's preview still shows, even after the upload has ended. SQLite keeps the order of a cross join: it looks
     * the fingerprint up in each event's index. In another order it reads all photos.
     */
    shownBy: (keyHash: Bytes): Promise<{ id: string } | undefined> =>
      kysely
        .selectFrom('events')
        .crossJoin('photos')
        .select('photos.id')
        .where('events.purging_at', 'is', null)
        .whereRef('photos.event_id', '=', 'events.id')
        .where('photos.fingerprint', '=', keyHash)
        .where('photos.state', 'in', statesWith('original', false))
        .executeTakeFirst(),

    /** Adds an upload and returns its row; undefined if its key is taken, or its event is being purged. */
    async add(upload: UploadRow, wrapped: Bytes): Promise<UploadRow | undefined> {
      const { id, event_id } = upload;
      const event = kysely.selectFrom('events').where('events.id', '=', event_id).where('purging_at', 'is', null);
      const added = kysely.selectFrom('uploads').where('id', '=', id);
      // An earlier upload with this key may have shown a preview before it ended.
      const shown = kysely
        .selectFrom('photos')
        .select((of) => of.fn.countAll<number>().as('photos'))
        .where('photos.id', '=', id)
        .where('state', 'in', statesWith('original', false));
      const rows = await batch([
        insertWhere(kysely, 'uploads', { ...upload, announced: sql`(${shown})` }, event)
          .onConflict((conflict) => conflict.doNothing())
          .returningAll(),
        insertWhere(kysely, 'upload_keys', { upload_id: id, event_id, wrapped }, added).onConflict((conflict) => conflict.doNothing()),
      ]);
      return rows[0]?.[0] as UploadRow | undefined;
    },

    /** Takes an open upload over if it has this many received bytes. Returns its new version; undefined if it has another number. */
    async claim(id: string, received: number, expiresAt: number): Promise<number | undefined> {
      return (await raise(kysely, id, expiresAt).where('received', '=', received).executeTakeFirst())?.version;
    },

    /**
     * Adds part `n` of the sender with this version, and returns the new version. Writes nothing and returns undefined if another sender
     * has taken the upload over, or it is gone.
     */
    addPart: (id: string, { n, size, instead }: NewPart, expiresAt: number): Promise<number | undefined> =>
      transaction(async (trx) => {
        const grown = size - (instead?.size ?? 0);
        const row = await raise(trx, id, expiresAt)
          .set((of) => ({ received: of('received', '+', grown) }))
          .where('version', '=', n)
          .executeTakeFirst();
        if (!row) return undefined;
        if (instead) await trx.deleteFrom('upload_parts').where('upload_id', '=', id).where('n', '=', instead.n).execute();
        await trx.insertInto('upload_parts').values({ upload_id: id, n, size }).execute();
        return row.version;
      }),

    parts: (id: string): Promise<Part[]> =>
      kysely.selectFrom('upload_parts').select(['n', 'size']).where('upload_id', '=', id).orderBy('n').execute(),

    /** Reads the key of the parts, wrapped for the device; undefined if the upload is finished or gone. */
    async wrappedKey(id: string): Promise<Bytes | undefined> {
      const row = await kysely.selectFrom('upload_keys').select('wrapped').where('upload_id', '=', id).executeTakeFirst();
      return row?.wrapped;
    },

    /** Notes which photo an upload became, and deletes the key of its parts with their rows; does nothing if the photo does not exist. */
    finish(id: string, photoId: string, expiresAt: number): Compilable[] {
      // A photo that is only announced does not count.
      const photo = kysely
        .selectFrom('photos')
        .select('photos.id')
        .where('photos.id', '=', photoId)
        .where('state', 'in', statesWith('original'));
      const deletion = (table: 'upload_keys' | 'upload_parts') =>
        kysely
          .deleteFrom(table)
          .where('upload_id', '=', id)
          .where((of) => of.exists(photo));
      return [
        deletion('upload_keys'),
        deletion('upload_parts'),
        kysely
          .updateTable('uploads')
          .set((of) => ({ photo_id: photoId, received: of.ref('length'), description: null, expires_at: expiresAt }))
          .where('id', '=', id)
          .where((of) => of.exists(photo))
          .returning('id'),
      ];
    },

    /** Deletes uploads with their keys, with `expiredAt` only those that had expired by then. Returns the blobs of their parts. */
    remove: (ids: readonly string[], expiredAt?: number): Promise<string[]> =>
      transaction(async (trx) => {
        // Raising the version decides a race: a sender that adds a part now was first, or is too late.
        const gone = await trx
          .updateTable('uploads')
          .set((of) => ({ version: of('version', '+', 1) }))
          .where('id', 'in', ids)
          .$if(expiredAt !== undefined, (query) => query.where('expires_at', '<=', expiredAt as number))
          .returning(['id', 'event_id'])
          .execute();
        if (gone.length === 0) return [];
        const eventOf = new Map(gone.map(({ id, event_id }) => [id, event_id]));
        const removed = [...eventOf.keys()];
        const lost = await trx.selectFrom('upload_parts').select(['upload_id', 'n']).where('upload_id', 'in', removed).execute();
        await trx.deleteFrom('uploads').where('id', 'in', removed).execute();
        return lost.map(({ upload_id, n }) => partBlob(eventOf.get(upload_id) as string, upload_id, n));
      }),

    /** Lists open uploads of a device in an event, of an event, or of all; those fed longest ago first. */
    list: (eventId?: string, deviceHash?: Bytes) =>
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
        .$if(deviceHash !== undefined, (query) => query.where('device_hash', '=', deviceHash as Bytes))
        .orderBy('events.code')
        .orderBy('expires_at')
        .execute(),

    /** Reads some open uploads that expired before an instant. */
    expired: (now: number): Promise<{ id: string }[]> =>
      open.select('id').where('expires_at', '<=', now).orderBy('expires_at').limit(PAGE_ROWS).execute(),

    /** Deletes the notes about finished uploads that expired before an instant. */
    async forgetFinished(now: number): Promise<void> {
      const finished = kysely.selectFrom('uploads').select('id').where('expires_at', '<=', now).where('photo_id', 'is not', null);
      const some = finished.orderBy('expires_at').limit(PIECE_ROWS);
      await inPieces(() => kysely.deleteFrom('uploads').where('id', 'in', some).executeTakeFirst());
    },
  };
}
