import type { CompiledQuery } from 'kysely';
import { Unavailable } from '../lib/errors.ts';

/** Of one round trip: a connection runs them one after the other. */
const MOST = 16;
/** Longest wait for a round trip that is under way. */
const WAIT_MS = 2;

type Rows = unknown[];
interface Asked extends PromiseWithResolvers<Rows> {
  statement: CompiledQuery;
}

/**
 * Reads that are asked for in the same turn of the event loop, by any requests, go in one round trip (`batch`), and equal ones once, as those
 * for the session of a guest whose page asks for six pictures: for a statement that finds one row by its key the way costs more than the
 * work. While one is under way, others wait for its return, at most WAIT_MS, so that they go with what it lets its requests ask for next. A
 * read that is refused by the database takes no other with it.
 */
export function readTogether(
  batch: (statements: readonly CompiledQuery[]) => Promise<Rows[]>,
): (statement: CompiledQuery) => Promise<Rows> {
  let waiting = new Map<string, Asked>();
  let underWay = 0;
  /** Of those that wait for what is under way. */
  let limit: NodeJS.Timeout | undefined;

  async function send(asked: readonly Asked[]): Promise<void> {
    try {
      const rows = await batch(asked.map(({ statement }) => statement));
      for (const [n, { resolve }] of asked.entries()) resolve(rows[n] as Rows);
    } catch (error) {
      if (asked.length > 1 && !(error instanceof Unavailable)) for (const one of asked) void send([one]);
      else for (const { reject } of asked) reject(error);
    }
  }

  async function sendAll(): Promise<void> {
    const all = [...waiting.values()];
    // Who asks from now on may know of a change that these reads do not see.
    waiting = new Map();
    limit = undefined;
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
    // Each has rows of its own, which it may change.
    return (await asked.promise).map((row) => ({ ...(row as object) }));
  };
}

/** The same for the same values of the same statement; a value that is bytes for one is bytes for all. */
function keyOf({ queryId, parameters }: CompiledQuery): string {
  const values = parameters.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value));
  return JSON.stringify([queryId.queryId, ...values]);
}
