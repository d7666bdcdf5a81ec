import type { Compilable } from 'kysely';
import { GB, OPEN_UPLOAD_BYTES, OPEN_UPLOADS, UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import type { Db, Trx } from '../../database/open.ts';
import { inPieces, PIECE_ROWS } from '../../database/pieces.ts';
import type { UploadRow } from '../../database/schema.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';
import { partBlob } from '../../storage/blob-store.ts';

/** Parts of one upload; a sender that breaks off more often begins anew. */
const PARTS_MAX = 2000;
/** What the open uploads of an event may hold in all, where its own storage is not less. */
const EVENT_BYTES = 20 * GB;
/** Seconds until a sender may try again where an event's open uploads hold so much. */
const FULL_RETRY_S = 300;
/** Expired uploads that are removed at once. */
const PAGE_ROWS = 100;

export interface Part {
  n: number;
  /** Plain bytes. */
  size: number;
}

/** What all uploads that are not complete hold. */
export interface OpenUploads {
  uploads: number;
  parts: number;
  /** Plain bytes. */
  bytes: number;
  /** When the one that waits longest had its last byte, ms since 1970; null where none is open. */
  oldestAt: number | null;
}

/** Another sender has taken the upload over, or it is gone; nothing was written. */
export class Superseded extends Error {}

export interface ResumableStore {
  byKey(keyHash: Bytes): Promise<UploadRow | undefined>;
  /**
   * Adds an upload with the parts that it has already. False: its key is taken. Throws Refusal (too_many_uploads, event_inactive);
   * then nothing is written.
   */
  add(upload: UploadRow, wrapped: Bytes, parts: Part[]): Promise<boolean>;
  /** Takes an open upload over at this many received bytes: its new version; undefined where it has another number. */
  claim(id: string, received: number): Promise<number | undefined>;
  /**
   * Adds part `version` of a sender that holds this version; the new version. Throws Superseded; Refusal upload_expired where it has too
   * many parts, unavailable where the event's open uploads hold too much. Then nothing is written.
   */
  addPart(id: string, version: number, size: number, expiresAt: number): Promise<number>;
  parts(id: string): Promise<Part[]>;
  /** The key of the parts, wrapped for the device; undefined where the upload is finished or gone. */
  wrappedKey(id: string): Promise<Bytes | undefined>;
  /** Notes which photo an upload became, and deletes the key of its parts with their rows. */
  finish(id: string, photoId: string, expiresAt: number): Compilable[];
  /** Notes the photo of an upload that never broke. It takes the place of one with the same key. */
  note(upload: UploadRow): Compilable[];
  /** The blobs of that one's parts, by the rows that these statements returned. */
  replacedBy(eventId: string, rows: unknown[][]): string[];
  /** Deletes an upload with its key, with `expiredAt` only if it had expired by that instant; the blobs of its parts. */
  remove(id: string, expiredAt?: number): Promise<string[]>;
  open(): Promise<OpenUploads>;
  /** Some open ones that expired before an instant. */
  expired(now: number): Promise<{ id: string }[]>;
  /** Forgets which photos uploads became that expired before an instant. */
  forgetFinished(now: number): Promise<void>;
}

export function createResumableStore({ kysely, transaction }: Pick<Db, 'kysely' | 'transaction'>): ResumableStore {
  const partsOf = (trx: Trx | typeof kysely, id: string): Promise<Part[]> =>
    trx.selectFrom('upload_parts').select(['n', 'size']).where('upload_id', '=', id).orderBy('n').execute();

  return {
    byKey: (keyHash) => kysely.selectFrom('uploads').selectAll().where('key_hash', '=', keyHash).executeTakeFirst(),

    add: (upload, wrapped, parts) =>
      transaction(async (trx) => {
        // Writing the event's row makes it wait for a purge that is under way, and a purge for it.
        const event = await trx
          .updateTable('events')
          .set((row) => ({ used_bytes: row.ref('used_bytes') }))
          .where('id', '=', upload.event_id)
          .where('purging_at', 'is', null)
          .returning('id')
          .executeTakeFirst();
        if (!event) throw new Refusal('event_inactive');
        await refuseTooMany(trx, upload);
        const added = await trx
          .insertInto('uploads')
          .values(upload)
          .onConflict((conflict) => conflict.column('key_hash').doNothing())
          .returning('id')
          .executeTakeFirst();
        if (!added) return false;
        await trx.insertInto('upload_keys').values({ upload_id: upload.id, event_id: upload.event_id, wrapped }).execute();
        for (const part of parts)
          await trx
            .insertInto('upload_parts')
            .values({ upload_id: upload.id, ...part })
            .execute();
        return true;
      }),

    async claim(id, received) {
      const row = await kysely
        .updateTable('uploads')
        .set((of) => ({ version: of('version', '+', 1) }))
        .where('id', '=', id)
        .where('photo_id', 'is', null)
        .where('received', '=', received)
        .returning('version')
        .executeTakeFirst();
      return row?.version;
    },

    addPart: (id, version, size, expiresAt) =>
      transaction(async (trx) => {
        const row = await trx
          .updateTable('uploads')
          .set((of) => ({ version: of('version', '+', 1), received: of('received', '+', size), expires_at: expiresAt }))
          .where('id', '=', id)
          .where('version', '=', version)
          .where('photo_id', 'is', null)
          .returning(['version', 'event_id'])
          .executeTakeFirst();
        if (!row) throw new Superseded();
        const { parts, openBytes, most } = await trx
          .selectFrom('events')
          .select('storage_limit as most')
          .select((of) => [
            of
              .selectFrom('upload_parts')
              .select((part) => part.fn.countAll<number>().as('count'))
              .where('upload_id', '=', id)
              .as('parts'),
            of
              .selectFrom('uploads')
              .select((upload) => upload.fn.sum<number | null>('received').as('bytes'))
              .where('event_id', '=', row.event_id)
              .where('photo_id', 'is', null)
              .as('openBytes'),
          ])
          .where('id', '=', row.event_id)
          .executeTakeFirstOrThrow();
        if (Number(parts) >= PARTS_MAX) throw new Refusal('upload_expired');
        if (Number(openBytes) > Math.min(most ?? Infinity, EVENT_BYTES)) throw new Refusal('unavailable', { retryAfter: FULL_RETRY_S });
        await trx.insertInto('upload_parts').values({ upload_id: id, n: version, size }).execute();
        return row.version;
      }),

    parts: (id) => partsOf(kysely, id),

    async wrappedKey(id) {
      const row = await kysely.selectFrom('upload_keys').select('wrapped').where('upload_id', '=', id).executeTakeFirst();
      return row?.wrapped;
    },

    finish: (id, photoId, expiresAt) => [
      kysely.deleteFrom('upload_keys').where('upload_id', '=', id),
      kysely.deleteFrom('upload_parts').where('upload_id', '=', id),
      kysely.updateTable('uploads').set({ photo_id: photoId, description: null, expires_at: expiresAt }).where('id', '=', id),
    ],

    note(upload) {
      const ids = kysely.selectFrom('uploads').select('id').where('key_hash', '=', upload.key_hash);
      return [
        kysely
          .insertInto('uploads')
          .values(upload)
          .onConflict((conflict) =>
            conflict.column('key_hash').doUpdateSet((of) => ({
              photo_id: of.ref('excluded.photo_id'),
              description: null,
              length: of.ref('excluded.length'),
              received: of.ref('excluded.received'),
              expires_at: of.ref('excluded.expires_at'),
            })),
          ),
        kysely.deleteFrom('upload_keys').where('upload_id', 'in', ids),
        kysely.deleteFrom('upload_parts').where('upload_id', 'in', ids).returning(['upload_id', 'n']),
      ];
    },

    replacedBy: (eventId, rows) =>
      (rows.at(-1) as { upload_id: string; n: number }[]).map(({ upload_id, n }) => partBlob(eventId, upload_id, n)),

    remove: (id, expiredAt) =>
      transaction(async (trx) => {
        const parts = await partsOf(trx, id);
        const gone = await trx
          .deleteFrom('uploads')
          .where('id', '=', id)
          .$if(expiredAt !== undefined, (query) => query.where('expires_at', '<=', expiredAt as number))
          .returning('event_id')
          .executeTakeFirst();
        return gone ? parts.map(({ n }) => partBlob(gone.event_id, id, n)) : [];
      }),

    async open() {
      const row = await kysely
        .selectFrom('uploads')
        .where('photo_id', 'is', null)
        .select((of) => [
          of.fn.countAll<number>().as('uploads'),
          of.fn.sum<number | null>('received').as('bytes'),
          of.fn.min<number | null>('expires_at').as('first'),
          of
            .selectFrom('upload_parts')
            .select((part) => part.fn.countAll<number>().as('count'))
            .as('parts'),
        ])
        .executeTakeFirstOrThrow();
      return {
        uploads: Number(row.uploads),
        parts: Number(row.parts),
        bytes: Number(row.bytes ?? 0),
        oldestAt: row.first === null ? null : Number(row.first) - UPLOAD_KEPT,
      };
    },

    expired: (now) =>
      kysely
        .selectFrom('uploads')
        .select('id')
        .where('expires_at', '<=', now)
        .where('photo_id', 'is', null)
        .orderBy('expires_at')
        .limit(PAGE_ROWS)
        .execute(),

    async forgetFinished(now) {
      const finished = kysely.selectFrom('uploads').select('id').where('expires_at', '<=', now).where('photo_id', 'is not', null);
      const some = finished.orderBy('expires_at').limit(PIECE_ROWS);
      await inPieces(() => kysely.deleteFrom('uploads').where('id', 'in', some).executeTakeFirst());
    },
  };
}

/** What a device has open in an event is bounded. */
async function refuseTooMany(trx: Trx, { event_id, device_hash, length }: UploadRow): Promise<void> {
  const open = await trx
    .selectFrom('uploads')
    .select((of) => [of.fn.countAll<number>().as('count'), of.fn.sum<number | null>('length').as('bytes')])
    .where('event_id', '=', event_id)
    .where('device_hash', '=', device_hash)
    .where('photo_id', 'is', null)
    .executeTakeFirstOrThrow();
  if (Number(open.count) >= OPEN_UPLOADS || Number(open.bytes ?? 0) + length > OPEN_UPLOAD_BYTES) throw new Refusal('too_many_uploads');
}
