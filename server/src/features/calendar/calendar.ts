import { addDays } from '@feierbild/contract/berlin.ts';
import { HOUR } from '@feierbild/contract/constants.ts';
import ical from 'ical-generator';
import type { Http } from '../../http/bind.ts';
import { originOf } from '../../http/request.ts';
import type { Context } from '../context.ts';
import type { Tokens } from '../tokens/tokens.ts';

/** Interval at which calendar programs should refresh, seconds. */
const ASK_AGAIN_S = HOUR / 1000;
const MIDNIGHT = 'T00:00:00Z';

interface Deps extends Pick<Context, 'db'> {
  tokens: Pick<Tokens, 'authenticate'>;
  config: { publicUrl: string | null };
}

/**
 * Binds the events as a calendar to subscribe to. Its programs cannot log in, so the token is in the address. Events are whole days,
 * without a time zone.
 */
export function calendarRoutes(http: Http, { db, tokens, config }: Deps): void {
  http.bind('GET /admin/calendar.ics', async ({ query, visitor, request, reply }) => {
    const { scopes } = await tokens.authenticate(query.token, 'calendar:read', visitor.address);
    const origin = originOf(request, config.publicUrl);
    const calendar = ical({ name: 'Feierbild', prodId: { company: 'Feierbild', product: 'Events', language: 'DE' }, ttl: ASK_AGAIN_S });
    const events = await db.kysely
      .selectFrom('events')
      .select(['id', 'code', 'title', 'subtitle', 'start_date', 'end_date', 'version', 'created_at'])
      .where('demo', '=', 0)
      .orderBy('start_date')
      .orderBy('id')
      .execute();
    const titles = scopes.includes('calendar:titles');
    for (const { id, code, title, subtitle, start_date, end_date, version, created_at } of events) {
      calendar.createEvent({
        id: `${id}@feierbild`,
        // Without a time zone, the library writes the UTC date of an instant.
        start: new Date(start_date + MIDNIGHT),
        end: new Date(addDays(end_date, 1) + MIDNIGHT),
        allDay: true,
        summary: titles ? title : `Event ${code}`,
        ...(titles && subtitle && { description: subtitle }),
        url: `${origin}/admin?suche=${code}`,
        stamp: new Date(created_at),
        sequence: version,
      });
    }
    return reply.header('cache-control', 'private, no-store').type('text/calendar; charset=utf-8').send(calendar.toString());
  });
}
