import { addDays, berlinDay, endOfBerlinDay, startOfBerlinDay } from '@feierbild/contract/berlin.ts';
import type { WebhookTopic } from '@feierbild/contract/constants.ts';
import { sql } from 'kysely';
import type { Db } from '../../database/open.ts';
import { iso } from '../../lib/clock.ts';

/** An occurrence that webhooks are told of, as read from the rows. */
export interface Happening {
  topic: WebhookTopic;
  /** Ms since 1970. */
  at: number;
  /** Identifies the occurrence: only one with the same topic and subject is told. */
  subject: string;
  data: object;
}

/** Topics by the actions of the audit log. */
const AUDITED: Record<string, WebhookTopic> = {
  'event.created': 'event.created',
  'event.deleted': 'event.purged',
  'event.purged': 'event.purged',
  'host.created': 'host.invited',
  'host.invited': 'host.invited',
};
/** Shares of the storage limit from which an event counts as so full; the last photo rarely fills it exactly. */
const LEVELS = [
  { topic: 'event.storage_80', part: 0.8 },
  { topic: 'event.storage_100', part: 0.99 },
] as const;

const EVENT = ['events.id', 'events.code', 'title', 'start_date', 'end_date'] as const;

/**
 * Reads what has happened after `since`, without anything about guests. It comes from rows that are written anyway: nothing waits for a
 * webhook, and occurrences during this node's downtime are told afterwards.
 */
export async function happeningsSince({ kysely }: Pick<Db, 'kysely'>, since: number, now: number): Promise<Happening[]> {
  const happenings: Happening[] = [];
  const audited = await kysely
    .selectFrom('audit')
    .leftJoin('events', 'events.id', 'audit.event_id')
    .select(['audit.id as entry', 'at', 'action', 'audit.event_id', 'audit.event_code', ...EVENT])
    .where('at', '>', since)
    .where('action', 'in', Object.keys(AUDITED))
    // A deletion after a purge is not told: the purge was.
    .where((is) => {
      const purged = is.selectFrom('audit as earlier').select('earlier.id').where('earlier.action', '=', 'event.purged');
      return is.or([is('action', '!=', 'event.deleted'), is.not(is.exists(purged.whereRef('earlier.event_id', '=', 'audit.event_id')))]);
    })
    .orderBy('audit.id')
    .execute();
  for (const { entry, at, action, event_id, event_code, ...event } of audited) {
    const topic = AUDITED[action] as WebhookTopic;
    const known = event.id ? eventData(event) : { id: event_id, code: event_code };
    happenings.push({ topic, at, subject: topic === 'host.invited' ? entry : (event_id ?? entry), data: { event: known } });
  }

  const moves = await kysely
    .selectFrom('audit')
    .select(({ fn }) => ['event_id', fn.max('at').as('at')])
    .where('at', '>', since)
    .where('action', '=', 'event.moved')
    .groupBy('event_id')
    .execute();
  const movedAt = new Map(moves.map(({ event_id, at }) => [event_id, Number(at)]));
  const today = berlinDay(now);
  const events = await kysely
    .selectFrom('events')
    .select([...EVENT, 'created_at', 'zip_downloaded_at', 'storage_limit', 'used_bytes'])
    .where('demo', '=', 0)
    .where('purging_at', 'is', null)
    .where((or) =>
      or.or([
        or('zip_downloaded_at', '>', since),
        or.and([or('start_date', '<=', today), or('end_date', '>=', addDays(berlinDay(since), -1))]),
        // Their days may be over already at the creation, or since they were moved.
        or('created_at', '>', since),
        ...(movedAt.size > 0 ? [or('id', 'in', [...movedAt.keys()])] : []),
        sql<boolean>`used_bytes * 5 >= storage_limit * 4`,
      ]),
    )
    .execute();
  for (const { created_at, zip_downloaded_at, storage_limit, used_bytes, ...event } of events) {
    const { id, start_date, end_date } = event;
    const data = { event: eventData(event) };
    const known = Math.max(created_at, movedAt.get(id) ?? 0);
    happenings.push({ topic: 'event.started', at: Math.max(startOfBerlinDay(start_date), known), subject: `${id} ${start_date}`, data });
    happenings.push({ topic: 'event.ended', at: Math.max(endOfBerlinDay(end_date), known), subject: `${id} ${end_date}`, data });
    if (zip_downloaded_at !== null) happenings.push({ topic: 'event.zip_downloaded', at: zip_downloaded_at, subject: id, data });
    for (const { topic, part } of LEVELS)
      if (storage_limit !== null && used_bytes >= storage_limit * part)
        happenings.push({
          topic,
          at: now,
          subject: `${id} ${storage_limit}`,
          data: { ...data, used_bytes, storage_limit_bytes: storage_limit },
        });
  }

  const hosts = await kysely
    .selectFrom('hosts')
    .innerJoin('events', 'events.id', 'hosts.event_id')
    .select([...EVENT, 'first_login_at'])
    .where('demo', '=', 0)
    .where('first_login_at', '>', since)
    .execute();
  for (const { first_login_at, ...event } of hosts)
    happenings.push({ topic: 'host.logged_in', at: first_login_at ?? now, subject: event.id, data: { event: eventData(event) } });

  const reports = await kysely.selectFrom('reports').select(['id', 'received_at']).where('received_at', '>', since).execute();
  for (const { id, received_at: at } of reports)
    happenings.push({ topic: 'report.received', at, subject: id, data: { report: { id, received_at: iso(at) } } });

  return happenings.filter(({ at }) => at > since && at <= now).sort((one, other) => one.at - other.at);
}

type Named = Record<'id' | 'code' | 'title' | 'start_date' | 'end_date', string | null>;

function eventData({ id, code, title, start_date, end_date }: Named) {
  return { id, code, title, start_date, end_date };
}
