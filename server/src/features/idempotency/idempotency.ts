import { IDEMPOTENCY_KEPT, MINUTE } from '@feierbild/contract/constants.ts';
import type { Trx } from '../../database/open.ts';
import type { Operator } from '../../http/visitor.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Ground } from '../ground.ts';

/** Whoever has claimed a key and has not done its work after this time has crashed. */
const HELD_MS = MINUTE;
/** Seconds until a repeat may find the answer. */
const RETRY_AFTER_S = 2;

interface Asked {
  by: Operator;
  key: string | undefined;
  /** As the contract has parsed it. */
  body: object;
}

/** Stores the answer with what it tells of, in one transaction. Without secrets: the database must not open what is sealed in it. */
type Keep = (trx: Trx, answer: object) => Promise<void>;

export type Idempotency = ReturnType<typeof createIdempotency>;

/**
 * Calls that are repeated under the same Idempotency-Key (draft-ietf-httpapi-idempotency-key-header): the first one that succeeds is the
 * only one, all others get its answer. Keys and bodies are stored as hashes keyed by what only the caller has: two callers never meet,
 * and a body's passwords cannot be guessed from its hash.
 */
export function createIdempotency({ db, vault, clock }: Pick<Ground, 'db' | 'vault' | 'clock'>) {
  const { kysely } = db;

  /** Takes the key for this call, or returns the answer that is there. Throws Refusal idempotency_running, idempotency_reused. */
  async function claim(id: Uint8Array, body: Uint8Array): Promise<{ held: number } | { answer: string }> {
    const now = clock.now();
    const held = now + HELD_MS;
    await kysely.deleteFrom('kept_answers').where('id', '=', id).where('expires_at', '<=', now).execute();
    const added = await kysely
      .insertInto('kept_answers')
      .values({ id, body, answer: null, held_until: held, expires_at: now + IDEMPOTENCY_KEPT })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst();
    if (added.numInsertedOrUpdatedRows === 1n) return { held };
    const row = await kysely.selectFrom('kept_answers').selectAll().where('id', '=', id).executeTakeFirst();
    if (row && Buffer.compare(row.body, body) !== 0) throw new Refusal('idempotency_reused');
    if (row?.answer) return { answer: row.answer };
    const taken = kysely.updateTable('kept_answers').set({ held_until: held }).where('id', '=', id).where('answer', 'is', null);
    const took = row && row.held_until <= now && (await taken.where('held_until', '=', row.held_until).executeTakeFirst()).numUpdatedRows;
    if (took === 1n) return { held };
    throw new Refusal('idempotency_running', { retryAfter: RETRY_AFTER_S });
  }

  return {
    /** The answer of `work`, which must keep it, or the kept one as `again` makes it whole. Without a key it is just done. */
    async once<T extends object>({ by, key, body }: Asked, work: (keep: Keep) => Promise<T>, again: (answer: T) => T): Promise<T> {
      if (key === undefined) return work(async () => undefined);
      const secret = 'secret' in by ? by.secret : Buffer.from('adminId' in by ? by.openAdminKey() : by.openOwnKey()).toString('base64url');
      const id = vault.keyedHash(secret, 'idempotency-key', Buffer.from(key));
      const claimed = await claim(id, vault.keyedHash(secret, 'idempotency-body', Buffer.from(JSON.stringify(body))));
      if ('answer' in claimed) return again(JSON.parse(claimed.answer) as T);
      const mine = { id, held_until: claimed.held };
      try {
        return await work(async (trx, answer) => {
          const kept = trx
            .updateTable('kept_answers')
            .set({ answer: JSON.stringify(answer) })
            .where('answer', 'is', null)
            .where((row) => row.and(mine));
          // Who was slower than HELD_MS, and was taken over, does nothing.
          if ((await kept.executeTakeFirst()).numUpdatedRows !== 1n)
            throw new Refusal('idempotency_running', { retryAfter: RETRY_AFTER_S });
        });
      } catch (error) {
        // What failed may be tried again at once; where this does not succeed, after HELD_MS.
        const gone = kysely.deleteFrom('kept_answers').where('answer', 'is', null);
        await gone
          .where((row) => row.and(mine))
          .execute()
          .catch(() => undefined);
        throw error;
      }
    },

    async endExpired(): Promise<void> {
      await kysely.deleteFrom('kept_answers').where('expires_at', '<=', clock.now()).execute();
    },
  };
}
