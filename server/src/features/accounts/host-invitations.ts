import { INVITATION_KEPT } from '@feierbild/contract/constants.ts';
import { sql } from 'kysely';
import { databaseNow } from '../../database/leases.ts';
import { INVITATION, invitationMail, invitationOf, withLink } from '../../database/invitations.ts';
import type { Trx } from '../../database/open.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';
import { cleanHostPassword } from '../../lib/generated-passwords.ts';
import type { KeyPair } from '../../vault/vault.ts';
import type { Audit } from '../audit/audit.ts';
import type { Grants } from '../grants/grants.ts';
import type { Context } from '../context.ts';
import type { Sessions, StartedSession } from '../sessions/sessions.ts';

/** The parts of an invitation's link. */
export interface OpenedInvitation {
  code: string;
  token: string;
}

export interface MadeInvitation {
  token: string;
  /** Ms since 1970. */
  expiresAt: number;
}

interface Deps extends Pick<Context, 'db' | 'clock'> {
  audit: Audit;
  sessions: Sessions;
  grants: Pick<Grants, 'open' | 'add' | 'end'>;
  /** Wraps the event's private key with the host's password. */
  wrap(eventId: string, keys: KeyPair, password: string): Promise<Bytes>;
  /** Creates the event's host or replaces the host's password. */
  setHost(trx: Trx, eventId: string, wrapped: Bytes): Promise<void>;
}

/** Creates the links by which hosts set their passwords. A link works once, for 14 days, and until a newer one is made. */
export function createHostInvitations({ db, clock, audit, sessions, grants, wrap, setHost }: Deps) {
  return {
    /** Makes a new invitation within the transaction; the earlier one becomes invalid. */
    async add(trx: Trx, eventId: string, keys: KeyPair): Promise<MadeInvitation> {
      const expiresAt = clock.now() + INVITATION_KEPT;
      await grants.end('host.invitation', eventId, trx);
      const { token } = await grants.add(trx, eventId, 'host', keys, expiresAt);
      return { token, expiresAt };
    },

    /** Returns the expiry of the current invitation, ms since 1970; null if there is none. */
    async until(trx: Trx, eventId: string): Promise<number | null> {
      const link = trx.selectFrom('invitations').select('expires_at').where('event_id', '=', eventId).where('role', '=', 'host');
      const { expires_at = null } = (await link.forUpdate().executeTakeFirst()) ?? {};
      return expires_at !== null && expires_at > clock.now() ? expires_at : null;
    },

    /**
     * Ends an invitation whose mail reached the host's earlier address or is being sent to it; true if there was one. An invitation that
     * still waits stays: no attempt begins before the transaction ends, and then it goes to the new address.
     */
    async endSent(trx: Trx, eventId: string): Promise<boolean> {
      const mails = trx
        .selectFrom('invitations')
        .innerJoin('outbox', 'outbox.event_id', 'invitations.event_id')
        .select(['state', 'held_until', databaseNow(db.engine).as('now')])
        .where('invitations.event_id', '=', eventId)
        .where('role', '=', 'host')
        .where('expires_at', '>', clock.now())
        .where(withLink);
      const mail = await mails.orderBy('created_at').orderBy('outbox.id', 'desc').limit(1).forUpdate('outbox').executeTakeFirst();
      if (!mail || !(mail.state === 'delivered' || (mail.state === 'waiting' && mail.held_until > mail.now))) return false;
      await grants.end('host.invitation', eventId, trx);
      return true;
    },

    /** Returns what the page shows before a password is set, without using up the invitation. Throws Refusal `invitation_invalid`. */
    async look(invitation: OpenedInvitation): Promise<{ code: string; title: string; expiresAt: number }> {
      const { event, link, keys } = await grants.open('host', invitation);
      keys.privateKey.fill(0);
      return { code: event.code, title: event.title, expiresAt: link?.expires_at as number };
    },

    /**
     * Sets the host's password, logs in, and ends the sessions that an earlier password began. Of two concurrent calls one succeeds. Throws
     * Refusal `invitation_invalid`.
     */
    async accept(
      { password, ...invitation }: OpenedInvitation & { password: string },
      address: string,
    ): Promise<StartedSession & { code: string }> {
      const { event, link, keys } = await grants.open('host', invitation);
      const { id, code } = event;
      const host = await wrap(id, keys, cleanHostPassword(password));
      const started = await db.transaction(async (trx) => {
        const held = trx.selectFrom('events').select('id').where('id', '=', id).where('purging_at', 'is', null).forShare();
        const mine = trx.deleteFrom('invitations').where('event_id', '=', id).where('role', '=', 'host');
        if (
          !(await held.executeTakeFirst()) ||
          (await mine.where('wrapped', '=', link?.wrapped as Bytes).executeTakeFirst()).numDeletedRows === 0n
        )
          throw new Refusal('invitation_invalid');
        await setHost(trx, id, host);
        await grants.end('host.password', id, trx);
        await audit.record({ actor: 'host', action: 'host.accepted', eventId: id, eventCode: code, address }, trx);
        return sessions.start('user', id, keys, trx);
      });
      await db.eraseDeleted();
      return { ...started, code };
    },

    /** Reads events whose host's invitation the mail server refused, with its answer; newest first, at most `most`. */
    async undelivered(most: number): Promise<{ id: string; code: string; title: string; answer: string | null }[]> {
      const now = clock.now();
      const failed = db.kysely
        .selectFrom('invitations')
        .innerJoin('events', 'events.id', 'invitations.event_id')
        .leftJoin('hosts', 'hosts.event_id', 'events.id')
        .select(['events.id', 'events.code', 'events.title'])
        .select(invitationMail)
        .where('invitations.role', '=', 'host')
        .where('events.purging_at', 'is', null)
        .where('expires_at', '>', now)
        .select(['first_login_at', 'invitations.expires_at as invited_until'])
        .where('events.id', 'in', (of) =>
          of
            .selectFrom('outbox')
            .select(sql<string>`outbox.event_id`.as('event_id'))
            .where('topic', '=', INVITATION)
            .where('state', '=', 'failed'),
        )
        .orderBy('expires_at', 'desc')
        .limit(most);
      return (await failed.execute())
        .filter((row) => invitationOf(row, now)?.state === 'undelivered')
        .map(({ id, code, title, invitation_answer: answer }) => ({ id, code, title, answer }));
    },
  };
}
