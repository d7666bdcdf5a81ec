import type { InvitedRole } from '../../database/schema.ts';
import { recordChange } from '../../database/changes.ts';
import type { Trx } from '../../database/open.ts';
import type { Role } from '../sessions/sessions.ts';

/** For whom a link is: who sets the host's password by it, or gets a session of this role. */
export type GrantRole = InvitedRole | 'host';

/** What each act ends: links with the sessions that they opened, and further sessions. */
const ENDS = {
  /** Another password of the host: all by which its former holder sees the photos. Guests keep their gallery. */
  'host.password': { links: ['host', 'helper', 'projector'], sessions: ['user', 'program'] },
  /** A password that was set another way, or a newer invitation: an older one must not change it. */
  'host.invitation': { links: ['host'], sessions: [] },
  'gallery.link': { links: ['gallery'], sessions: [] },
  'helper.link': { links: ['helper'], sessions: [] },
  /** Every screen without a login, however it came to show the slideshow: locked laptops, links, typed codes. */
  'wall.link': { links: ['projector'], sessions: [] },
  program: { links: [], sessions: ['program'] },
} satisfies Record<string, { links: GrantRole[]; sessions: Role[] }>;

export type Act = keyof typeof ENDS;

/** Ends what an act ends, in the act's transaction. */
export async function endBy(act: Act, eventId: string, trx: Trx): Promise<void> {
  const { links, sessions }: { links: GrantRole[]; sessions: Role[] } = ENDS[act];
  const roles = [...sessions, ...links.filter((role) => role !== 'host')];
  // It holds the event's row: what is started there at the same moment is seen, and ends, too.
  if (roles.length > 0) await recordChange(trx, eventId, 'sessions');
  if (links.length > 0) await trx.deleteFrom('invitations').where('event_id', '=', eventId).where('role', 'in', links).execute();
  if (links.includes('projector')) await trx.deleteFrom('wall_codes').where('event_id', '=', eventId).execute();
  if (roles.length > 0) await trx.deleteFrom('sessions').where('event_id', '=', eventId).where('role', 'in', roles).execute();
}
