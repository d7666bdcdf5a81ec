import { sql, type Kysely } from 'kysely';
import { isSchemaNote } from '../../database/migrate.ts';
import type { Trx } from '../../database/open.ts';
import { COUNTED } from '../../database/photo-states.ts';
import { TABLES, type TableName } from '../../database/tables.ts';

/** Rows read or written at once. */
const PAGE_ROWS = 200;

type Row = Record<string, unknown>;
/** A line of `rows.jsonl`. Bytes are `{base64}`. */
export type RowLine = [table: string, row: Row];

/** Every row of a snapshot's tables. */
export async function* exportRows(trx: Trx): AsyncGenerator<RowLine> {
  for (const [table, key] of Object.entries(TABLES)) {
    if (!key) continue;
    for (let last: Row | null = null; ;) {
      const page: Row[] = await pageAfter(trx, table, key, last);
      for (const row of page) yield [table, encode(row)];
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

/**
 * Replaces all rows of the database, but for what it says of its own schema: the backup may be of the other engine. Photos in `gone` are
 * left out together with their other rows, and the counters of their events are corrected.
 */
export async function importRows(trx: Trx, lines: AsyncIterable<unknown>, gone: ReadonlySet<string>): Promise<void> {
  const notes = (await trx.selectFrom('settings').selectAll().execute()).filter(({ name }) => isSchemaNote(name));
  for (const table of Object.keys(TABLES).reverse()) await sql`delete from ${sql.table(table)}`.execute(trx);
  // Table names come from the file, so the static types do not apply.
  const any = trx as unknown as Kysely<Record<string, Row>>;
  let table = '';
  let batch: Row[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await any.insertInto(table).values(batch).execute();
    batch = [];
  };
  const incomplete = new Set<string>();
  for await (const line of lines) {
    const [name, coded] = line as RowLine;
    if (!TABLES[name as TableName]) throw new Error(`no table ${name}`);
    const row = decode(coded);
    if (name === 'settings' && isSchemaNote(row.name as string)) continue;
    // As sessions do, invitations of hosts end: they may have been used since.
    if (name === 'invitations' && row.role === 'host') continue;
    const photo = name === 'photos' ? row.id : name === 'photo_keys' || name === 'link_keys' ? row.photo_id : null;
    if (gone.has(photo as string)) {
      if (name === 'photos') incomplete.add(row.event_id as string);
      continue;
    }
    if (name === 'archives' && incomplete.has(row.event_id as string)) continue;
    if (name !== table || batch.length >= PAGE_ROWS) await flush();
    table = name;
    batch.push(row);
  }
  await flush();
  if (notes.length > 0) await trx.insertInto('settings').values(notes).execute();
  for (const id of incomplete) await trx.updateTable('events').set(COUNTED).where('id', '=', id).execute();
}

/** A row in its JSON form. */
const encode = (row: Row): Row =>
  withValues(row, (value) => (value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value));

const decode = (row: Row): Row =>
  withValues(row, (value) =>
    typeof value === 'object' && value !== null ? Buffer.from((value as { base64: string }).base64, 'base64') : value,
  );

function withValues(row: Row, of: (value: unknown) => unknown): Row {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, of(value)]));
}
