import { createVault, type Vault } from '../vault.ts';

/** For tests: creates the vault with a fast password hash. The real one would take most of the tests' time. */
export function createQuickVault(): Vault {
  return createVault({ cost: { memory: 8, passes: 1, parallelism: 1 } });
}
