import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { uuidv7 } from '../../lib/ids.ts';
import type { Db } from '../open.ts';
import { TABLES, TABLE_NAMES, type TableName } from '../tables.ts';

/** Tables by the columns that refer to their rows. */
const REFERENCES: Record<string, TableName> = {
  admin_id: 'admins',
  event_id: 'events',
  photo_id: 'photos',
  session_id: 'sessions',
  upload_id: 'uploads',
};
/** Columns that accept few values, or values of a certain form. */
const FIXED: Record<string, unknown> = {
  state: 'stored',
  status: 'complete',
  role: 'gallery',
  drawn_by: 'server',
  gallery_mode: 'open',
  start_date: '2026-05-16',
  end_date: '2026-05-17',
  type: 'image/jpeg',
  thumbnail_type: 'image/webp',
  preview_type: 'image/webp',
  demo: 0,
  secret_id: 1,
  preview_size: 1,
  expires_at: Number.MAX_SAFE_INTEGER,
  expires_at_latest: Number.MAX_SAFE_INTEGER,
  n: 1,
};
const FIXED_OF: Partial<Record<TableName, Record<string, unknown>>> = {
  outbox: { state: 'delivered', kind: 'other' },
  sessions: { role: 'user' },
  event_passwords: { kind: 'upload' },
  uploads: { photo_id: null },
  mail_server: { id: 1 },
};

/** A text or bytes that occur in one column of one row alone. */
export interface Mark {
  table: TableName;
  column: string;
  bytes: Buffer;
}

/** Ids of rows, by the columns that refer to them. */
type Relations = Record<string, unknown>;

/**
 * For tests: adds a row to each table, with a mark in each column that can hold one, related to the rows in `given`, else to new rows.
 * Existing rows stay. A new table whose columns fit no rule here makes it fail: add a rule.
 */
export async function fillTables(db: Db, given: Relations = {}): Promise<{ marks: Mark[]; relations: Relations }> {
  const found = new Map((await db.kysely.introspection.getTables()).map(({ name, columns }) => [name, columns]));
  const relations: Relations = { device_hash: randomBytes(32), token_hash: randomBytes(32), ...given };
  const marks: Mark[] = [];
  for (const table of TABLE_NAMES) {
    // Triggers fill this table.
    if (table === 'due_rewrites') continue;
    const reference = Object.keys(REFERENCES).find((column) => REFERENCES[column] === table);
    if (reference && given[reference] !== undefined) continue;
    const row: Record<string, unknown> = {};
    const own: Mark[] = [];
    for (const { name: column, dataType, isNullable, isAutoIncrementing } of found.get(table) ?? []) {
      if (isAutoIncrementing && FIXED_OF[table]?.[column] === undefined) continue;
      row[column] = valueOf(column, dataType.toLowerCase(), isNullable);
      const bytes = typeof row[column] === 'string' ? Buffer.from(row[column]) : row[column];
      if (bytes instanceof Buffer && isMark(column)) own.push({ table, column, bytes });
    }
    if (reference) relations[reference] = row.id;
    const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)));
    const { numAffectedRows } = await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})
      on conflict do nothing`.execute(db.kysely);
    if (numAffectedRows === 1n) marks.push(...own);

    function valueOf(column: string, type: string, nullable: boolean): unknown {
      const fixed = FIXED_OF[table];
      if (fixed && column in fixed) return fixed[column];
      if (column in REFERENCES || column === 'device_hash' || (column === 'token_hash' && table.startsWith('link')))
        return relations[column];
      const isText = type === 'text';
      if (column === 'id' && isText) return uuidv7(Date.now());
      if (column in FIXED) return FIXED[column];
      if (isText) return `${column} ${randomBytes(12).toString('hex')}`;
      if (type === 'blob' || type === 'bytea') return randomBytes(32);
      return nullable ? null : 1;
    }
    function isMark(column: string): boolean {
      return !(column in FIXED) && FIXED_OF[table]?.[column] === undefined && !(column in REFERENCES) && !/^id$|_hash$/.test(column);
    }
  }
  return { marks, relations };
}

/** For tests: reads all rows of a table in a comparable form, sorted. */
export async function rowsOf({ kysely }: Pick<Db, 'kysely'>, table: TableName): Promise<string[]> {
  const rows = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(kysely);
  const plain = (value: unknown): unknown => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value);
  return rows.rows
    .map((row) =>
      JSON.stringify(
        Object.fromEntries(
          Object.keys(row)
            .toSorted()
            .map((column) => [column, plain(row[column])]),
        ),
      ),
    )
    .toSorted();
}

export const IN_BACKUPS = TABLE_NAMES.filter((name) => TABLES[name].backup);
