import { addDays, berlinDay, feastDay } from '@feierbild/contract/berlin.ts';
import type { Today } from '@feierbild/contract/calls/today.ts';
import { DELETION_NEAR_DAYS, HOUR, PHOTOS_KEPT_DAYS } from '@feierbild/contract/constants.ts';
import { deletionDay } from '@feierbild/contract/event-status.ts';
import { sql } from 'kysely';
import { invitationMail, invitationOf } from '../../database/invitations.ts';
import type { Http } from '../../http/bind.ts';
import { isUnsaved, SAVED_BY } from '../archive/archive.ts';
import type { Events } from '../events/events.ts';
import type { Context } from '../context.ts';
import type { Live } from '../live/live.ts';
import { iso } from '../../lib/clock.ts';

/** Number of hours whose photos are counted. */
const HOURS = 12;
/** Days before an event's first day from which on its host is listed as absent, if that host has never logged in. */
const ABSENT_DAYS = 14;
/** Most events listed of each kind. */
const LISTED = 50;

interface Deps extends Pick<Context, 'db' | 'clock'> {
  live: Pick<Live, 'watchersOf'>;
  events: { guests: Pick<Events['guests'], 'lockedOutAt'> };
}

/**
 * The operator's page of today. Photos are counted by an index and only for listed events; of guests it tells counts alone. Connections are
 * those of this node: no database has them.
 */
export function todayRoutes(http: Http, { db: { kysely, engine }, clock, live, events }: Deps): void {
  http.bind('GET /admin/today', async (): Promise<Today> => {
    const now = clock.now();
    const today = berlinDay(now);
    const night = feastDay(now);
    const since = (Math.floor(now / HOUR) - HOURS + 1) * HOUR;

    const rows = () =>
      kysely
        .selectFrom('events')
        .leftJoin('hosts', 'hosts.event_id', 'events.id')
        .leftJoin('invitations', (join) => join.onRef('invitations.event_id', '=', 'events.id').on('invitations.role', '=', 'host'))
        .select(['events.id', 'code', 'title', 'start_date', 'end_date', 'booth_seen_at', ...SAVED_BY])
        .select(['hosts.created_at as host_since', 'first_login_at', 'invitations.expires_at as invited_until'])
        .select(invitationMail)
        .where('demo', '=', 0)
        .where('purging_at', 'is', null)
        // One event more than is listed shows that there are more.
        .limit(LISTED + 1);
    type Row = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number];

    const [running, absent, due] = await Promise.all([
      rows().where('start_date', '<=', today).where('end_date', '>=', night).orderBy('start_date').orderBy('events.id').execute(),
      rows()
        .where('start_date', '<=', addDays(today, ABSENT_DAYS))
        .where('end_date', '>=', night)
        .where('first_login_at', 'is', null)
        .orderBy('start_date')
        .orderBy('events.id')
        .execute(),
      rows()
        .where('end_date', '<=', addDays(today, DELETION_NEAR_DAYS - PHOTOS_KEPT_DAYS))
        .where((or) => or.or([or('photo_count', '>', 0), or('video_count', '>', 0)]))
        .orderBy('end_date')
        .orderBy('events.id')
        .execute(),
    ]);
    const listed = <R>(found: R[]): R[] => found.slice(0, LISTED);
    const photos = await photosOf(listed(running).map(({ id }) => id));

    async function photosOf(ids: string[]) {
      if (ids.length === 0) return { counts: new Map<string, number>(), last: new Map<string, number | null>() };
      const hour = sql<number>`created_at / ${sql.lit(HOUR)}`;
      const counted = kysely
        .selectFrom('photos')
        .select((of) => ['event_id', hour.as('hour'), of.fn.countAll<number>().as('n')])
        .where('event_id', 'in', ids)
        .where('created_at', '>=', since);
      const last = kysely.selectFrom('events').select((of) => [
        'id',
        of
          .selectFrom('photos')
          .select(({ fn }) => fn.max('created_at').as('at'))
          .whereRef('photos.event_id', '=', 'events.id')
          .as('at'),
      ]);
      const [hours, newest] = await Promise.all([counted.groupBy(['event_id', hour]).execute(), last.where('id', 'in', ids).execute()]);
      return {
        counts: new Map(hours.map((row) => [`${row.event_id} ${row.hour}`, Number(row.n)])),
        last: new Map(newest.map(({ id, at }) => [id, at])),
      };
    }

    const shown = ({ id, code, title, start_date, end_date, photo_count, video_count }: Row) => {
      return { id, code, title, start_date, end_date, photos: photo_count, videos: video_count };
    };
    const hostOf = (row: Row): Pick<Today['absent'][number], 'host' | 'invitation_state'> => {
      const state = invitationOf(row, now);
      const host = row.first_login_at !== null ? 'there' : row.host_since !== null ? 'ready' : state !== null ? 'invited' : 'none';
      return { host, invitation_state: state };
    };
    return {
      day: today,
      since: iso(since),
      alone: engine === 'sqlite',
      running: listed(running).map((row) => ({
        ...shown(row),
        ...hostOf(row),
        hours: Array.from({ length: HOURS }, (_, n) => photos.counts.get(`${row.id} ${since / HOUR + n}`) ?? 0),
        last_photo_at: orNull(photos.last.get(row.id)),
        ...live.watchersOf(row.id),
        booth_at: orNull(row.booth_seen_at),
        locked_out_at: orNull(events.guests.lockedOutAt(row.id)),
      })),
      absent: listed(absent).map((row) => ({ ...shown(row), ...hostOf(row) })),
      due: listed(due).map((row) => ({
        ...shown(row),
        deletion_date: deletionDay(row),
        zip_downloaded_at: orNull(row.zip_downloaded_at),
        unsaved: isUnsaved(row),
      })),
      more: { running: running.length > LISTED, absent: absent.length > LISTED, due: due.length > LISTED },
    };
  });
}

const orNull = (instant: number | null | undefined): string | null => (instant ? iso(instant) : null);
