import type { Trx } from '../../database/open.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';
import type { KeyPair } from '../../vault/vault.ts';
import type { Context } from '../context.ts';
import type { KeyAlarm } from '../key-alarm/key-alarm.ts';

/** An administrator whose private key can be opened, by a session's token or a password. */
export interface KeyHolder {
  adminId: string;
  username: string;
  publicKey: Bytes;
  openAdminKey(): Bytes;
}

export type OperatorKeys = ReturnType<typeof createOperatorKeys>;

/**
 * Creates the operator's key pair. Each event's private key is sealed to its public key. Its private key is sealed to each administrator
 * and to the recovery code, so that a renewal needs the password of only one administrator.
 */
export function createOperatorKeys({ db, vault, clock, keyAlarm }: Pick<Context, 'db' | 'vault' | 'clock'> & { keyAlarm: KeyAlarm }) {
  const eventInfo = (eventId: string): string => `feierbild event key for operator ${eventId}`;
  const adminInfo = (adminId: string): string => `feierbild operator key for admin ${adminId}`;
  const recoveryInfo = 'feierbild operator key for recovery code';

  /** Locks the public key until the transaction ends: `share` prevents a renewal, `alone` also any other use. */
  async function hold(trx: Trx, how: 'share' | 'alone'): Promise<Bytes> {
    const query = trx.selectFrom('operator_keys').select('public_key').where('id', '=', 1);
    return (await (how === 'share' ? query.forShare() : query.forUpdate()).executeTakeFirstOrThrow()).public_key;
  }

  /** Selects the operator's public key, and the administrator's key and copy of the private one. */
  const keysFor = (from: Pick<Trx, 'selectFrom'>, { adminId }: KeyHolder) =>
    from
      .selectFrom('operator_keys')
      .leftJoin('admin_keys', (join) => join.on('admin_keys.admin_id', '=', adminId))
      .select(['operator_keys.public_key', 'admin_keys.public_key as admin_public_key', 'admin_keys.sealed_operator_key'])
      .where('operator_keys.id', '=', 1);

  /**
   * Opens the operator's private key, with the public one locked. Throws Refusal `login_required` if the administrator was removed or has a
   * new key.
   */
  async function openFor(trx: Trx, admin: KeyHolder, how: 'share' | 'alone' = 'share'): Promise<Bytes> {
    await hold(trx, how);
    return opened(admin, await keysFor(trx, admin).executeTakeFirstOrThrow());
  }

  function opened(admin: KeyHolder, row: { public_key: Bytes; admin_public_key: Bytes | null; sealed_operator_key: Bytes | null }): Bytes {
    const { public_key: publicKey, admin_public_key: adminPublicKey, sealed_operator_key: sealed } = row;
    if (!adminPublicKey || Buffer.compare(adminPublicKey, admin.publicKey) !== 0) throw new Refusal('login_required');
    const key = admin.openAdminKey();
    return keyAlarm.guard({ admin: admin.username }, () =>
      vault.provePrivateKey(sealed ? vault.open(key, sealed, adminInfo(admin.adminId)) : key, publicKey),
    );
  }

  function openedForRenewal(operatorKey: Bytes, eventId: string, sealed: Bytes): Bytes | null {
    try {
      return keyAlarm.guard({ eventId }, () => vault.open(operatorKey, sealed, eventInfo(eventId)));
    } catch (error) {
      if (error instanceof Refusal && error.code === 'key_tampered') return null;
      throw error;
    }
  }

  return {
    hold,
    openFor,
    openForRecovery: (privateKey: Bytes, sealed: Bytes): Bytes => vault.open(privateKey, sealed, recoveryInfo),
    sealForAdmin: (adminPublicKey: Bytes, operatorKey: Bytes, adminId: string): Bytes =>
      vault.seal(adminPublicKey, operatorKey, adminInfo(adminId)),
    sealForRecovery: (publicKey: Bytes, operatorKey: Bytes): Bytes => vault.seal(publicKey, operatorKey, recoveryInfo),

    /** Seals a new event's private key, so that the operator can create and reset its host. Must be stored in the same transaction. */
    async sealEventKey(trx: Trx, eventId: string, privateKey: Bytes, admin: KeyHolder | null): Promise<Bytes> {
      const publicKey = await hold(trx, 'share');
      // With an administrator's key, the operator's public key can be checked.
      if (admin) await openFor(trx, admin);
      return vault.seal(publicKey, privateKey, eventInfo(eventId));
    },

    /**
     * Opens an event's key pair. Uses one query, so that both sealed keys belong to the same operator's key pair. Throws Refusal
     * `event_purged`, `login_required`, `key_tampered`.
     */
    async openEventKeys(admin: KeyHolder, eventId: string): Promise<KeyPair> {
      const row = await keysFor(db.kysely, admin)
        .innerJoin('event_keys', (join) => join.on('event_keys.event_id', '=', eventId))
        .select(['event_keys.public_key as publicKey', 'event_keys.sealed_for_operator'])
        .executeTakeFirst();
      if (!row) throw new Refusal('event_purged');
      const { publicKey, sealed_for_operator: sealed } = row;
      const operatorKey = opened(admin, row);
      const privateKey = keyAlarm.guard({ eventId }, () =>
        vault.provePrivateKey(vault.open(operatorKey, sealed, eventInfo(eventId)), publicKey),
      );
      return { publicKey, privateKey };
    },

    /**
     * Replaces the operator's key pair: seals everything sealed to the old pair to the new one, and the new one to all current
     * administrators and the recovery code. The caller must have locked it with `alone`.
     */
    async renew(trx: Trx, operatorKey: Bytes): Promise<void> {
      const fresh = vault.createKeyPair();
      await trx.updateTable('operator_keys').set({ public_key: fresh.publicKey, created_at: clock.now() }).where('id', '=', 1).execute();
      for (const { event_id: id, sealed_for_operator: sealed } of await trx.selectFrom('event_keys').selectAll().execute()) {
        const privateKey = openedForRenewal(operatorKey, id, sealed);
        // An event whose key was changed in the database is skipped.
        if (!privateKey) continue;
        const sealed_for_operator = vault.seal(fresh.publicKey, privateKey, eventInfo(id));
        await trx.updateTable('event_keys').set({ sealed_for_operator }).where('event_id', '=', id).execute();
      }
      for (const { admin_id: id, public_key: publicKey } of await trx.selectFrom('admin_keys').selectAll().execute()) {
        const sealed_operator_key = vault.seal(publicKey, fresh.privateKey, adminInfo(id));
        await trx.updateTable('admin_keys').set({ sealed_operator_key }).where('admin_id', '=', id).execute();
      }
      const recovery = await trx.selectFrom('recovery_keys').select('public_key').executeTakeFirst();
      if (recovery) {
        const sealed_operator_key = vault.seal(recovery.public_key, fresh.privateKey, recoveryInfo);
        await trx.updateTable('recovery_keys').set({ sealed_operator_key }).execute();
      }
    },
  };
}
