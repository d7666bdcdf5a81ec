import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { start } from './migrations/0001-start.ts';
import type { Database } from './schema.ts';

type Engine = 'sqlite' | 'postgres';

/** The database's schema is not that of this version; nothing was changed. */
export class SchemaMismatch extends Error {
  /** Names of migrations that this version would apply. */
  readonly pending: string[];
  /** Names of applied migrations that this version does not know. */
  readonly newer: string[];

  constructor(pending: string[], newer: string[]) {
    super(`schema: pending ${pending.join(', ') || 'none'}, of a newer version ${newer.join(', ') || 'none'}`);
    this.pending = pending;
    this.newer = newer;
  }
}

const migrationsOf = (engine: Engine) => ({ '0001-start': start(engine) });
/**
 * The oldest migration whose release still works on this release's schema. A release first only adds (columns with a default, tables),
 * and names the one before; what is no longer used is removed by a later release, which then names the release that added.
 */
const LEAST = '0001-start';
/** The same, as the release that migrated last has left it in `settings`. */
const LEAST_NAME = 'least_schema';

/** Names of the applied migrations, in order; none for an empty database. */
export async function appliedMigrations(kysely: Kysely<Database>): Promise<string[]> {
  const tables = await kysely.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return [];
  const rows = await (kysely as unknown as Kysely<{ kysely_migration: { name: string } }>)
    .selectFrom('kysely_migration')
    .select('name')
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}

/** The oldest migration that a release must know to work on this schema; undefined where nothing says so. */
async function leastMigration(kysely: Kysely<Database>): Promise<string | undefined> {
  const row = await kysely.selectFrom('settings').select('value').where('name', '=', LEAST_NAME).executeTakeFirst();
  return row && Buffer.from(row.value).toString();
}

/** Throws SchemaMismatch unless this version works on the schema: it is its own, or of a newer version that lets it. Changes nothing. */
export async function requireSchema(kysely: Kysely<Database>, engine: Engine): Promise<void> {
  const known = Object.keys(migrationsOf(engine));
  const applied = await appliedMigrations(kysely);
  const pending = known.filter((name) => !applied.includes(name));
  const newer = applied.filter((name) => !known.includes(name));
  const least = pending.length === 0 && newer.length > 0 ? await leastMigration(kysely) : undefined;
  if (least !== undefined && known.includes(least)) return;
  if (pending.length > 0 || newer.length > 0) throw new SchemaMismatch(pending, newer);
}

/** Migrates the schema to this version. Throws SchemaMismatch if a newer version has migrated it. */
export async function migrate(kysely: Kysely<Database>, engine: Engine): Promise<void> {
  const migrations = migrationsOf(engine);
  const newer = (await appliedMigrations(kysely)).filter((name) => !(name in migrations));
  if (newer.length > 0) throw new SchemaMismatch([], newer);
  const { error } = await new Migrator({ db: kysely, provider: { getMigrations: async () => migrations } }).migrateToLatest();
  if (error) throw error;
  await kysely
    .insertInto('settings')
    .values({ name: LEAST_NAME, value: Buffer.from(LEAST) })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: Buffer.from(LEAST) }))
    .execute();
}
