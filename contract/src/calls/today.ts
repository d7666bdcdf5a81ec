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
  /** Whether the host was ever there; `ready`: has a password, `invited`: has a link to set one, `none`: neither. */
  host: z.enum(['there', 'ready', 'invited', 'none']),
  invitation_state: InvitationOf.nullable(),
};

const RunningEvent = event.extend({
  ...host,
  /** How many photos and videos came in each of the last hours, the oldest first; the last one is the hour that is not over. */
  hours: z.array(z.number().int()),
  last_photo_at: z.string().nullable(),
  /** Pages of the host, or the locked slideshow, that this node tells of changes: walls, and others. */
  walls: z.number().int(),
  pages: z.number().int(),
  /** When a Fotobox last showed its password, to a minute; null: never. */
  booth_at: z.string().nullable(),
  /** When guests were last kept from trying the password, because too many wrong ones came from their network, within ten minutes; else null. */
  locked_out_at: z.string().nullable(),
});
export type RunningEvent = z.infer<typeof RunningEvent>;

const Today = z.object({
  day: z.string(),
  /** When the first of the hours began. */
  since: z.string(),
  /** Whether what this node sees is all there is; of several nodes each sees its own connections. */
  alone: z.boolean(),
  running: z.array(RunningEvent),
  /** Whose hosts were never there, although the event runs or begins within two weeks. */
  absent: z.array(event.extend(host)),
  /** Whose photos are deleted within seven days. */
  due: z.array(event.extend({ deletion_date: z.string(), zip_downloaded_at: z.string().nullable(), unsaved: z.boolean() })),
  /** There are more than are listed. */
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
