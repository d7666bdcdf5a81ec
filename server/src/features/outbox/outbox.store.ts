import { sql } from 'kysely';
import { databaseNow } from '../../database/leases.ts';
import type { Db, Trx } from '../../database/open.ts';
import type { OutboxRow } from '../../database/schema.ts';

/** Leases by which processes show that they live; each name ends with the process. */
const ALIVE = 'outbox ';

/** The SQL of what is delivered later, for the process `me`. */
export function createOutboxStore({ kysely, engine }: Pick<Db, 'kysely' | 'engine'>, me: string) {
  const dbNow = databaseNow(engine);

  /** What this process may deliver of a kind at `now`. */
  const due = (kind: string, now: number) =>
    kysely
      .selectFrom('outbox')
      .where('kind', '=', kind)
      .where('state', '=', sql.lit('waiting' as const))
      .where('due_at', '<=', now)
      .where('held_until', '<=', dbNow)
      .where((or) => or.or([or('keeper', 'is', null), or('keeper', '=', me)]));

  return {
    /** False where its `once` is taken. */
    async add(trx: Trx, row: OutboxRow): Promise<boolean> {
      const added = trx
        .insertInto('outbox')
        .values(row)
        // Of `once`, and of the id that follows from it.
        .onConflict((conflict) => conflict.doNothing());
      return (await added.executeTakeFirst()).numInsertedOrUpdatedRows === 1n;
    },

    /** Lanes with something due, those that wait longest first. */
    async lanes(kind: string, now: number, without: readonly string[], most: number): Promise<string[]> {
      if (most <= 0) return [];
      const rows = due(kind, now)
        .select('lane')
        .$if(without.length > 0, (query) => query.where('lane', 'not in', without))
        .groupBy('lane')
        .orderBy(({ fn }) => fn.min('due_at'))
        .limit(most);
      return (await rows.execute()).map(({ lane }) => lane);
    },

    /** Takes the next one of a lane for `heldMs`, and counts the attempt. Of two processes that ask at once each gets another one. */
    take: ({ kind, lane }: Pick<OutboxRow, 'kind' | 'lane'>, now: number, heldMs: number): Promise<OutboxRow | undefined> =>
      kysely
        .updateTable('outbox')
        .set((row) => ({ held_until: sql`${dbNow} + ${sql.lit(heldMs)}`, attempts: row('attempts', '+', 1) }))
        .where('id', '=', () =>
          due(kind, now)
            .select('id')
            .where('lane', '=', lane)
            .orderBy('due_at')
            .orderBy('created_at')
            .orderBy('id')
            .limit(1)
            .$if(engine === 'postgres', (query) => query.forUpdate().skipLocked()),
        )
        .returningAll()
        .executeTakeFirst(),

    /** What came of an attempt, unless another process has taken it since. */
    async saveOutcome({ id, attempts }: OutboxRow, values: Partial<OutboxRow>): Promise<void> {
      await kysely.updateTable('outbox').set(values).where('id', '=', id).where('attempts', '=', attempts).execute();
    },

    /** Shows for `aliveMs` that this process lives, which alone can deliver what it keeps. */
    async showAlive(aliveMs: number, by: Pick<Trx, 'insertInto'> = kysely): Promise<void> {
      const expires_at = sql<number>`${dbNow} + ${sql.lit(aliveMs)}`;
      await by
        .insertInto('leases')
        .values({ name: `${ALIVE}${me}`, holder: me, expires_at })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ expires_at }))
        .execute();
    },

    /** Says of this process, or of every other one, that it does not live any more. */
    async endAlive(whose: 'mine' | 'others'): Promise<void> {
      const leases = kysely.deleteFrom('leases').where('name', 'like', `${ALIVE}%`);
      await leases.where('holder', whose === 'mine' ? '=' : '!=', me).execute();
    },

    /** Entries whose process does not live any more fail with this answer. */
    async failLost(answer: string, now: number): Promise<Pick<OutboxRow, 'id' | 'kind' | 'topic'>[]> {
      const leases = kysely.selectFrom('leases').where('name', 'like', `${ALIVE}%`);
      return kysely
        .updateTable('outbox')
        .set({ state: 'failed', answer, answered_at: now })
        .where('state', '=', sql.lit('waiting' as const))
        .where('held_until', '<=', dbNow)
        .where('keeper', '!=', me)
        .where('keeper', 'not in', leases.select('holder').where('expires_at', '>', dbNow))
        .returning(['id', 'kind', 'topic'])
        .execute();
    },

    /** Removes what showed that a process lived, once it ended long ago. */
    async forgetEnded(): Promise<void> {
      await kysely.deleteFrom('leases').where('name', 'like', `${ALIVE}%`).where('expires_at', '<=', dbNow).execute();
    },

    /** Those of some entries that are to be delivered. */
    async waiting(ids: readonly string[]): Promise<string[]> {
      const rows = kysely
        .selectFrom('outbox')
        .select('id')
        .where('id', 'in', ids)
        .where('state', '=', sql.lit('waiting' as const));
      return (await rows.execute()).map(({ id }) => id);
    },

    list: ({ lane, states, limit }: { lane?: string | undefined; states?: OutboxRow['state'][]; limit: number }) =>
      kysely
        .selectFrom('outbox')
        .leftJoin('events', 'events.id', 'outbox.event_id')
        .selectAll('outbox')
        .select('events.code as event_code')
        .$if(lane !== undefined, (query) => query.where('lane', '=', lane as string))
        // „failed“ comes before „waiting“: many that wait hide none of them.
        .$if(states !== undefined, (query) => query.where('state', 'in', states as OutboxRow['state'][]).orderBy('state'))
        .orderBy('outbox.created_at', 'desc')
        .orderBy('outbox.id', 'desc')
        .limit(limit)
        .execute(),

    /** False where it did not fail and was not kept, or only its process could deliver it. */
    async again(id: string, now: number): Promise<boolean> {
      const { numUpdatedRows } = await kysely
        .updateTable('outbox')
        .set({ state: 'waiting', attempts: 0, due_at: now, held_until: 0 })
        .where('id', '=', id)
        .where('state', 'in', ['failed', 'delivered'])
        .where('payload', 'is not', null)
        .where('keeper', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Takes a failed entry out of sight; false where there is none. */
    async dismissFailed(id: string, answer: string): Promise<boolean> {
      const failed = kysely.updateTable('outbox').set({ state: 'dropped', payload: null, answer }).where('id', '=', id);
      return (await failed.where('state', '=', 'failed').executeTakeFirst()).numUpdatedRows > 0n;
    },

    /** How many entries of each kind failed, without those of `topic`. */
    failed: (topic: string) =>
      kysely
        .selectFrom('outbox')
        .select(({ fn }) => ['kind', fn.countAll<number>().as('count')])
        .where('state', '=', 'failed')
        .where('topic', '!=', topic)
        .groupBy('kind')
        .execute(),

    /** Settles what failed of a kind in other lanes than these. */
    async dismissOthers(trx: Trx, kind: string, lanes: readonly string[], answer: string): Promise<void> {
      const failed = trx.updateTable('outbox').set({ state: 'dropped', payload: null, answer }).where('kind', '=', kind);
      const others = lanes.length > 0 ? failed.where('lane', 'not in', lanes) : failed;
      await others.where('state', '=', 'failed').execute();
    },

    /** Empties failed entries of a topic that failed before `failed`, or were written before `written`; their answer is this one then. */
    async forgetPayloads(
      { kind, topic, failed, written }: { kind: string; topic: string; failed: number; written: number },
      answer: string,
    ) {
      await kysely
        .updateTable('outbox')
        .set({ payload: null, answer })
        .where('kind', '=', kind)
        .where('topic', '=', topic)
        .where('state', '=', 'failed')
        .where('payload', 'is not', null)
        .where((or) => or.or([or('answered_at', '<=', failed), or('created_at', '<=', written)]))
        .execute();
    },

    /** Removes entries of no event that failed, or were written and done, before `until`. */
    async forget(until: number): Promise<void> {
      await kysely
        .deleteFrom('outbox')
        .where('event_id', 'is', null)
        .where((or) =>
          or.or([
            or.and([or('state', '=', 'failed'), or('answered_at', '<=', until)]),
            or.and([or('state', 'in', ['delivered', 'dropped']), or('created_at', '<=', until)]),
          ]),
        )
        .execute();
    },
  };
}
