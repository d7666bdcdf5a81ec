import type { Db, Trx } from '../../database/open.ts';
import type { Bytes } from '../../lib/bytes.ts';
import type { Clock } from '../../lib/clock.ts';
import { Refusal } from '../../lib/errors.ts';
import type { KeyPair, Vault } from '../../vault/vault.ts';

/** Whoever can open an administrator's private key: a session's token or a password. */
export interface KeyHolder {
  adminId: string;
  publicKey: Bytes;
  openAdminKey(): Bytes;
}

export type OperatorKeys = ReturnType<typeof createOperatorKeys>;

/**
 * The operator's key pair. Each event's private key is sealed to it, and its private key to each administrator and to the
 * recovery code, so that a renewal needs nobody's password but one.
 */
export function createOperatorKeys({ db, vault, clock }: { db: Db; vault: Vault; clock: Clock }) {
  const locking = db.engine === 'postgres';
  const eventInfo = (eventId: string): string => `feierbild event key for operator ${eventId}`;
  const adminInfo = (adminId: string): string => `feierbild operator key for admin ${adminId}`;
  const recoveryInfo = 'feierbild operator key for recovery code';

  /** The public key as it stays until the transaction ends: it is not renewed meanwhile, or nobody else uses it. */
  async function hold(trx: Trx, how: 'share' | 'alone'): Promise<Bytes> {
    const query = trx.selectFrom('operator_keys').select('public_key').where('id', '=', 1);
    const locked = how === 'share' ? query.$if(locking, (q) => q.forShare()) : query.$if(locking, (q) => q.forUpdate());
    return (await locked.executeTakeFirstOrThrow()).public_key;
  }

  /** The operator's private key. Refuses an administrator who was removed or whose key was renewed meanwhile. */
  async function openFor(trx: Trx, admin: KeyHolder): Promise<Bytes> {
    const row = await trx.selectFrom('admin_keys').selectAll().where('admin_id', '=', admin.adminId).executeTakeFirst();
    return opened(admin, row?.public_key ?? null, row?.sealed_operator_key ?? null);
  }

  function opened(admin: KeyHolder, publicKey: Bytes | null, sealed: Bytes | null): Bytes {
    if (!publicKey || Buffer.compare(publicKey, admin.publicKey) !== 0) throw new Refusal('login_required');
    const key = admin.openAdminKey();
    return sealed ? vault.open(key, sealed, adminInfo(admin.adminId)) : key;
  }

  return {
    hold,
    openFor,
    openForRecovery: (privateKey: Bytes, sealed: Bytes): Bytes => vault.open(privateKey, sealed, recoveryInfo),
    sealForAdmin: (adminPublicKey: Bytes, operatorKey: Bytes, adminId: string): Bytes =>
      vault.seal(adminPublicKey, operatorKey, adminInfo(adminId)),
    sealForRecovery: (publicKey: Bytes, operatorKey: Bytes): Bytes => vault.seal(publicKey, operatorKey, recoveryInfo),

    /** Seals a new event's private key, so that the operator can create and reset its host; stored by the same transaction. */
    async sealEventKey(trx: Trx, eventId: string, privateKey: Bytes): Promise<Bytes> {
      return vault.seal(await hold(trx, 'share'), privateKey, eventInfo(eventId));
    },

    /** An event's key pair. One query, so that both sealed keys are of the same operator's key pair. */
    async openEventKeys(admin: KeyHolder, eventId: string): Promise<KeyPair> {
      const row = await db.kysely
        .selectFrom('event_keys')
        .leftJoin('admin_keys', (join) => join.on('admin_keys.admin_id', '=', admin.adminId))
        .select(['event_keys.public_key', 'event_keys.sealed_for_operator'])
        .select(['admin_keys.public_key as admin_public_key', 'admin_keys.sealed_operator_key'])
        .where('event_keys.event_id', '=', eventId)
        .executeTakeFirst();
      if (!row) throw new Refusal('event_purged');
      const operatorKey = opened(admin, row.admin_public_key, row.sealed_operator_key);
      return { publicKey: row.public_key, privateKey: vault.open(operatorKey, row.sealed_for_operator, eventInfo(eventId)) };
    },

    /**
     * Replaces the operator's key pair: everything sealed to the old one is sealed anew, to the administrators and the recovery
     * code there are by then. The caller holds it alone, so that this happens wholly or not at all.
     */
    async renew(trx: Trx, operatorKey: Bytes): Promise<void> {
      const fresh = vault.createKeyPair();
      await trx.updateTable('operator_keys').set({ public_key: fresh.publicKey, created_at: clock.now() }).where('id', '=', 1).execute();
      for (const { event_id: id, sealed_for_operator: sealed } of await trx.selectFrom('event_keys').selectAll().execute()) {
        const privateKey = vault.open(operatorKey, sealed, eventInfo(id));
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
