import type { InvitedRole } from '../../database/schema.ts';
import { recordChange } from '../../database/changes.ts';
import type { Trx } from '../../database/open.ts';
import type { Role } from '../sessions/sessions.ts';

/** The purpose of a link: `host` sets the host's password, the others begin a session of this role. */
export type GrantRole = InvitedRole | 'host';

/** The links and sessions that each act ends; with a link also the sessions that it opened. */
const ENDS = {
  /** The host gets a new password: ends all access of its former holder to the photos. Guests keep their gallery. */
  'host.password': { links: ['host', 'helper', 'projector'], sessions: ['user', 'program'] },
  /** The host's password was set another way, or there is a newer invitation: an older one must not change it. */
  'host.invitation': { links: ['host'], sessions: [] },
  'gallery.link': { links: ['gallery'], sessions: [] },
  'helper.link': { links: ['helper'], sessions: [] },
  /** Ends every screen without a login, whether it shows the slideshow by a lock, a link or a typed code. */
  'wall.link': { links: ['projector'], sessions: [] },
  program: { links: [], sessions: ['program'] },
} satisfies Record<string, { links: GrantRole[]; sessions: Role[] }>;

export type Act = keyof typeof ENDS;

/** Ends an act's links and sessions, in the act's transaction. */
export async function endBy(act: Act, eventId: string, trx: Trx): Promise<void> {
  const { links, sessions }: { links: GrantRole[]; sessions: Role[] } = ENDS[act];
  const roles = [...sessions, ...links.filter((role) => role !== 'host')];
  // Locks the event's row, so that links and sessions that begin at the same moment are seen and end, too.
  if (roles.length > 0) await recordChange(trx, eventId, 'sessions');
  if (links.length > 0) await trx.deleteFrom('invitations').where('event_id', '=', eventId).where('role', 'in', links).execute();
  if (links.includes('projector')) await trx.deleteFrom('wall_codes').where('event_id', '=', eventId).execute();
  if (roles.length > 0) await trx.deleteFrom('sessions').where('event_id', '=', eventId).where('role', 'in', roles).execute();
}
