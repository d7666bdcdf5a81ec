import type { CompiledQuery } from 'kysely';
import { Unavailable } from '../lib/errors.ts';

/** Of one round trip: a connection runs them one after the other. */
const MOST = 16;

type Rows = unknown[];
interface Asked extends PromiseWithResolvers<Rows> {
  statement: CompiledQuery;
}

/**
 * Reads that are asked for in the same turn of the event loop, by any requests, go in one round trip (`batch`): for a statement that
 * finds one row by its key the way costs more than the work. A read that is refused by the database takes no other with it.
 */
export function readTogether(
  batch: (statements: readonly CompiledQuery[]) => Promise<Rows[]>,
): (statement: CompiledQuery) => Promise<Rows> {
  let waiting: Asked[] = [];

  async function send(asked: readonly Asked[]): Promise<void> {
    try {
      const rows = await batch(asked.map(({ statement }) => statement));
      for (const [n, { resolve }] of asked.entries()) resolve(rows[n] as Rows);
    } catch (error) {
      if (asked.length > 1 && !(error instanceof Unavailable)) for (const one of asked) void send([one]);
      else for (const { reject } of asked) reject(error);
    }
  }

  function sendAll(): void {
    const all = waiting;
    waiting = [];
    for (let n = 0; n < all.length; n += MOST) void send(all.slice(n, n + MOST));
  }

  return (statement) => {
    const one = { statement, ...Promise.withResolvers<Rows>() };
    if (waiting.push(one) === 1) setImmediate(sendAll);
    return one.promise;
  };
}
