import { createVault } from '../create-vault.ts';
import type { Vault } from '../vault.ts';

/** The vault with passwords that cost nothing to guess: a tenth of a second for each would be most of what tests take. */
export function createQuickVault(): Vault {
  return createVault({ cost: { memory: 8, passes: 1, parallelism: 1 } });
}
