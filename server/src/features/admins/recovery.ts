import { Refusal } from '../../lib/errors.ts';
import { cleanHostPassword, generateRecoveryCode } from '../../lib/generated-passwords.ts';
import { Tampered, WrongSecret, type KeyOwner, type KeyPair } from '../../vault/vault.ts';
import type { LoginDeps } from '../accounts/accounts.ts';
import type { KeyHolder } from '../operator-keys/operator-keys.ts';
import type { SecondFactor } from '../second-factor/second-factor.ts';
import { cleanAdminName, type AccountKeys } from './account-keys.ts';

const RECOVERY: KeyOwner = { kind: 'recovery', owner: 'code', subject: 'operator' };

type Deps = Pick<LoginDeps, 'db' | 'vault' | 'clock' | 'operatorKeys' | 'audit'> & { keys: AccountKeys; secondFactor: SecondFactor };

/** Creates the recovery code: another way to the operator's keys if no administrator knows a password any more. */
export function createRecovery({ db: { kysely }, vault, clock, operatorKeys, audit, keys: accountKeys, secondFactor }: Deps) {
  const { byName, keysFor, replaceKeys, replacing } = accountKeys;
  return {
    /** Makes a recovery code, which replaces an earlier one. It is only in the returned value; it is not stored. */
    async createRecoveryCode(by: KeyHolder): Promise<string> {
      const code = generateRecoveryCode();
      const keys = vault.createKeyPair();
      const wrapped = await vault.wrapWithPassword(keys, cleanHostPassword(code), RECOVERY);
      await replacing(async (trx) => {
        const sealed_operator_key = operatorKeys.sealForRecovery(keys.publicKey, await operatorKeys.openFor(trx, by));
        const row = { id: 1, public_key: keys.publicKey, wrapped, sealed_operator_key, created_at: clock.now() };
        await trx.deleteFrom('recovery_keys').execute();
        await trx.insertInto('recovery_keys').values(row).execute();
        await audit.record({ actor: `admin:${by.username}`, action: 'admin.recovery-code' }, trx);
      });
      return code;
    },

    /** Returns the key pair that the recovery code opens, or null if the code is wrong. Does not use up the code. */
    async openRecovery(code: string): Promise<KeyPair | null> {
      const row = await kysely.selectFrom('recovery_keys').selectAll().where('id', '=', 1).executeTakeFirst();
      if (!row) return null;
      try {
        const privateKey = await vault.openWithPassword(row.wrapped, cleanHostPassword(code), RECOVERY, row.public_key);
        return { publicKey: row.public_key, privateKey };
      } catch (error) {
        if (error instanceof WrongSecret || error instanceof Tampered) return null;
        throw error;
      }
    },

    /**
     * Sets an administrator's new password by a checked recovery code and uses the code up. Removes the second factors: their secret can be
     * opened only with the key of the old password. False if the code was used in between.
     */
    async recover(proof: KeyPair, username: string, password: string): Promise<boolean> {
      const admin = await byName(cleanAdminName(username));
      if (admin?.role !== 'admin') throw new Refusal('admin_not_found');
      const { row } = await keysFor('admin', admin.id, password);
      return replacing(async (trx) => {
        await operatorKeys.hold(trx, 'alone');
        // Deletes exactly the proved code: it works only once, and a newer code stays.
        const used = await trx.deleteFrom('recovery_keys').where('public_key', '=', proof.publicKey).returningAll().executeTakeFirst();
        if (!used) return false;
        await replaceKeys(trx, operatorKeys.openForRecovery(proof.privateKey, used.sealed_operator_key), row);
        await secondFactor.forget(trx, admin.id);
        await audit.record({ actor: `admin:${admin.username}`, action: 'admin.recovered' }, trx);
        return true;
      });
    },
  };
}
