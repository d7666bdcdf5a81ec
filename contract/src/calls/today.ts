import { z } from 'zod';
import { calls } from '../call.ts';
import { InvitationOf } from '../entities.ts';

const event = z.object({
  id: z.string(),
  code: z.string(),
  title: z.string(),
  start_date: z.string(),
  end_date: z.string(),
  photos: z.number().int(),
  videos: z.number().int(),
});
const host = {
  /** `there`: the host has logged in. `ready`: the host has a password, `invited`: a link to set one, `none`: neither. */
  host: z.enum(['there', 'ready', 'invited', 'none']),
  invitation_state: InvitationOf.nullable(),
};

const RunningEvent = event.extend({
  ...host,
  /** Photos and videos received in each of the last hours, oldest first; the last entry is the running hour. */
  hours: z.array(z.number().int()),
  last_photo_at: z.string().nullable(),
  /** Live connections to this node, of the host or a locked slideshow: walls, and other pages. */
  walls: z.number().int(),
  pages: z.number().int(),
  /** Time of the Fotobox's last use of its password, precise to a minute; null: never. */
  booth_at: z.string().nullable(),
  /** Time of the last lockout of guests within ten minutes, caused by too many wrong passwords from their network; else null. */
  locked_out_at: z.string().nullable(),
});
export type RunningEvent = z.infer<typeof RunningEvent>;

const Today = z.object({
  day: z.string(),
  /** Start of the first entry of `hours`. */
  since: z.string(),
  /** This is the only node. If there are several, each one counts only its own connections. */
  alone: z.boolean(),
  running: z.array(RunningEvent),
  /** Events that run or begin within two weeks and whose hosts have never logged in. */
  absent: z.array(event.extend(host)),
  /** Events whose photos are deleted within seven days. */
  due: z.array(event.extend({ deletion_date: z.string(), zip_downloaded_at: z.string().nullable(), unsaved: z.boolean() })),
  /** The lists are shortened: more events belong to them. */
  more: z.object({ running: z.boolean(), absent: z.boolean(), due: z.boolean() }),
});
export type Today = z.infer<typeof Today>;

export const todayCalls = calls('today', 'What runs, and what is due: counts alone.', {
  'GET /admin/today': {
    summary: 'Events that run with their photos by the hour and what is connected, hosts who were never there, and what is deleted soon.',
    access: 'admin',
    assistant: true,
    answers: { 200: Today },
  },
});
