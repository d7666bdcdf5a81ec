import { networkPath } from '../../lib/address.ts';
import type { Owner } from '../../lib/concurrency/time-sharing-queue.ts';
import { Tampered, WrongSecret, type Vault } from '../../vault/vault.ts';
import type { Audit } from '../audit/audit.ts';
import type { LimitKey, Limits } from './limits.ts';

/** Networks and names whose right passwords are counted; a house has fewer hosts in a day. */
const SUCCESSES_MAX = 1000;

/** Who tries a password. */
export interface Guesser {
  address: string;
  /** What this browser has of an earlier login under the same name: it is no stranger, and is counted and waits by itself. */
  proof?: string | undefined;
}

/** Whose password is tried, and how it is opened. */
export interface Lock<Row, Opened> {
  /** The name as it is stored: 'host:<code>', 'admin:<name>'. */
  name: string;
  password: string;
  /** The row of that name, or undefined where there is none. */
  find(): Promise<Row | undefined>;
  /** Opens the row; `caller` says for whom the vault hashes. */
  open(row: Row, caller: Owner): Promise<Opened>;
  /** The password was right, but what it opens was changed in the database. */
  onTampered(row: Row): Promise<void>;
}

export type Guesses = ReturnType<typeof createGuesses>;

/**
 * Password checks under the limit of their name and sender, which is asked before argon2 runs. Senders share the time for
 * hashing: each existing name of a network waits by itself, all unknown names of a network wait together.
 */
export function createGuesses({ limits, audit, vault }: { limits: Limits; audit: Audit; vault: Vault }) {
  /** Right passwords, by network and name. */
  const successes = new Map<string, number>();

  return {
    /**
     * What the password opens, or null where it is wrong. Unknown names take the same time. Throws Refusal too_many_attempts,
     * unavailable.
     */
    async attempt<Row, Opened>({ address, proof }: Guesser, lock: Lock<Row, Opened>): Promise<Opened | null> {
      const key: LimitKey = [proof ?? address, lock.name];
      return limits.inTurn('login', key, async () => {
        await limits.check('login', ...key);
        const row = await lock.find();
        const line = waitingLine(address, row && lock.name);
        // Known browsers share the time with all strangers half and half, however many those are.
        const opened = await tried(lock, row, proof ? ['known', proof] : ['strangers', ...line]);
        if (opened !== null) {
          if (!proof) noteSuccess(line);
          return opened;
        }
        // One wrong password is no news; whoever uses up the window is guessing.
        if (await limits.fail('login', ...key)) await audit.record({ actor: 'unknown', action: 'login.limited', address });
        return null;
      });
    },
  };

  /**
   * An existing name comes before the network, so that whoever tries made-up names in it delays nobody but the like. After a right
   * password the line is a new one: it owes no time for logins that were right.
   */
  function waitingLine(address: string, name: string | undefined): Owner {
    const [site = '', ...rest] = networkPath(address);
    if (name === undefined) return [`${site} unknown`, ...rest];
    const line = `${site} ${name}`;
    return [`${line} ${successes.get(line) ?? 0}`, ...rest];
  }

  function noteSuccess([first = '']: Owner): void {
    const line = first.slice(0, first.lastIndexOf(' '));
    if (successes.size >= SUCCESSES_MAX) for (const oldest of successes.keys()) if (successes.delete(oldest)) break;
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
