import type { CompiledQuery } from 'kysely';
import { Unavailable } from '../lib/errors.ts';

/** Most reads in one round trip; the connection runs them one after the other. */
const MOST = 16;
/** Time after which a round trip counts as stuck in one of its reads (a lock): the others are sent again, each alone. */
const STUCK_MS = 250;
/** Time for which a stuck statement is sent alone. */
const ALONE_MS = 5000;
/** Most reads that are sent again at the same time: a slow database must not get a multiple of its work. */
const AGAIN_MOST = 64;
/** Longest wait for a round trip in flight. */
const WAIT_MS = 2;

type Rows = unknown[];
interface Asked extends PromiseWithResolvers<Rows> {
  statement: CompiledQuery;
}

/**
 * Sends the reads of one turn of the event loop in one round trip (`batch`), equal reads once: a statement that finds one row by its key
 * costs less than its way. While a round trip is in flight, new reads wait for it (at most WAIT_MS), to join the reads that its answers
 * trigger. A read that the database refuses, or that is stuck in it, does not take others with it.
 */
export function createReadBatcher(
  batch: (statements: readonly CompiledQuery[]) => Promise<Rows[]>,
): (statement: CompiledQuery) => Promise<Rows> {
  let waiting = new Map<string, Asked>();
  let underWay = 0;
  /** Ends the wait for the round trip in flight. */
  let limit: NodeJS.Timeout | undefined;

  /** Statements that are sent alone, each with the end of that time. */
  const alone = new Map<string, number>();
  let again = 0;

  async function send(asked: readonly Asked[]): Promise<void> {
    let apart = false;
    const stuck = setTimeout(() => {
      const [only, ...others] = asked;
      if (others.length === 0 && only) alone.set(only.statement.sql, performance.now() + ALONE_MS);
      else if (again + asked.length <= AGAIN_MOST) {
        apart = true;
        sendApart(asked);
      }
    }, STUCK_MS);
    try {
      const rows = await batch(asked.map(({ statement }) => statement));
      for (const [n, { resolve }] of asked.entries()) resolve(rows[n] as Rows);
    } catch (error) {
      // Reads that were sent again get their own answers.
      if (apart) return;
      if (asked.length > 1 && !(error instanceof Unavailable)) sendApart(asked);
      else for (const { reject } of asked) reject(error);
    } finally {
      clearTimeout(stuck);
    }
  }

  function sendApart(asked: readonly Asked[]): void {
    again += asked.length;
    for (const one of asked) void send([one]).finally(() => again--);
  }

  const goesAlone = ({ statement: { sql } }: Asked): boolean => {
    const until = alone.get(sql);
    if (until === undefined || until > performance.now()) return until !== undefined;
    return !alone.delete(sql);
  };

  async function sendAll(): Promise<void> {
    const [one = [], all = []] = [true, false].map((single) => [...waiting.values()].filter((asked) => goesAlone(asked) === single));
    // Later callers need reads of their own: they may know of a change that these do not see.
    waiting = new Map();
    limit = undefined;
    for (const asked of one) void send([asked]);
    underWay++;
    await Promise.all(Array.from({ length: Math.ceil(all.length / MOST) }, (_, n) => send(all.slice(n * MOST, (n + 1) * MOST))));
    underWay--;
    if (!limit) return;
    clearTimeout(limit);
    limit = undefined;
    setImmediate(sendAll);
  }

  function sendSoon(): void {
    if (underWay === 0) setImmediate(sendAll);
    else limit = setTimeout(sendAll, WAIT_MS);
  }

  return async (statement) => {
    const key = keyOf(statement);
    let asked = waiting.get(key);
    if (!asked) {
      asked = { statement, ...Promise.withResolvers<Rows>() };
      if (waiting.size === 0) sendSoon();
      waiting.set(key, asked);
    }
    // Each caller gets copies of the rows: it may change them.
    return (await asked.promise).map((row) => ({ ...(row as object) }));
  };
}

/** Makes a key that is equal for equal statements with equal values; a value is bytes in all of them or in none. */
function keyOf({ queryId, parameters }: CompiledQuery): string {
  const values = parameters.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value));
  return JSON.stringify([queryId.queryId, ...values]);
}
