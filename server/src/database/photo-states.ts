import { statesWith } from '@feierbild/contract/photo-states.ts';
import { sql, type Kysely } from 'kysely';
import type { Database } from './schema.ts';

const originals = sql`from photos where event_id = events.id and state in (${sql.join(statesWith('original').map((state) => sql.lit(state)))})`;
const others = sql`from photos where event_id = events.id and state in (${sql.join(statesWith('original', false).map((state) => sql.lit(state)))})`;

/** SQL for the true values of an event's counters, from its photos. */
export const COUNTED = {
  used_bytes: sql<number>`(select coalesce(sum(size), 0) ${originals})`,
  photo_count: sql<number>`(select count(*) ${originals} and codecs is null)`,
  video_count: sql<number>`(select count(*) ${originals} and codecs is not null)`,
  announced_count: sql<number>`(select count(*) ${others})`,
};

/** SQL condition: the photo waits for its release. An index contains exactly the rows of this expression. */
export const IS_WAITING = sql<boolean>`photos.release_state = 1`;

/** Counts the photos of an event that wait for their release. */
export async function countWaiting(kysely: Kysely<Database>, eventId: string): Promise<number> {
  const waiting = kysely.selectFrom('photos').where('event_id', '=', eventId).where(IS_WAITING);
  return Number((await waiting.select(({ fn }) => fn.countAll<string>().as('photos')).executeTakeFirstOrThrow()).photos);
}
