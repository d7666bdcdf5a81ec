import type { AccountRole } from '@feierbild/contract/calls/accounts.ts';
import type { Factors } from '@feierbild/contract/calls/factors.ts';
import { PASSKEYS_MAX } from '@feierbild/contract/constants.ts';
import type { GivenFactor, NewPasskey } from '@feierbild/contract/second-factor.ts';
import type { Kysely } from 'kysely';
import { KEYS } from '../../database/accounts.ts';
import { isUniqueViolation } from '../../database/errors.ts';
import type { Database, Trx } from '../../database/schema.ts';
import type { Staff } from '../../http/visitor.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';
import { isUuid, uuidv7 } from '../../lib/ids.ts';
import type { Audit } from '../audit/audit.ts';
import type { Context } from '../context.ts';
import type { KeyAlarm } from '../key-alarm/key-alarm.ts';
import type { Guesser } from '../rate-limits/login-throttle.ts';
import type { Attempt, RateLimits } from '../rate-limits/rate-limits.ts';
import type { KeyHolder } from '../operator-keys/operator-keys.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { SettingsFeature } from '../settings/settings.ts';
import { createPasskeys } from './passkeys.ts';
import { newSecret, stepOf, totpUri } from './totp.ts';
import { iso } from '../../lib/clock.ts';

export type SecondFactor = ReturnType<typeof createSecondFactor>;

interface Deps extends Pick<Context, 'db' | 'vault' | 'clock'> {
  audit: Audit;
  limits: Pick<RateLimits, 'serialized'>;
  sessions: Pick<Sessions, 'endOfAdmin'>;
  keyAlarm: Pick<KeyAlarm, 'guard'>;
  settings: Pick<SettingsFeature, 'get'>;
  business(): { business: { identity: { brand: string } } };
}

/** The sender of a second factor, and the address of the pages on which it was given. */
export interface Claimant extends Guesser {
  /** Proof of an earlier second factor of this browser under the same name; its failures are counted separately. */
  factorProof?: string | undefined;
  origin: string;
}

/**
 * An account with the means to open its own private key: a session, or a password together with the wrapped key. An assistant's key opens
 * no other key.
 */
export interface Account extends KeyHolder {
  role: AccountRole;
  wrapped?: Bytes;
}

/** An account with its session. */
export interface AccountHere extends Account {
  sessionId: string;
}

/** Records the use of a factor in the transaction that it allows. Throws Refusal second_factor_wrong if it was used before. */
type Use = (trx: Trx) => Promise<void>;

/**
 * Second factors of administrators and assistants; the password alone opens keys. The secret of codes is sealed to its account, so that it
 * can be read only with the password; passkeys leave nothing secret here.
 */
export function createSecondFactor({ db, vault, clock, audit, limits, sessions, keyAlarm, settings, business }: Deps) {
  const { kysely } = db;
  const passkeys = createPasskeys({ db, vault, clock });
  const secretInfo = (adminId: string): string => `feierbild secret of one-time codes of admin ${adminId}`;

  async function read(from: Kysely<Database>, adminId: string) {
    const totp = await from.selectFrom('totp_factors').selectAll().where('admin_id', '=', adminId).executeTakeFirst();
    const keys = await from
      .selectFrom('passkeys')
      .selectAll()
      .where('admin_id', '=', adminId)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    const confirmed = totp && totp.confirmed_at !== null ? totp : null;
    return { totp: confirmed, begun: confirmed ? null : (totp ?? null), passkeys: keys, any: confirmed !== null || keys.length > 0 };
  }
  type Rows = Awaited<ReturnType<typeof read>>;

  /**
   * Runs `work` in a transaction with an administrator's keys locked: `share` against a change, `alone` also against logins. Throws Refusal
   * invalid_credentials if they, or the password, were changed.
   */
  const holding = <T>({ role, adminId, publicKey, wrapped }: Account, how: 'share' | 'alone', work: (trx: Trx) => Promise<T>): Promise<T> =>
    db.transaction(async (trx) => {
      const own = trx.selectFrom(KEYS[role]).select('admin_id').where('admin_id', '=', adminId).where('public_key', '=', publicKey);
      const keys = own.$if(wrapped !== undefined, (query) => query.where('wrapped', '=', wrapped as Bytes));
      if (!(await (how === 'share' ? keys.forShare() : keys.forUpdate()).executeTakeFirst())) throw new Refusal('invalid_credentials');
      return work(trx);
    });

  function open(admin: KeyHolder, sealed: Bytes): string {
    const secret = keyAlarm.guard({ admin: admin.username }, () => vault.open(admin.openAdminKey(), sealed, secretInfo(admin.adminId)));
    return Buffer.from(secret).toString();
  }

  const seal = (publicKey: Bytes, adminId: string, secret: string): Bytes =>
    vault.seal(publicKey, Buffer.from(secret), secretInfo(adminId));

  /** Throws Refusal second_factor_wrong. */
  async function check(admin: KeyHolder, rows: Rows, given: GivenFactor, origin: string): Promise<Use> {
    const now = clock.now();
    const { adminId } = admin;
    if ('totp' in given) {
      const step = rows.totp && stepOf(open(admin, rows.totp.sealed_secret), given.totp, now);
      if (step === null) throw new Refusal('second_factor_wrong');
      return async (trx) => {
        // If several requests send the same code, on any nodes, only the first succeeds.
        const using = trx.updateTable('totp_factors').set({ last_step: step, last_used_at: now }).where('admin_id', '=', adminId);
        mustBeOne(await using.where('confirmed_at', 'is not', null).where('last_step', '<', step).executeTakeFirst());
      };
    }
    const signer = await passkeys.verify(adminId, rows.passkeys, given.passkey, origin);
    if (!signer) throw new Refusal('second_factor_wrong');
    const { id, counter } = signer;
    return async (trx) => {
      const using = trx.updateTable('passkeys').set({ counter, last_used_at: now }).where('id', '=', id);
      // Many passkeys have no counter: it stays 0.
      mustBeOne(await using.where((is) => is.or([is('counter', '<', counter), is('counter', '=', 0)])).executeTakeFirst());
    };
  }

  /** Ends older sessions after the first factor, and records it; `before`: the factors until then. */
  async function added(trx: Trx, admin: AccountHere, before: Rows, address: string): Promise<void> {
    // Other sessions began without a second factor.
    if (!before.any) await sessions.endOfAdmin(admin.adminId, trx, admin.sessionId);
    await audit.record({ actor: `${admin.role}:${admin.username}`, action: 'factor.added', address }, trx);
  }

  /** Removes all factors of an administrator; returns true if there were any. */
  async function forget(trx: Trx, adminId: string): Promise<boolean> {
    const { any } = await read(trx, adminId);
    await trx.deleteFrom('totp_factors').where('admin_id', '=', adminId).execute();
    await trx.deleteFrom('passkeys').where('admin_id', '=', adminId).execute();
    return any;
  }

  return {
    /** Reads the factors of an administrator. */
    async of(adminId: string): Promise<Factors> {
      const { totp, passkeys: keys } = await read(kysely, adminId);
      return {
        required: settings.get('access')?.secondFactor ?? false,
        totp: totp && { created_at: iso(totp.confirmed_at ?? totp.created_at), last_used_at: iso(totp.last_used_at) },
        passkeys: keys.map(({ id, name, created_at, last_used_at }) => {
          return { id, name, created_at: iso(created_at), last_used_at: iso(last_used_at) };
        }),
      };
    },

    /**
     * Does `work` for an administrator whose password was right, in a transaction that uses up the second factor; `secured` tells whether
     * the account has one. Wrong factors are counted and noted. Throws Refusal second_factor_required, with the factors that there are,
     * second_factor_wrong, too_many_attempts, and invalid_credentials if the password was changed meanwhile.
     */
    async pass<T>(
      admin: Account,
      given: GivenFactor | undefined,
      claimant: Claimant,
      work: (trx: Trx) => Promise<T>,
    ): Promise<T & { secured: boolean }> {
      const { role, adminId, username } = admin;
      const { address, factorProof, origin } = claimant;
      // The secret of codes is sealed to the account's key: a new password may have come since that one was read.
      const rows = await holding(admin, 'share', (trx) => read(trx, adminId));
      const done = (use?: Use): Promise<T & { secured: boolean }> =>
        holding(admin, 'share', async (trx) => {
          if (use) await use(trx);
          // Another session has just added the first factor: none may begin without it.
          else if ((await read(trx, adminId)).any) throw new Refusal('second_factor_required');
          return { ...(await work(trx)), secured: use !== undefined };
        });
      if (!rows.any) return done();
      if (!given) {
        const passkey = rows.passkeys.length > 0 ? await passkeys.ask(adminId, rows.passkeys, origin) : null;
        throw new Refusal('second_factor_required', { secondFactor: { totp: rows.totp !== null, passkey: passkey && { ...passkey } } });
      }
      const tried = async (attempt?: Attempt): Promise<T & { secured: boolean }> => {
        try {
          return await done(await check(admin, rows, given, origin));
        } catch (error) {
          if (!(error instanceof Refusal) || error.code !== 'second_factor_wrong') throw error;
          attempt?.failed();
          await audit.record({ actor: `${role}:${username}`, action: 'factor.failed', address });
          throw error;
        }
      };
      // A signature cannot be guessed: guesses at codes must not keep a passkey out.
      if ('passkey' in given) return tried();
      // The limit is by account: somebody who knows a password may have many networks.
      return limits.serialized('second-factor', [factorProof ?? 'anybody', adminId], tried);
    },

    /** Makes the secret of codes; it counts once `confirmTotp` has got a code. Throws Refusal totp_exists, invalid_credentials. */
    async beginTotp(admin: Account): Promise<{ secret: string; uri: string }> {
      const { adminId, publicKey, username } = admin;
      const secret = newSecret();
      const row = { sealed_secret: seal(publicKey, adminId, secret), last_step: 0, created_at: clock.now() };
      await holding(admin, 'share', async (trx) => {
        const begun = trx
          .insertInto('totp_factors')
          .values({ ...row, admin_id: adminId, confirmed_at: null, last_used_at: null })
          .onConflict((conflict) => conflict.column('admin_id').doUpdateSet(row).where('totp_factors.confirmed_at', 'is', null));
        if (!(await begun.returning('admin_id').executeTakeFirst())) throw new Refusal('totp_exists');
      });
      return { secret, uri: totpUri(secret, business().business.identity.brand, username) };
    },

    /** Throws Refusal factor_not_found if none was begun, and invalid_input with the field's text for a wrong code. */
    async confirmTotp(admin: AccountHere, code: string, address: string): Promise<void> {
      await holding(admin, 'alone', async (trx) => {
        const before = await read(trx, admin.adminId);
        if (!before.begun) throw new Refusal('factor_not_found');
        const now = clock.now();
        const step = stepOf(open(admin, before.begun.sealed_secret), code, now);
        if (step === null) throw invalid('code', 'Dieser Code stimmt nicht. Stimmt die Uhr des Handys?');
        const confirmed = { confirmed_at: now, last_step: step };
        await trx.updateTable('totp_factors').set(confirmed).where('admin_id', '=', admin.adminId).execute();
        await added(trx, admin, before, address);
      });
    },

    /** Returns the options with which a browser makes a new passkey. Throws Refusal too_many_passkeys. */
    async offerPasskey(admin: KeyHolder, origin: string): Promise<Record<string, unknown>> {
      const rows = await read(kysely, admin.adminId);
      if (rows.passkeys.length >= PASSKEYS_MAX) throw new Refusal('too_many_passkeys');
      return { ...(await passkeys.offer(admin, rows.passkeys, business().business.identity.brand, origin)) };
    },

    /** Throws Refusal passkey_refused, too_many_passkeys. */
    async addPasskey(admin: AccountHere, name: string, passkey: NewPasskey, origin: string, address: string): Promise<void> {
      const columns = await passkeys.accept(admin.adminId, passkey, origin);
      if (!columns) throw new Refusal('passkey_refused');
      const now = clock.now();
      try {
        await holding(admin, 'alone', async (trx) => {
          const before = await read(trx, admin.adminId);
          if (before.passkeys.length >= PASSKEYS_MAX) throw new Refusal('too_many_passkeys');
          const row = { ...columns, id: uuidv7(now), admin_id: admin.adminId, name, created_at: now, last_used_at: null };
          await trx.insertInto('passkeys').values(row).execute();
          await added(trx, admin, before, address);
        });
      } catch (error) {
        throw isUniqueViolation(error) ? new Refusal('passkey_refused', { cause: error }) : error;
      }
    },

    /** Removes an own factor within a transaction: `totp`, or a passkey by its id. Throws Refusal factor_not_found. */
    async remove(trx: Trx, { role, adminId, username }: Account, id: string, address: string): Promise<void> {
      if (id !== 'totp' && !isUuid(id)) throw new Refusal('factor_not_found');
      const removing =
        id === 'totp'
          ? trx.deleteFrom('totp_factors').where('admin_id', '=', adminId).where('confirmed_at', 'is not', null)
          : trx.deleteFrom('passkeys').where('admin_id', '=', adminId).where('id', '=', id);
      if ((await removing.executeTakeFirst()).numDeletedRows === 0n) throw new Refusal('factor_not_found');
      await audit.record({ actor: `${role}:${username}`, action: 'factor.removed', address }, trx);
    },

    /** Removes all factors of an account that has lost them, and ends its sessions, as the lost phone may have one; true if there were any. */
    async reset(actor: string, { id, username }: { id: string; username: string }, address: string | null): Promise<boolean> {
      return db.transaction(async (trx) => {
        const any = await forget(trx, id);
        if (any) await sessions.endOfAdmin(id, trx);
        if (any) await audit.record({ actor, action: 'factor.reset', account: username, address }, trx);
        return any;
      });
    },

    forget,

    /** Seals the secret of codes to an administrator's new keys: the old keys are deleted with the old password. */
    async moveTo(trx: Trx, admin: KeyHolder, publicKey: Bytes): Promise<void> {
      const { totp, begun } = await read(trx, admin.adminId);
      const row = totp ?? begun;
      if (!row) return;
      const sealed_secret = seal(publicKey, admin.adminId, open(admin, row.sealed_secret));
      await trx.updateTable('totp_factors').set({ sealed_secret }).where('admin_id', '=', admin.adminId).execute();
    },
  };
}

/** Returns the account of a session. */
export function accountOf(staff: Staff): AccountHere {
  if ('adminId' in staff) return { ...staff, role: 'admin' };
  const { assistantId, openOwnKey, ...rest } = staff;
  return { ...rest, role: 'assistant', adminId: assistantId, openAdminKey: openOwnKey };
}

function mustBeOne({ numUpdatedRows }: { numUpdatedRows: bigint }): void {
  if (numUpdatedRows === 0n) throw new Refusal('second_factor_wrong');
}

function invalid(field: string, text: string): Refusal {
  return new Refusal('invalid_input', { fields: { [field]: text } });
}
