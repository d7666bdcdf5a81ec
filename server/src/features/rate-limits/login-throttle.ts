import { LOGIN_FAILURES } from '@feierbild/contract/constants.ts';
import { addressNetwork, networkPath } from '../../lib/address.ts';
import { createSingleFlight } from '../../lib/concurrency/single-flight.ts';
import type { Owner } from '../../lib/concurrency/fair-queue.ts';
import { Tampered, WrongSecret, type Vault } from '../../vault/vault.ts';
import type { Audit } from '../audit/audit.ts';
import type { LimitKey, RateLimits } from './rate-limits.ts';

/** Most pairs of network and name whose right passwords are counted; more than all hosts that log in on one day. */
const SUCCESSES_MAX = 1000;

/** The client that tries a password. */
export interface Guesser {
  address: string;
  /** Proof of an earlier login of this browser under the same name. Its failures and its waiting time are counted separately. */
  proof?: string | undefined;
}

/** The account whose password is tried, and the way to open its key. */
export interface Lock<Row, Opened> {
  /** The stored name: 'host:<code>', 'admin:<name>'. */
  name: string;
  password: string;
  /** The row of that name, or undefined if there is none. */
  find(): Promise<Row | undefined>;
  /** Opens the row; the vault hashes on behalf of `caller`. */
  open(row: Row, caller: Owner): Promise<Opened>;
  /** Called if the password was right, but the opened key was changed in the database. */
  onTampered(row: Row): Promise<void>;
}

export type LoginThrottle = ReturnType<typeof createLoginThrottle>;

/**
 * Checks passwords with a limit by name and sender; each attempt is counted before argon2 runs. The time for hashing is shared fairly: each
 * existing name of a network has a queue of its own, all unknown names of a network share one queue.
 */
export function createLoginThrottle({ limits, audit, vault }: { limits: RateLimits; audit: Audit; vault: Vault }) {
  /** Number of right passwords by network and name. */
  const successes = new Map<string, number>();
  /** Networks whose last record is younger than a window. */
  const noted = createSingleFlight<void>({ successMs: LOGIN_FAILURES.window });

  return {
    /**
     * Returns the opened key, or null if the password is wrong. Unknown names take the same time. Throws Refusal too_many_attempts,
     * unavailable.
     */
    async attempt<Row, Opened>({ address, proof }: Guesser, lock: Lock<Row, Opened>): Promise<Opened | null> {
      const key: LimitKey = [proof ?? address, lock.name];
      return limits.serialized('login', key, async (attempt) => {
        const row = await lock.find();
        const [site = '', ...rest] = networkPath(address);
        // Existing names have queues of their own, so that attempts with unknown names from the same network do not delay them. Each right
        // password begins a new queue, without the time used so far.
        const line = `${site} ${row ? lock.name : 'unknown'}`;
        const turn = [`${line} ${successes.get(line) ?? 0}`, ...rest];
        // Known browsers get half of the time, all others together the other half, however many those are. The browsers of one name share a
        // queue: who has a password can make any number of them.
        const opened = await tried(lock, row, proof ? ['known', lock.name, proof] : ['unknown', ...turn]);
        if (opened !== null) {
          if (!proof) noteSuccess(line);
          return opened;
        }
        // Only the failure that uses up the window is recorded, once a window: single wrong passwords are normal, and each made-up name has
        // a window of its own.
        if (attempt.failed())
          await noted.run(addressNetwork(address), () => audit.record({ actor: 'unknown', action: 'login.limited', address }));
        return null;
      });
    },
  };

  function noteSuccess(line: string): void {
    const [oldest] = successes.keys();
    if (successes.size >= SUCCESSES_MAX && oldest !== undefined) successes.delete(oldest);
    successes.set(line, (successes.get(line) ?? 0) + 1);
  }

  async function tried<Row, Opened>(lock: Lock<Row, Opened>, row: Row | undefined, caller: Owner): Promise<Opened | null> {
    if (row === undefined) return vault.spendPasswordTime(lock.password, caller).then(() => null);
    try {
      return await lock.open(row, caller);
    } catch (error) {
      if (error instanceof Tampered) await lock.onTampered(row);
      else if (!(error instanceof WrongSecret)) throw error;
      return null;
    }
  }
}
