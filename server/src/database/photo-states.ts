import { statesWith } from '@feierbild/contract/photo-states.ts';
import { sql } from 'kysely';

const originals = sql`from photos where event_id = events.id and state in (${sql.join(statesWith('original').map((state) => sql.lit(state)))})`;
const others = sql`from photos where event_id = events.id and state in (${sql.join(statesWith('original', false).map((state) => sql.lit(state)))})`;

/** What the counters of an event are, by its photos. */
export const COUNTED = {
  used_bytes: sql<number>`(select coalesce(sum(size), 0) ${originals})`,
  photo_count: sql<number>`(select count(*) ${originals} and codecs is null)`,
  video_count: sql<number>`(select count(*) ${originals} and codecs is not null)`,
  announced_count: sql<number>`(select count(*) ${others})`,
};
