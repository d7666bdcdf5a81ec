import { statesWith } from '@feierbild/contract/photo-states.ts';
import { sql, type Kysely } from 'kysely';
import type { Database } from './schema.ts';

const originals = sql`from photos where event_id = events.id and state in (${sql.join(statesWith('original').map((state) => sql.lit(state)))})`;
const others = sql`from photos where event_id = events.id and state in (${sql.join(statesWith('original', false).map((state) => sql.lit(state)))})`;

/** What the counters of an event are, by its photos. */
export const COUNTED = {
  used_bytes: sql<number>`(select coalesce(sum(size), 0) ${originals})`,
  photo_count: sql<number>`(select count(*) ${originals} and codecs is null)`,
  video_count: sql<number>`(select count(*) ${originals} and codecs is not null)`,
  announced_count: sql<number>`(select count(*) ${others})`,
};

/** That a photo waits for its release; as written here, an index has these alone. */
export const IS_WAITING = sql<boolean>`photos.release_state = 1`;

/** How many photos of an event wait for their release. */
export async function countWaiting(kysely: Kysely<Database>, eventId: string): Promise<number> {
  const waiting = kysely.selectFrom('photos').where('event_id', '=', eventId).where(IS_WAITING);
  return Number((await waiting.select(({ fn }) => fn.countAll<string>().as('photos')).executeTakeFirstOrThrow()).photos);
}
