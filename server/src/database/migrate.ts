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

/** Throws SchemaMismatch unless the schema is that of this version. Changes nothing. */
export async function requireSchema(kysely: Kysely<Database>, engine: Engine): Promise<void> {
  const known = Object.keys(migrationsOf(engine));
  const applied = await appliedMigrations(kysely);
  const pending = known.filter((name) => !applied.includes(name));
  const newer = applied.filter((name) => !known.includes(name));
  if (pending.length > 0 || newer.length > 0) throw new SchemaMismatch(pending, newer);
}

/** Migrates the schema to this version. Throws SchemaMismatch if a newer version has migrated it. */
export async function migrate(kysely: Kysely<Database>, engine: Engine): Promise<void> {
  const migrations = migrationsOf(engine);
  const newer = (await appliedMigrations(kysely)).filter((name) => !(name in migrations));
  if (newer.length > 0) throw new SchemaMismatch([], newer);
  const { error } = await new Migrator({ db: kysely, provider: { getMigrations: async () => migrations } }).migrateToLatest();
  if (error) throw error;
}
