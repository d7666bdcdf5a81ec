import { MINUTE } from '@feierbild/contract/constants.ts';
import { sql } from 'kysely';
import { databaseNow } from '../../database/leases.ts';
import type { Db, Trx } from '../../database/open.ts';
import type { OutboxRow } from '../../database/rows.ts';
import { CLOCK_SKEW_MS } from '../../lib/clock.ts';
import { LONGEST_PAUSE } from './pauses.ts';

/** Prefix of the leases by which processes show that they live; the process's id follows. */
const ALIVE = 'outbox ';

/** Time for which a process holds an entry: longer than any attempt, so it runs out only after a crash. */
const HELD_MS = 3 * MINUTE;

/** Creates the SQL of deliveries for the process `me`. */
export function createOutboxStore({ kysely, engine }: Pick<Db, 'kysely' | 'engine'>, me: string) {
  const dbNow = databaseNow(engine);

  /** Whether no process holds an entry. A hold that ends later than one taken now was taken while the database's clock was ahead. */
  const free = sql<boolean>`held_until not between ${dbNow} + 1 and ${dbNow} + ${sql.lit(HELD_MS + CLOCK_SKEW_MS)}`;

  /**
   * Selects the entries of a kind that this process may deliver at `now`. Those that wait for longer than the longest pause were written by
   * a clock that was ahead.
   */
  const due = (kind: string, now: number) =>
    kysely
      .selectFrom('outbox')
      .where('kind', '=', kind)
      .where('state', '=', sql.lit('waiting' as const))
      .where((is) => is.not(is.between('due_at', now + 1, now + LONGEST_PAUSE + CLOCK_SKEW_MS)))
      .where(free)
      .where((or) => or.or([or('keeper', 'is', null), or('keeper', '=', me)]));

  return {
    /** Inserts an entry; false if its `once` is taken. */
    async add(trx: Trx, row: OutboxRow): Promise<boolean> {
      const added = trx
        .insertInto('outbox')
        .values(row)
        // The conflict may be in `once` or in the id that follows from it.
        .onConflict((conflict) => conflict.doNothing());
      return (await added.executeTakeFirst()).numInsertedOrUpdatedRows === 1n;
    },

    /** Reads lanes with due entries, the longest waiting first. */
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

    /** Takes the next entry of a lane, and counts the attempt. Concurrent processes get different entries. */
    take: ({ kind, lane }: Pick<OutboxRow, 'kind' | 'lane'>, now: number): Promise<OutboxRow | undefined> =>
      kysely
        .updateTable('outbox')
        .set((row) => ({ held_until: sql`${dbNow} + ${sql.lit(HELD_MS)}`, attempts: row('attempts', '+', 1) }))
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

    /**
     * Stores the outcome of an attempt, unless another process has taken the entry since. One that leaves the entry waiting changes none
     * that was dropped or given up meanwhile.
     */
    async saveOutcome({ id, attempts }: OutboxRow, values: Partial<OutboxRow>): Promise<void> {
      await kysely
        .updateTable('outbox')
        .set(values)
        .where('id', '=', id)
        .where('attempts', '=', attempts)
        .$if(values.state === undefined, (query) => query.where('state', '=', 'waiting'))
        .execute();
    },

    /** Shows for `aliveMs` that this process lives; only it can deliver the entries that it keeps. */
    async showAlive(aliveMs: number, by: Pick<Trx, 'insertInto'> = kysely): Promise<void> {
      const expires_at = sql<number>`${dbNow} + ${sql.lit(aliveMs)}`;
      await by
        .insertInto('leases')
        .values({ name: `${ALIVE}${me}`, holder: me, expires_at })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ expires_at }))
        .execute();
    },

    /** Ends the lease of this process, or of all others. */
    async endAlive(whose: 'mine' | 'others'): Promise<void> {
      const leases = kysely.deleteFrom('leases').where('name', 'like', `${ALIVE}%`);
      await leases.where('holder', whose === 'mine' ? '=' : '!=', me).execute();
    },

    /** Sets entries whose process no longer lives to failed, with this answer. */
    async failLost(answer: string, now: number): Promise<Pick<OutboxRow, 'id' | 'kind' | 'topic'>[]> {
      const leases = kysely.selectFrom('leases').where('name', 'like', `${ALIVE}%`);
      return kysely
        .updateTable('outbox')
        .set({ state: 'failed', answer, answered_at: now })
        .where('state', '=', sql.lit('waiting' as const))
        .where(free)
        .where('keeper', '!=', me)
        .where('keeper', 'not in', leases.select('holder').where('expires_at', '>', dbNow))
        .returning(['id', 'kind', 'topic'])
        .execute();
    },

    /** Lets those of these entries wait again that another process has given up by `failLost`, though this one lives. */
    async takeBack(ids: readonly string[], answer: string): Promise<Pick<OutboxRow, 'id' | 'kind' | 'topic'>[]> {
      return kysely
        .updateTable('outbox')
        .set({ state: 'waiting', answer: null, answered_at: null })
        .where('id', 'in', ids)
        .where('state', '=', 'failed')
        .where('answer', '=', answer)
        .returning(['id', 'kind', 'topic'])
        .execute();
    },

    /** Removes expired leases of processes. */
    async forgetEnded(): Promise<void> {
      await kysely.deleteFrom('leases').where('name', 'like', `${ALIVE}%`).where('expires_at', '<=', dbNow).execute();
    },

    /** Returns those of these entries that still wait. */
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

    /** Makes an entry wait again; false if it neither failed nor was kept, or if only its process could deliver it. */
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

    /** Drops a failed entry; false if there is none. */
    async dismissFailed(id: string, answer: string): Promise<boolean> {
      const failed = kysely.updateTable('outbox').set({ state: 'dropped', payload: null, answer }).where('id', '=', id);
      return (await failed.where('state', '=', 'failed').executeTakeFirst()).numUpdatedRows > 0n;
    },

    /** Counts failed entries by kind, without those of `topic`. */
    failed: (topic: string) =>
      kysely
        .selectFrom('outbox')
        .select(({ fn }) => ['kind', fn.countAll<number>().as('count')])
        .where('state', '=', 'failed')
        .where('topic', '!=', topic)
        .groupBy('kind')
        .execute(),

    /** Counts failed entries by lane, optionally only those of one. */
    async failedByLane(lane?: string): Promise<Map<string, number>> {
      const rows = kysely
        .selectFrom('outbox')
        .select(({ fn }) => ['lane', fn.countAll<number>().as('count')])
        .where('state', '=', 'failed')
        .$if(lane !== undefined, (query) => query.where('lane', '=', lane as string))
        .groupBy('lane');
      return new Map((await rows.execute()).map((row) => [row.lane, Number(row.count)]));
    },

    /** Drops failed entries of a kind in other lanes than these. */
    async dismissOthers(trx: Trx, kind: string, lanes: readonly string[], answer: string): Promise<void> {
      const failed = trx.updateTable('outbox').set({ state: 'dropped', payload: null, answer }).where('kind', '=', kind);
      const others = lanes.length > 0 ? failed.where('lane', 'not in', lanes) : failed;
      await others.where('state', '=', 'failed').execute();
    },

    /** Empties entries of a topic that failed before `failed`, or failed and were written before `written`; gives them this answer. */
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

    /** Removes entries without an event that failed before `until`, or that are done and were written before `until`. */
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
