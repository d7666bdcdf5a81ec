import { INVITATION_KEPT } from '@feierbild/contract/constants.ts';
import type { InvitationState } from '@feierbild/contract/entities.ts';
import type { ExpressionBuilder } from 'kysely';
import type { Database, OutboxRow } from './schema.ts';

/** Topic of the mail with an invitation. */
export const INVITATION = 'invitation';

/** The columns that tell the state of the last invitation of an event's host. */
export interface InvitationRow {
  first_login_at: number | null;
  /** End of its link; null: there is no link. */
  invited_until: number | null;
  invitation_mail: OutboxRow['state'] | null;
  invitation_answer: string | null;
  invitation_mail_at: number | null;
}

/** SQL columns of an event's last mail with an invitation. */
export function invitationMail(of: ExpressionBuilder<Database, 'events'>) {
  const last = of
    .selectFrom('outbox')
    .whereRef('outbox.event_id', '=', 'events.id')
    .where('topic', '=', INVITATION)
    .orderBy('outbox.id', 'desc')
    .limit(1);
  return [
    last.select('state').as('invitation_mail'),
    last.select('answer').as('invitation_answer'),
    last.select('created_at').as('invitation_mail_at'),
  ];
}

/** Returns the state of an event's last invitation, with the mail server's last answer; null if there is no invitation. */
export function invitationOf(row: InvitationRow, now: number): { state: InvitationState; answer: string | null } | null {
  const { first_login_at, invited_until, invitation_mail: mail } = row;
  if (invited_until === null || invited_until <= now) return first_login_at === null ? null : { state: 'accepted', answer: null };
  // An older mail contained another link.
  const mailed = mail !== null && (row.invitation_mail_at ?? 0) >= invited_until - INVITATION_KEPT;
  if (!mailed || mail === 'dropped') return { state: 'open', answer: null };
  const state = mail === 'failed' ? 'undelivered' : mail;
  return { state, answer: row.invitation_answer };
}
