import { STATE_RULES } from '@feierbild/contract/photo-states.ts';
import { sql, type Kysely } from 'kysely';
import { isSchemaNote } from '../../database/migrate.ts';
import type { Db, Trx } from '../../database/open.ts';
import { COUNTED } from '../../database/photo-states.ts';
import type { PhotoRow } from '../../database/rows.ts';
import { TABLES, TABLE_NAMES, type TableName } from '../../database/tables.ts';
import { noteUnwanted } from '../../database/unwanted.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { zipHas } from '../archive/archive.ts';
import { isForGuests } from '../photo-keys/photo-keys.ts';

/** Rows per query. */
const PAGE_ROWS = 200;

export type Row = Record<string, unknown>;
/** A line of `rows.jsonl`; bytes are `{base64}`. */
export type RowLine = [table: string, row: Row];

/** Yields every row of a snapshot's tables. */
export async function* exportRows(trx: Trx): AsyncGenerator<RowLine> {
  for (const table of TABLE_NAMES.filter((name) => TABLES[name].backup)) {
    for (let last: Row | null = null; ;) {
      const page: Row[] = await pageAfter(trx, table, TABLES[table].key, last);
      for (const row of page) {
        const kept = restorable(table, row);
        if (kept) yield [table, encode(kept)];
      }
      if (page.length < PAGE_ROWS) break;
      last = page.at(-1) as Row;
    }
  }
}

async function pageAfter(trx: Trx, table: string, key: readonly string[], last: Row | null): Promise<Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const beyond = last && sql`where (${columns}) > (${sql.join(key.map((column) => sql.val(last[column])))})`;
  const { rows } =
    await sql<Row>`select * from ${sql.table(table)} ${beyond ?? sql``} order by ${columns} limit ${sql.lit(PAGE_ROWS)}`.execute(trx);
  return rows;
}

/** Returns the part of a row that a restore may bring back; null if none. */
function restorable(table: TableName, row: Row): Row | null {
  // Invitations of hosts end, as sessions do: they may have been used since.
  if (table === 'invitations') return row.role === 'host' ? null : row;
  // Open uploads start again. Notes of unwanted uploads stay: a photo deleted while only its preview was there must not arrive later.
  if (table === 'uploads') return row.photo_id === null && row.description === null ? row : null;
  if (table !== 'outbox') return row;
  // Restores keep which mails were sent, so that they are not sent again; waiting mails are written anew if they are still due.
  const isOut = row.once !== null && (row.state === 'delivered' || row.state === 'dropped');
  return isOut ? { ...row, payload: null, keeper: null, answer: null } : null;
}

/**
 * Reads a photo's current row with the digests of its original; undefined if it is gone. Reads the whole row, as decisions about a picture
 * hold only for the blobs that show it.
 */
export async function readFresh({ kysely }: Pick<Db, 'kysely'>, photoId: string) {
  const row = await kysely
    .selectFrom('photos')
    .leftJoin('photo_keys', 'photo_keys.photo_id', 'photos.id')
    .selectAll('photos')
    .select('photo_keys.facts')
    .where('photos.id', '=', photoId)
    .executeTakeFirst();
  return row && { ...row, encoded: (): Row => encode(row) };
}

/** The changes to photos while their blobs were copied. */
export interface Meanwhile {
  /** Ids of deleted photos: they are left out together with their other rows. */
  gone: readonly string[];
  /** The photos whose blobs have changed, each with the row that `readFresh` found. */
  fresh: readonly Row[];
}

/**
 * Replaces all rows of the database except its schema notes, as the backup may come from the other engine. Corrects the counters of events
 * whose photos changed during the backup.
 */
export async function importRows(trx: Trx, lines: AsyncIterable<unknown>, meanwhile: Meanwhile): Promise<void> {
  const gone = new Set(meanwhile.gone);
  const fresh = new Map(meanwhile.fresh.map((row) => [row.id as string, decode(row)]));
  const notes = (await trx.selectFrom('settings').selectAll().execute()).filter(({ name }) => isSchemaNote(name));
  for (const table of TABLE_NAMES.toReversed()) await sql`delete from ${sql.table(table)}`.execute(trx);
  // Table names come from the file, so the static types do not apply.
  const any = trx as unknown as Kysely<Record<string, Row>>;
  let table = '';
  let batch: Row[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await any.insertInto(table).values(batch).execute();
    batch = [];
  };
  /** Ids of left-out photos by event. */
  const incomplete = new Map<string, string[]>();
  const changed = new Set<string>();
  /** Events that got an original during the backup. */
  const fuller = new Set<string>();
  /** Left-out photos whose originals must not arrive any more. */
  const unwanted: PhotoRow[] = [];
  /** Photos that guests may no longer see. */
  const hidden = new Set<string>();
  /** Photos that guests see no more: the names of their senders may be theirs. */
  const lost: Row[] = [];
  for await (const line of lines) {
    const [name, coded] = line as RowLine;
    if (!Object.hasOwn(TABLES, name)) throw new Error(`no table ${name}`);
    const { photo, event } = TABLES[name as TableName];
    let row = decode(coded);
    if (name === 'settings' && isSchemaNote(row.name as string)) continue;
    if (photo !== null && gone.has(row[photo] as string)) {
      const id = row[event as string] as string;
      if (name === 'photos') incomplete.set(id, [...(incomplete.get(id) ?? []), row.id as string]);
      if (name === 'photos') lost.push(row);
      if (name === 'photos' && row.state === 'announced') unwanted.push(row as unknown as PhotoRow);
      continue;
    }
    const newer = fresh.get(row[photo ?? ''] as string);
    if (newer && name === 'photos') {
      const { facts: _, ...columns } = newer;
      if (columns.slideshow === 0) lost.push(row);
      if (hasOriginal(columns) && !hasOriginal(row)) fuller.add(row.event_id as string);
      row = columns;
      changed.add(row.event_id as string);
      if (!isForGuests(row as unknown as PhotoRow)) hidden.add(row.id as string);
    }
    if (name === 'gallery_photo_keys' && hidden.has(row.photo_id as string)) continue;
    if (newer && name === 'photo_keys') row.facts = newer.facts;
    const without = name === 'archives' ? (incomplete.get(row.event_id as string) ?? []) : [];
    if (without.some((id) => !row.members || zipHas(row.members as Bytes, id))) continue;
    if (name !== table || batch.length >= PAGE_ROWS) await flush();
    table = name;
    batch.push(row);
  }
  await flush();
  while (unwanted.length > 0) await noteUnwanted(trx, unwanted.splice(0, PAGE_ROWS));
  for (const { event_id, device_hash } of lost)
    await any
      .updateTable('gallery_guests')
      .set({ name: null })
      .where('event_id', '=', event_id)
      .where('device_hash', '=', device_hash)
      .execute();
  if (notes.length > 0) await trx.insertInto('settings').values(notes).execute();
  for (const id of new Set(incomplete.keys()).union(changed)) await trx.updateTable('events').set(COUNTED).where('id', '=', id).execute();
  // No restored ZIP contains the new original.
  const change_seq = sql<number>`change_seq + 1`;
  for (const id of fuller) await trx.updateTable('events').set({ change_seq, originals_seq: change_seq }).where('id', '=', id).execute();
}

const hasOriginal = ({ state }: Row): boolean => STATE_RULES[state as PhotoRow['state']].original;

/** Encodes a row for JSON. */
const encode = (row: Row): Row =>
  withValues(row, (value) => (value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value));

const decode = (row: Row): Row =>
  withValues(row, (value) =>
    typeof value === 'object' && value !== null ? Buffer.from((value as { base64: string }).base64, 'base64') : value,
  );

function withValues(row: Row, of: (value: unknown) => unknown): Row {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, of(value)]));
}
