import { setTimeout as pause } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { isLocked } from './errors.ts';
import { start } from './migrations/0001-start.ts';
import { photoStates } from './migrations/0002-photo-states.ts';
import { gallery } from './migrations/0003-gallery.ts';
import { settings } from './migrations/0004-settings.ts';
import { outbox } from './migrations/0005-outbox.ts';
import { connections } from './migrations/0006-connections.ts';
import { receipts } from './migrations/0007-receipts.ts';
import { eventNotes } from './migrations/0008-event-notes.ts';
import { assistants } from './migrations/0009-assistants.ts';
import { secondFactor } from './migrations/0010-second-factor.ts';
import { openAttempts } from './migrations/0011-open-attempts.ts';
import { mailServer } from './migrations/0013-mail-server.ts';
import { walls } from './migrations/0015-walls.ts';
import { linkPreviews } from './migrations/0016-link-previews.ts';
import { boothsSeen } from './migrations/0017-booths-seen.ts';
import { phoneLanguage } from './migrations/0018-phone-language.ts';
import { largePictures } from './migrations/0019-large-pictures.ts';
import { zipCoverage } from './migrations/0020-zip-coverage.ts';
import { toldPhotos } from './migrations/0021-told-photos.ts';
import { zipParts } from './migrations/0022-zip-parts.ts';
import { auditAccount } from './migrations/0023-audit-account.ts';
import { RELEASED } from './migrations/released.ts';
import type { Database } from './schema.ts';
import { writeSetting } from './settings.ts';

type Engine = 'sqlite' | 'postgres';

/**
 * How long a migration waits for a lock in PostgreSQL. Meanwhile every query of older nodes on the table waits behind it, 5 s at most; an
 * autovacuum gives way after 1 s.
 */
const LOCK_WAIT_MS = 2000;
/** Pause in which these queries run, before the migration begins again. */
const LOCK_PAUSE_MS = 5000;
/** Time after which a migration that gets no lock is given up. */
const LOCKED_MOST_MS = 600_000;

/** The database's schema is not the one of this version; nothing was changed. */
export class SchemaMismatch extends Error {
  /** Names of migrations that this version would apply. */
  readonly pending: string[];
  /** Names of applied migrations that this version does not know. */
  readonly newer: string[];
  /** No release made this schema: its tables differ from its migrations. */
  readonly unreleased: boolean;

  constructor(pending: string[], newer: string[], unreleased = false) {
    super(`schema: ${unreleased ? 'of no release, ' : ''}pending ${pending.join(', ') || 'none'}, newer ${newer.join(', ') || 'none'}`);
    this.pending = pending;
    this.newer = newer;
    this.unreleased = unreleased;
  }
}

export const migrationsOf = (engine: Engine): Record<string, Migration> => ({
  '0001-start': start(engine),
  '0002-photo-states': photoStates,
  '0003-gallery': gallery(engine),
  '0004-settings': settings(engine),
  '0005-outbox': outbox(engine),
  '0006-connections': connections(engine),
  '0007-receipts': receipts(engine),
  '0008-event-notes': eventNotes(engine),
  '0009-assistants': assistants(engine),
  '0010-second-factor': secondFactor(engine),
  '0011-open-attempts': openAttempts(engine),
  '0013-mail-server': mailServer(engine),
  '0015-walls': walls(engine),
  '0016-link-previews': linkPreviews,
  '0017-booths-seen': boothsSeen,
  '0018-phone-language': phoneLanguage,
  '0019-large-pictures': largePictures,
  '0020-zip-coverage': zipCoverage,
  '0021-told-photos': toldPhotos,
  '0022-zip-parts': zipParts,
  '0023-audit-account': auditAccount,
});
/**
 * Temporary indexes that make a released migration fast, since that is never edited: made before it and dropped behind it. 0005 asks the
 * audit log for each event's first login: without the index it reads the log once for each host.
 */
const AIDS: Record<string, { make: string; drop: string }> = {
  '0005-outbox': {
    make: `create index first_logins on audit (event_id, at) where action = 'host.login'`,
    drop: 'drop index first_logins',
  },
};
/**
 * The oldest migration whose release still works on this release's schema. A release at first only adds (columns with a default, tables)
 * and names the release before it here. A later release removes what is no longer used, and names the release that added.
 */
const LEAST = '0003-gallery';
/** Name of the setting in which the release that migrated last has noted its LEAST. */
const LEAST_NAME = 'least_schema';
/** Prefix of the settings with the hash of each migration's statements as it was applied. */
const HASH_PREFIX = 'migration ';
/** Tells whether a row of `settings` describes the schema of its own database: no other database may get it. */
export const isSchemaNote = (name: string): boolean => name === LEAST_NAME || name.startsWith(HASH_PREFIX);
const hashOf = (name: string, engine: Engine): string => RELEASED[name]?.[engine] ?? 'not released';

const migrationRows = (kysely: Kysely<Database>) =>
  (kysely as unknown as Kysely<{ kysely_migration: { name: string; timestamp: string } }>).selectFrom('kysely_migration');

/** Returns the applied migrations of a database that is not empty, by name, in order. */
export async function appliedMigrations(kysely: Kysely<Database>): Promise<string[]> {
  const rows = await migrationRows(kysely).select('name').orderBy('name').execute();
  return rows.map(({ name }) => name);
}

/** Returns when a database with events was migrated to the states of photos, ms since 1970; null if it had no events. */
export async function statesSince(kysely: Kysely<Database>): Promise<number | null> {
  const { timestamp } = await migrationRows(kysely).select('timestamp').where('name', '=', '0002-photo-states').executeTakeFirstOrThrow();
  const at = Date.parse(timestamp);
  return (await kysely.selectFrom('events').select('id').where('created_at', '<', at).executeTakeFirst()) ? at : null;
}

/** Throws SchemaMismatch unless this version works on the schema: its own, or one of a newer version that allows it. Changes nothing. */
export async function requireSchema(kysely: Kysely<Database>, engine: Engine): Promise<void> {
  const found =
    engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
      : sql<{
          name: string;
        }>`select name from unnest(array['kysely_migration', 'settings', 'events']) name where to_regclass(name) is not null`;
  const tables = new Set((await found.execute(kysely)).rows.map(({ name }) => name));
  const migrated = tables.has('kysely_migration');
  const applied = migrated ? await appliedMigrations(kysely) : [];
  const rows = tables.has('settings') ? await kysely.selectFrom('settings').selectAll().execute() : [];
  /** Hashes and LEAST as the releases noted them that applied the migrations. */
  const notes = new Map(rows.map(({ name, value }) => [name, Buffer.from(value).toString()]));
  const known = Object.keys(migrationsOf(engine));
  const pending = known.filter((name) => !applied.includes(name));
  const newer = applied.filter((name) => !known.includes(name));
  // Tables that no migration has made are of no release, too.
  const unreleased = applied.some((name) => !isAsReleased(name, notes.get(HASH_PREFIX + name))) || (!migrated && tables.has('events'));
  const tolerated = pending.length === 0 && newer.length > 0 && known.includes(notes.get(LEAST_NAME) ?? '');
  if (unreleased || pending.length > 0 || (newer.length > 0 && !tolerated)) throw new SchemaMismatch(pending, newer, unreleased);

  function isAsReleased(name: string, hash: string | undefined): boolean {
    return hash !== undefined && (hash === hashOf(name, engine) || newer.includes(name));
  }
}

/**
 * Migrates the schema to this version, in one transaction. The caller has checked by requireSchema that only migrations are pending. Others'
 * long transactions (pg_dump, a backup) are waited for; `onLocked` is called once if there are some.
 */
export async function migrate(kysely: Kysely<Database>, engine: Engine, onLocked: () => void): Promise<void> {
  const noted = ([name, { up }]: [string, Migration]): [string, Migration] => [
    name,
    {
      async up(db: Kysely<Database>) {
        if (engine === 'postgres') await sql`set local lock_timeout = ${sql.lit(LOCK_WAIT_MS)}`.execute(db);
        const aid = AIDS[name];
        if (aid) await sql.raw(aid.make).execute(db);
        await up(db);
        if (aid) await sql.raw(aid.drop).execute(db);
        await writeSetting({ kysely: db }, HASH_PREFIX + name, hashOf(name, engine));
        await writeSetting({ kysely: db }, LEAST_NAME, LEAST);
      },
    },
  ];
  const migrations = Object.fromEntries(Object.entries(migrationsOf(engine)).map(noted));
  const until = performance.now() + LOCKED_MOST_MS;
  for (let attempt = 1; ; attempt++) {
    const { error } = await new Migrator({ db: kysely, provider: { getMigrations: async () => migrations } }).migrateToLatest();
    if (!error) return;
    if (!isLocked(error) || performance.now() > until) throw error;
    if (attempt === 1) onLocked();
    await pause(LOCK_PAUSE_MS);
  }
}
