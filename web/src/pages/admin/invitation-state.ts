import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { formatInstant } from '../../lib/format.ts';

type Invited = Pick<AdminEvent, 'invitation_state'>;

/** Describes the state of the last invitation in a few words; null if nobody was invited. */
export function invitationWord({ invitation_state: invitation }: Invited): string | null {
  if (invitation === null) return null;
  const { state, answer } = invitation;
  if (state === 'waiting') return answer === null ? 'Einladung wartet auf den Mailserver' : `Einladung wartet: ${answer}`;
  if (state === 'undelivered') return `Einladung nicht zugestellt${answer === null ? '' : `: ${answer}`}`;
  return { open: 'Einladung offen', delivered: 'Einladung verschickt', accepted: 'Einladung angenommen' }[state];
}

/** Tells whether the last invitation was not delivered. */
export const isUndelivered = ({ invitation_state: invitation }: Invited): boolean => invitation?.state === 'undelivered';

/** Describes the host's login, its first use, and the state of the last invitation. */
export function accessOf({
  user,
  invited_until,
  invitation_state,
}: Pick<AdminEvent, 'user' | 'invited_until' | 'invitation_state'>): string {
  const login =
    user === null ? 'noch keiner' : user.first_login_at === null ? 'noch nie angemeldet' : `seit ${formatInstant(user.first_login_at)}`;
  const word = invitation_state?.state === 'accepted' ? null : invitationWord({ invitation_state });
  if (word === null) return login;
  return `${login}; ${word}${invited_until === null ? '' : `; sie gilt bis ${formatInstant(invited_until)}`}`;
}
