import { addressNetwork } from '../../lib/address.ts';
import { WrongSecret } from '../../vault/vault.ts';
import type { Audit } from './audit.ts';
import type { Limits } from './limits.ts';

/** Password checks under the limit of their address and name, ahead of argon2. */
export function createGuesses({ limits, audit }: { limits: Limits; audit: Audit }) {
  return {
    /**
     * What `open` opens, or null where the password is wrong. `open` answers null for unknown names, after the same time.
     * Throws Refusal too_many_attempts.
     */
    async attempt<T>(address: string, name: string, open: () => Promise<T | null>): Promise<T | null> {
      const key = [addressNetwork(address), name];
      return limits.inTurn('login', key, async () => {
        await limits.check('login', ...key);
        const opened = await open().catch((error: unknown) => {
          if (error instanceof WrongSecret) return null;
          throw error;
        });
        if (opened !== null) return opened;
        // A mistyped password is nothing to keep; whoever uses up the window is guessing.
        if (await limits.fail('login', ...key)) await audit.record({ actor: 'unknown', action: 'login.limited', address });
        return null;
      });
    },
  };
}
