import { INVITATION_KEPT } from '@feierbild/contract/constants.ts';
import type { InvitationState } from '@feierbild/contract/entities.ts';
import { sql, type ExpressionBuilder } from 'kysely';
import type { OutboxRow } from './rows.ts';
import type { Database } from './schema.ts';

/** Topic of the mail with an invitation. */
export const INVITATION = 'invitation';

/** The columns that tell the state of the last invitation of an event's host. */
export interface InvitationRow {
  first_login_at: number | null;
  /** End of its link; null: there is no link. */
  invited_until: number | null;
  invitation_mail: OutboxRow['state'] | null;
  invitation_answer: string | null;
}

/**
 * SQL of the mails that may contain the link in `invitations`; it is in the one written first. Link and mail are dated together by one
 * clock, but the clock that dated an earlier mail may have been ahead of it.
 */
export const withLink = sql<boolean>`outbox.topic = ${INVITATION} and outbox.created_at >= invitations.expires_at - ${sql.lit(INVITATION_KEPT)}`;

/** SQL columns of the mail with an event's invitation, for queries with its row in `invitations`; null if none was mailed. */
export function invitationMail(of: ExpressionBuilder<Database, 'events'>) {
  const mails = of.selectFrom('outbox').whereRef('outbox.event_id', '=', 'events.id').where(withLink);
  const mail = mails.orderBy('outbox.created_at').orderBy('outbox.id', 'desc').limit(1);
  return [mail.select('state').as('invitation_mail'), mail.select('answer').as('invitation_answer')];
}

/** Returns the state of an event's last invitation, with the mail server's last answer; null if there is no invitation. */
export function invitationOf(row: InvitationRow, now: number): { state: InvitationState; answer: string | null } | null {
  const { first_login_at, invited_until, invitation_mail: mail } = row;
  if (invited_until === null || invited_until <= now) return first_login_at === null ? null : { state: 'accepted', answer: null };
  if (mail === null || mail === 'dropped') return { state: 'open', answer: null };
  const state = mail === 'failed' ? 'undelivered' : mail;
  return { state, answer: row.invitation_answer };
}
