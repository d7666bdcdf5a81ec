import { shortAddress } from '../../lib/address.ts';
import { createFairSemaphore } from '../../lib/concurrency/fair-semaphore.ts';
import { WrongSecret } from '../../vault/vault.ts';
import type { Audit } from '../audit/audit.ts';
import type { LimitKey, Limits } from './limits.ts';

/** Logins that wait for their turn: of one network, some seconds of work, and of all. */
const WAITING = { perHolder: 16, total: 1024 };

/** Who tries a password. */
export interface Guesser {
  address: string;
  /** Id of the session that this browser has for the same name: it has proved to be no stranger, and counts for itself. */
  session?: string | undefined;
}

export type Guesses = ReturnType<typeof createGuesses>;

/**
 * Password checks under the limit of their name and address, or session, ahead of argon2. They run one at a time, networks by
 * turns: a flood of made-up names holds up neither the logins of others nor, as the vault hashes two at once, the passwords of
 * guests.
 */
export function createGuesses({ limits, audit }: { limits: Limits; audit: Audit }) {
  const semaphore = createFairSemaphore(1, WAITING);
  return {
    /**
     * What `open` opens, or null where the password is wrong. `open` answers null for unknown names, after the same time.
     * Throws Refusal too_many_attempts, unavailable.
     */
    async attempt<T>({ address, session }: Guesser, name: string, open: () => Promise<T | null>): Promise<T | null> {
      const key: LimitKey = [session ? `session ${session}` : address, name];
      return limits.inTurn('login', key, async () => {
        await limits.check('login', ...key);
        const leave = await semaphore.acquire(session ?? shortAddress(address));
        const opened = await open()
          .catch((error: unknown) => {
            if (error instanceof WrongSecret) return null;
            throw error;
          })
          .finally(leave);
        if (opened !== null) return opened;
        // A mistyped password is nothing to keep; whoever uses up the window is guessing.
        if (await limits.fail('login', ...key)) await audit.record({ actor: 'unknown', action: 'login.limited', address });
        return null;
      });
    },
  };
}
