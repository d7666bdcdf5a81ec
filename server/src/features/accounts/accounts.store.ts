import type { Db } from '../../database/open.ts';

/** The rows of logins and of the keys that they open. */
export function createAccountsStore(db: Db) {
  return {
    operatorPublicKey: async () =>
      (await db.kysely.selectFrom('operator_keys').select('public_key').where('id', '=', 1).executeTakeFirstOrThrow()).public_key,

    adminExists: async () => (await db.kysely.selectFrom('admins').select('id').limit(1).executeTakeFirst()) !== undefined,

    admin: (username: string) =>
      db.kysely
        .selectFrom('admins')
        .innerJoin('admin_keys', 'admin_keys.admin_id', 'admins.id')
        .innerJoin('operator_keys', (join) => join.on('operator_keys.id', '=', 1))
        .select(['admins.id', 'admins.username', 'admins.password_changed_at', 'admin_keys.wrapped', 'operator_keys.public_key'])
        .where('admins.username', '=', username)
        .executeTakeFirst(),

    initialPasswords: async () =>
      (await db.kysely.selectFrom('admins').select('id').where('password_changed_at', 'is', null).execute()).length,

    hostByCode: (code: string) =>
      db.kysely
        .selectFrom('events')
        .innerJoin('host_keys', 'host_keys.event_id', 'events.id')
        .innerJoin('event_keys', 'event_keys.event_id', 'events.id')
        .select(['events.id', 'events.code', 'host_keys.wrapped', 'event_keys.public_key'])
        .where('events.code', '=', code)
        .where('events.purging_at', 'is', null)
        .executeTakeFirst(),

    eventKeys: (eventId: string) => db.kysely.selectFrom('event_keys').selectAll().where('event_id', '=', eventId).executeTakeFirst(),

    host: (eventId: string) => db.kysely.selectFrom('hosts').selectAll().where('event_id', '=', eventId).executeTakeFirst(),
  };
}
