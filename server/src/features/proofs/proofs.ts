import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Db } from '../../database/open.ts';
import { createInstallationKey } from '../../database/settings.ts';
import type { Bytes } from '../../lib/bytes.ts';
import type { Vault } from '../../vault/vault.ts';

export type Proof = (purpose: string, ...fields: string[]) => Promise<string>;

/** Makes proofs for cookies, links in mails and counters: HMAC-SHA-256 of purpose and fields under the installation's key, base64url. */
export function createProof(db: Pick<Db, 'kysely'>): Proof {
  const installationKey = createInstallationKey(db);
  return async (...of) =>
    createHmac('sha256', await installationKey())
      .update(JSON.stringify(of))
      .digest('base64url');
}

/** Makes proofs under a key derived for the purpose, as bytes: for keys, and for proofs that others check (docs/receipt-format.md). */
export function createDerivedProof(db: Pick<Db, 'kysely'>, vault: Pick<Vault, 'keyedHash'>) {
  const installationKey = createInstallationKey(db);
  return async (purpose: string, data: string): Promise<Bytes> =>
    vault.keyedHash(Buffer.from(await installationKey()).toString('base64url'), purpose, Buffer.from(data));
}

/** Compares a given proof with the right one, in constant time. */
export function isProof(right: string, given: string): boolean {
  const [one, other] = [Buffer.from(right), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}
