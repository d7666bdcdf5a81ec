import type { Db, Trx } from '../../database/open.ts';
import type { Bytes } from '../../lib/bytes.ts';

/** The rows of hosts and of the keys that their passwords open. */
export function createAccountsStore(db: Db) {
  // SQLite has no row locks and needs none: its transactions run one after another.
  const locking = db.engine === 'postgres';

  return {
    hostByCode: (code: string) =>
      db.kysely
        .selectFrom('events')
        .innerJoin('host_keys', 'host_keys.event_id', 'events.id')
        .innerJoin('event_keys', 'event_keys.event_id', 'events.id')
        .select(['events.id', 'events.code', 'host_keys.wrapped', 'event_keys.public_key'])
        .where('events.code', '=', code)
        .where('events.purging_at', 'is', null)
        .executeTakeFirst(),

    /** Whether the event is not being purged. Locks it: a purge waits until the transaction ends. */
    holdEvent: async (trx: Trx, eventId: string): Promise<boolean> => {
      const query = trx.selectFrom('events').select('id').where('id', '=', eventId).where('purging_at', 'is', null);
      return (await query.$if(locking, (q) => q.forShare()).executeTakeFirst()) !== undefined;
    },

    /**
     * Whether the event is not being purged and has a host, with `wrapped` one whose key is still this, so that its password has not
     * changed. Locks the host: resets and the purge wait until the transaction ends.
     */
    holdHost: async (trx: Trx, eventId: string, wrapped?: Bytes): Promise<boolean> => {
      const query = trx
        .selectFrom('events')
        .innerJoin('host_keys', 'host_keys.event_id', 'events.id')
        .select('events.id')
        .where('events.id', '=', eventId)
        .where('events.purging_at', 'is', null)
        .$if(wrapped !== undefined, (q) => q.where('host_keys.wrapped', '=', wrapped as Bytes));
      return (await query.$if(locking, (q) => q.forShare()).executeTakeFirst()) !== undefined;
    },

    wrappedForHost: async (eventId: string): Promise<Bytes | undefined> =>
      (await db.kysely.selectFrom('host_keys').select('wrapped').where('event_id', '=', eventId).executeTakeFirst())?.wrapped,

    /** False if the key is no longer `before`. */
    replaceWrapped: async (trx: Trx, eventId: string, before: Bytes, wrapped: Bytes): Promise<boolean> => {
      const query = trx.updateTable('host_keys').set({ wrapped }).where('event_id', '=', eventId).where('wrapped', '=', before);
      return (await query.executeTakeFirst()).numUpdatedRows > 0n;
    },

    /** Throws where the event has a host. */
    addHost: async (trx: Trx, eventId: string, wrapped: Bytes, now: number): Promise<void> => {
      await trx.insertInto('hosts').values({ event_id: eventId, created_at: now, reset_at: null, reset_seen_at: null }).execute();
      await trx.insertInto('host_keys').values({ event_id: eventId, wrapped }).execute();
    },
    host: (eventId: string) => db.kysely.selectFrom('hosts').selectAll().where('event_id', '=', eventId).executeTakeFirst(),
  };
}
