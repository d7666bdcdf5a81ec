import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What goes with an event. */
const OF_EVENT = ['event_keys', 'event_passwords', 'host_keys', 'session_keys', 'photo_keys', 'link_keys'];

/**
 * PostgreSQL keeps the bytes of deleted rows in a table's pages until it is written anew. Whoever destroys a key leaves, in the
 * same transaction, a mark that this is due: at once where a whole event, a password or an administrator's way in went; at
 * night where single photos, links and sessions did, as the demo does every two hours. SQLite overwrites what is deleted.
 *
 * A link's row, which outlives its key, no longer says which photo it was for: the key's does.
 */
export function traces(engine: 'sqlite' | 'postgres'): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('due_rewrites')
        .addColumn('id', engine === 'sqlite' ? 'integer' : 'bigint', (c) =>
          engine === 'sqlite' ? c.primaryKey() : c.primaryKey().generatedAlwaysAsIdentity(),
        )
        .addColumn('table_name', 'text', (c) => c.notNull())
        .addColumn('urgent', 'integer', (c) => c.notNull())
        .addColumn('at', 'bigint', (c) => c.notNull())
        .execute();
      if (engine === 'postgres') await markOnPostgres(db);
      for (const column of ['event_id', 'photo_id', 'created_at']) await db.schema.alterTable('links').dropColumn(column).execute();
    },
  };
}

/** Triggers whose first argument says whether the rewrite is urgent, and the others which tables it is due for. */
async function markOnPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`create function mark_rewrites(urgent integer, tables text[]) returns void language sql as $$
    insert into due_rewrites (table_name, urgent, at)
    select name, $1, (extract(epoch from now()) * 1000)::bigint from unnest($2) as name $$`.execute(db);
  await sql`create function key_gone() returns trigger language plpgsql as $$ begin
    if exists (select from gone) then perform mark_rewrites(tg_argv[0]::integer, tg_argv[1:]); end if;
    return null;
  end $$`.execute(db);
  await sql`create function event_gone() returns trigger language plpgsql as $$ begin
    if exists (select from gone) then
      perform mark_rewrites((exists (select from gone left join events on events.id = gone.event_id where events.demo is distinct from 1))::integer, tg_argv[1:]);
    end if;
    return null;
  end $$`.execute(db);

  const trigger = async (on: string, operation: 'delete' | 'update', urgent: 0 | 1, tables = [on], work = 'key_gone'): Promise<void> => {
    const args = sql.join([String(urgent), ...tables].map((arg) => sql.lit(arg)));
    await sql`create trigger ${sql.raw(`${on}_${operation}d`)} after ${sql.raw(operation)} on ${sql.table(on)}
      referencing old table as gone for each statement execute function ${sql.raw(work)}(${args})`.execute(db);
  };
  await trigger('event_keys', 'delete', 1, OF_EVENT, 'event_gone');
  // The operator's key pair is renewed.
  await trigger('event_keys', 'update', 1);
  for (const operation of ['delete', 'update'] as const) {
    await trigger('host_keys', operation, 1, ['host_keys', 'session_keys'], 'event_gone');
    await trigger('event_passwords', operation, 1, ['event_passwords'], 'event_gone');
    await trigger('admin_keys', operation, 1, ['admin_keys', 'session_keys']);
    await trigger('recovery_keys', operation, 1);
    for (const table of ['session_keys', 'photo_keys', 'link_keys']) await trigger(table, operation, 0);
  }
  // What was deleted before there were marks.
  await sql`select mark_rewrites(0, array[${sql.join([...OF_EVENT, 'admin_keys', 'recovery_keys', 'links'].map((table) => sql.lit(table)))}])`.execute(
    db,
  );
}
