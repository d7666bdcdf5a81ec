import { INVITATION_KEPT } from '@feierbild/contract/constants.ts';
import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import type { Trx } from '../../database/open.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';
import { cleanHostPassword } from '../../lib/generated-passwords.ts';
import { isShortToken, randomShortToken } from '../../lib/ids.ts';
import { WrongSecret, type KeyOwner, type KeyPair } from '../../vault/vault.ts';
import type { Audit } from '../audit/audit.ts';
import type { Ground } from '../ground.ts';
import type { KeyAlarm } from '../key-alarm/key-alarm.ts';
import type { Sessions, StartedSession } from '../sessions/sessions.ts';

/** What an invitation's link says, and who opens it. */
export interface OpenedInvitation {
  code: string;
  token: string;
}

export interface MadeInvitation {
  token: string;
  /** Ms since 1970. */
  expiresAt: number;
}

interface Parts extends Pick<Ground, 'db' | 'vault' | 'clock'> {
  audit: Audit;
  sessions: Sessions;
  keyAlarm: Pick<KeyAlarm, 'guard'>;
  /** The event's private key under its host's password. */
  wrap(eventId: string, keys: KeyPair, password: string): Promise<Bytes>;
  /** Gives the event its host; where there is one, the new password takes the place of the old. */
  setHost(trx: Trx, eventId: string, wrapped: Bytes): Promise<void>;
}

/**
 * Links by which a host sets the password. The event's private key lies under the link's token, which is in no database; the link opens it
 * once, for 14 days, and no more once there is a newer one.
 */
export function createHostInvitations({ db, vault, clock, audit, sessions, keyAlarm, wrap, setHost }: Parts) {
  const ownerOf = (eventId: string): KeyOwner => ({ kind: 'invitation', owner: eventId, subject: eventId });

  const rowsOf = (from: Pick<Trx, 'selectFrom'>) =>
    from
      .selectFrom('invitations')
      .innerJoin('events', 'events.id', 'invitations.event_id')
      .innerJoin('event_keys', 'event_keys.event_id', 'events.id')
      .select(['events.id', 'events.code', 'events.title', 'invitations.wrapped', 'expires_at', 'event_keys.public_key'])
      .where('invitations.role', '=', 'host')
      .where('events.purging_at', 'is', null)
      .where('expires_at', '>', clock.now());

  /** The invitation with the key that its token opens. Throws Refusal invitation_invalid, whatever is wrong. */
  async function open({ code, token }: OpenedInvitation) {
    const row = isShortToken(token)
      ? await rowsOf(db.kysely).where('events.code', '=', cleanEventCode(code)).executeTakeFirst()
      : undefined;
    if (!row) throw new Refusal('invitation_invalid');
    const opened = keyAlarm.guard({ eventId: row.id }, () => {
      try {
        return vault.openWithToken(row.wrapped, token, ownerOf(row.id), row.public_key);
      } catch (error) {
        if (error instanceof WrongSecret) return null;
        throw error;
      }
    });
    if (!opened) throw new Refusal('invitation_invalid');
    return { ...row, keys: { publicKey: row.public_key, privateKey: opened } };
  }

  return {
    /** Makes a new one, in a transaction; the one before is dead then. */
    async add(trx: Trx, eventId: string, keys: KeyPair): Promise<MadeInvitation> {
      const token = randomShortToken();
      const expiresAt = clock.now() + INVITATION_KEPT;
      const row = {
        event_id: eventId,
        role: 'host' as const,
        wrapped: vault.wrapWithToken(keys, token, ownerOf(eventId)),
        sealed_token: vault.seal(keys.publicKey, Buffer.from(token), `feierbild link host ${eventId}`),
        expires_at: expiresAt,
      };
      await trx.deleteFrom('invitations').where('event_id', '=', eventId).where('role', '=', 'host').execute();
      await trx.insertInto('invitations').values(row).execute();
      return { token, expiresAt };
    },

    /** What the page shows before a password is set; the invitation stays. Throws Refusal invitation_invalid. */
    async look(invitation: OpenedInvitation): Promise<{ code: string; title: string; expiresAt: number }> {
      const { code, title, expires_at, keys } = await open(invitation);
      keys.privateKey.fill(0);
      return { code, title, expiresAt: expires_at as number };
    },

    /**
     * Sets the host's password and logs in. Of two that do it at once one is refused, and the invitation is gone. The sessions that an earlier
     * password began end. Throws Refusal invitation_invalid.
     */
    async accept(
      { password, ...invitation }: OpenedInvitation & { password: string },
      address: string,
    ): Promise<StartedSession & { code: string }> {
      const { id, code, wrapped, keys } = await open(invitation);
      const host = await wrap(id, keys, cleanHostPassword(password));
      const started = await db.transaction(async (trx) => {
        const held = trx.selectFrom('events').select('id').where('id', '=', id).where('purging_at', 'is', null).forShare();
        const mine = trx.deleteFrom('invitations').where('event_id', '=', id).where('role', '=', 'host').where('wrapped', '=', wrapped);
        if (!(await held.executeTakeFirst()) || (await mine.executeTakeFirst()).numDeletedRows === 0n)
          throw new Refusal('invitation_invalid');
        await setHost(trx, id, host);
        for (const role of ['user', 'projector', 'program'] as const) await sessions.endOfEvent(id, trx, role);
        await sessions.endLink(id, trx, 'helper');
        await audit.record({ actor: 'host', action: 'host.accepted', eventId: id, eventCode: code, address }, trx);
        return sessions.start('user', id, keys, trx);
      });
      await db.eraseDeleted();
      return { ...started, code };
    },

    /** The password was set another way: an invitation that is on its way must not change it. */
    async end(trx: Trx, eventId: string): Promise<void> {
      await trx.deleteFrom('invitations').where('event_id', '=', eventId).where('role', '=', 'host').execute();
    },

    /** Deletes the keys of invitations that nobody has used in time. */
    async endExpired(): Promise<void> {
      await db.kysely.deleteFrom('invitations').where('role', '=', 'host').where('expires_at', '<=', clock.now()).execute();
    },
  };
}
