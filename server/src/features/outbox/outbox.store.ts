import { sql } from 'kysely';
import { databaseNow } from '../../database/leases.ts';
import type { Db, Trx } from '../../database/open.ts';
import type { OutboxRow } from '../../database/schema.ts';

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
        .onConflict((conflict) => conflict.column('once').doNothing());
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
            .orderBy('id')
            .limit(1)
            .$if(engine === 'postgres', (query) => query.forUpdate().skipLocked()),
        )
        .returningAll()
        .executeTakeFirst(),

    /** What came of an attempt, unless another process has taken it since. */
    async settle({ id, attempts }: OutboxRow, values: Partial<OutboxRow>): Promise<void> {
      await kysely.updateTable('outbox').set(values).where('id', '=', id).where('attempts', '=', attempts).execute();
    },

    /** Shows that this process lives: what it alone can deliver, and has not come to since it was due before `until`, is due now. */
    async keep(until: number, now: number): Promise<void> {
      const mine = kysely.updateTable('outbox').set({ due_at: now }).where('keeper', '=', me);
      await mine
        .where('state', '=', sql.lit('waiting' as const))
        .where('due_at', '<=', until)
        .where('held_until', '<=', dbNow)
        .execute();
    },

    /** Entries that were due before `until`, and whose process has not tried since, fail with this answer. */
    async failLost(until: number, answer: string, now: number): Promise<void> {
      await kysely
        .updateTable('outbox')
        .set({ state: 'failed', answer, answered_at: now })
        .where('state', '=', sql.lit('waiting' as const))
        .where('due_at', '<=', until)
        .where('held_until', '<=', dbNow)
        .where('keeper', '!=', me)
        .execute();
    },

    list: ({ lane, states, limit }: { lane?: string | undefined; states?: OutboxRow['state'][]; limit: number }) =>
      kysely
        .selectFrom('outbox')
        .leftJoin('events', 'events.id', 'outbox.event_id')
        .selectAll('outbox')
        .select('events.code as event_code')
        .$if(lane !== undefined, (query) => query.where('lane', '=', lane as string))
        .$if(states !== undefined, (query) => query.where('state', 'in', states as OutboxRow['state'][]))
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

    /** Removes failed entries that were written before `failed`, others of no event before `done`. */
    async forget({ done, failed }: { done: number; failed: number }): Promise<void> {
      await kysely
        .deleteFrom('outbox')
        .where((or) =>
          or.or([
            or.and([or('state', '=', 'failed'), or('created_at', '<=', failed)]),
            or.and([or('state', 'in', ['delivered', 'dropped']), or('event_id', 'is', null), or('created_at', '<=', done)]),
          ]),
        )
        .execute();
    },
  };
}
