import { IDEMPOTENCY_KEPT } from '@feierbild/contract/constants.ts';
import type { Trx } from '../../database/open.ts';
import type { Operator } from '../../http/visitor.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Context } from '../context.ts';

interface Asked {
  by: Operator;
  key: string | undefined;
  /** The parsed body. */
  body: object;
}

/**
 * Stores the answer together with the change that it reports, in one transaction. The answer must contain no secrets: what the database
 * seals must not be readable here.
 */
export type Keep = (trx: Trx, answer: object) => Promise<void>;

/** Thrown if another call with the same key was committed first. */
class Repeated extends Error {}

export type Idempotency = ReturnType<typeof createIdempotency>;

/**
 * Creates the handling of calls that are repeated under the same Idempotency-Key (draft-ietf-httpapi-idempotency-key-header). Only the
 * first committed call takes effect; all others get its answer. Keys and bodies are stored as hashes keyed by the caller's secret: two
 * callers never collide, and a body's passwords cannot be guessed from its hash.
 */
export function createIdempotency({ db, vault, clock }: Pick<Context, 'db' | 'vault' | 'clock'>) {
  const { kysely } = db;

  /** Returns the kept answer, or null. Throws Refusal `idempotency_reused`. */
  async function find<T>(id: Bytes, body: Bytes): Promise<T | null> {
    const row = await kysely
      .selectFrom('kept_answers')
      .selectAll()
      .where('id', '=', id)
      .where('expires_at', '>', clock.now())
      .executeTakeFirst();
    if (row && Buffer.compare(row.body, body) !== 0) throw new Refusal('idempotency_reused');
    return row ? (JSON.parse(row.answer) as T) : null;
  }

  return {
    /** Returns the answer of `work`, which must keep it, or the kept answer, which `again` completes. Without a key it only runs `work`. */
    async once<T extends object>({ by, key, body: sent }: Asked, work: (keep: Keep) => Promise<T>, again: (answer: T) => T): Promise<T> {
      if (key === undefined) return work(async () => undefined);
      const secret = 'secret' in by ? by.secret : Buffer.from('adminId' in by ? by.openAdminKey() : by.openOwnKey()).toString('base64url');
      const id = vault.keyedHash(secret, 'idempotency-key', Buffer.from(key));
      const body = vault.keyedHash(secret, 'idempotency-body', Buffer.from(JSON.stringify(sent)));
      const there = await find<T>(id, body);
      if (there) return again(there);
      try {
        return await work(async (trx, answer) => {
          const now = clock.now();
          await trx.deleteFrom('kept_answers').where('id', '=', id).where('expires_at', '<=', now).execute();
          // The insert waits while another call with this key is being committed.
          const kept = trx
            .insertInto('kept_answers')
            .values({ id, body, answer: JSON.stringify(answer), expires_at: now + IDEMPOTENCY_KEPT })
            .onConflict((conflict) => conflict.column('id').doNothing());
          if ((await kept.executeTakeFirst()).numInsertedOrUpdatedRows !== 1n) throw new Repeated('another call was first');
        });
      } catch (error) {
        // The first call may be the cause of a refusal, for example by taking the last place.
        const mayBeSecond = error instanceof Repeated || error instanceof Refusal;
        const first = mayBeSecond ? await find<T>(id, body) : null;
        if (!first) throw error;
        return again(first);
      }
    },

    async endExpired(): Promise<void> {
      await kysely.deleteFrom('kept_answers').where('expires_at', '<=', clock.now()).execute();
    },
  };
}
