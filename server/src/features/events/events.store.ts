import { EVENT_CODE_LENGTH } from '@feierbild/contract/constants.ts';
import { NO_NOTES, type EventNotes } from '@feierbild/contract/event-notes.ts';
import { statesWith } from '@feierbild/contract/photo-states.ts';
import type { HostContact } from '@feierbild/contract/mail-schemas.ts';
import { sql, type ExpressionBuilder, type Insertable, type Kysely, type Updateable } from 'kysely';
import { noteChange } from '../../database/changes.ts';
import { invitationMail } from '../../database/invitations.ts';
import type { Db, Trx } from '../../database/open.ts';
import { countWaiting } from '../../database/photo-states.ts';
import type { EventRow } from '../../database/rows.ts';
import type { Database } from '../../database/schema.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { SAVED_BY } from '../archive/archive.ts';
import { randomCode } from '../../lib/ids.ts';

/** An event's row with further columns that its views show. */
export type EventWithUse = NonNullable<Awaited<ReturnType<EventStore['withUse']>>>;

/** An event's row with the id of its title picture, null if it has none. */
export type FoundEvent = EventRow & { title_picture: string | null };
const titlePicture = (of: ExpressionBuilder<Database, 'events'>) =>
  of.selectFrom('pictures').select('pictures.id').whereRef('pictures.event_id', '=', 'events.id');

/** Counters of an event's photos; bytes are those of the originals. */
export type EventUse = Pick<EventRow, 'used_bytes' | 'photo_count' | 'video_count' | 'announced_count' | 'device_count'>;
/** The columns that a host may switch. */
export type EventSwitch = 'with_nsfw_check' | 'with_random_slideshow' | 'with_slideshow_names';

/** Notes to set; an undefined one stays. */
type GivenNotes = { [name in keyof EventNotes]?: EventNotes[name] | undefined };

export type StoredPassword = Omit<Database['event_passwords'], 'event_id'>;

/** Creates the SQL of events and of their guests' passwords. */
export function createEventStore(db: Db) {
  const withUse = (kysely: Kysely<Database>) =>
    kysely
      .selectFrom('events')
      .leftJoin('archives', 'archives.event_id', 'events.id')
      .leftJoin('hosts', 'hosts.event_id', 'events.id')
      .leftJoin('host_contacts', 'host_contacts.event_id', 'events.id')
      .leftJoin('event_notes', 'event_notes.event_id', 'events.id')
      .leftJoin('invitations', (join) => join.onRef('invitations.event_id', '=', 'events.id').on('invitations.role', '=', 'host'))
      .selectAll('events')
      .select((of) => titlePicture(of).as('title_picture'))
      .select([
        'archives.status as zip_status',
        'archives.progress as zip_progress',
        'archives.started_at as zip_started_at',
        'hosts.created_at as host_created_at',
        'hosts.reset_at',
        'hosts.reset_seen_at',
        'hosts.first_login_at',
        'host_contacts.email as host_email',
        'host_contacts.name as host_name',
        'customer',
        'order_number',
        'note',
        'invitations.expires_at as invited_until',
      ])
      .select(invitationMail)
      .select(
        sql<number>`(select count(*) from uploads join photos on photos.id = uploads.id
          where uploads.event_id = events.id and uploads.photo_id is null and photos.state = 'announced')`.as('coming_count'),
      );

  const foundBy = (column: 'id' | 'code') =>
    db.prepare((value: string) =>
      db.kysely
        .selectFrom('events')
        .selectAll()
        .select((of) => titlePicture(of).as('title_picture'))
        .where(column, '=', value),
    );
  const find = { id: foundBy('id'), code: foundBy('code') };

  return {
    find: async (column: 'id' | 'code', value: string): Promise<FoundEvent | undefined> => (await find[column](value))[0],
    /** Counts the photos that wait for their release. */
    waiting: (eventId: string) => countWaiting(db.kysely, eventId),
    withUse: (id: string, kysely: Kysely<Database> = db.kysely) => withUse(kysely).where('events.id', '=', id).executeTakeFirst(),
    /** Reads all events, newest first. */
    listed: () =>
      db.kysely
        .selectFrom('events')
        .leftJoin('event_notes', 'event_notes.event_id', 'events.id')
        .select(['id', 'code', 'title', 'subtitle', 'start_date', 'end_date', 'is_active', 'used_bytes', ...SAVED_BY])
        .select(['purging_at', 'customer', 'order_number', 'note'])
        .where('demo', '=', 0)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute(),
    /** Returns the id of the audit entry of the last change or deletion of an event by an operator; '' if there is none. */
    lastChange: async (): Promise<string> => {
      const actions = ['event.deleted', 'event.changed', 'event.moved'];
      const changed = db.kysely.selectFrom('audit').select('id').where('action', 'in', actions).orderBy('id', 'desc');
      return (await changed.limit(1).executeTakeFirst())?.id ?? '';
    },
    /** Reads events with their passwords, in any order. */
    async withPasswords(ids: string[]) {
      const events = await withUse(db.kysely).where('events.id', 'in', ids).execute();
      const passwords = await db.kysely
        .selectFrom('event_passwords')
        .select(['event_id', 'kind', 'sealed'])
        .where('event_id', 'in', ids)
        .execute();
      const byEvent = Map.groupBy(passwords, ({ event_id }) => event_id);
      return events.map((event) => ({ event, passwords: byEvent.get(event.id) ?? [] }));
    },
    /** Inserts an event with its keys. Throws a unique violation if the code is in use. */
    async add(
      trx: Trx,
      event: Insertable<Database['events']>,
      { secret, ...keys }: { public_key: Bytes; sealed_for_operator: Bytes; secret: Bytes },
    ): Promise<void> {
      await trx.insertInto('events').values(event).execute();
      await trx.insertInto('event_secrets').values({ event_id: event.id, id: 1, secret }).execute();
      await trx
        .insertInto('event_keys')
        .values({ event_id: event.id, ...keys })
        .execute();
    },
    /** Changes columns of an event; false if it has another version than the given one, or if its purge has begun. */
    async change(trx: Trx, { id, version }: { id: string; version?: number }, columns: Updateable<Database['events']>): Promise<boolean> {
      const changed = await trx
        .updateTable('events')
        .set((row) => ({ ...columns, version: row('events.version', '+', 1), change_seq: row('change_seq', '+', 1) }))
        .where('id', '=', id)
        .$if(version !== undefined, (query) => query.where('version', '=', version as number))
        .where('purging_at', 'is', null)
        .returning('change_seq')
        .executeTakeFirst();
      if (changed) await noteChange(trx, id, { seq: changed.change_seq, kind: 'event', photo_id: null });
      return changed !== undefined;
    },
    async remove(kysely: Kysely<Database>, id: string): Promise<void> {
      await kysely.deleteFrom('events').where('id', '=', id).execute();
    },
    async setProved(id: string): Promise<void> {
      await db.kysely.updateTable('events').set({ unproved: 0 }).where('id', '=', id).execute();
    },
    async seeBooth(id: string, now: number): Promise<void> {
      await db.kysely.updateTable('events').set({ booth_seen_at: now }).where('id', '=', id).execute();
    },
    publicKey: async (eventId: string) =>
      (await db.kysely.selectFrom('event_keys').select('public_key').where('event_id', '=', eventId).executeTakeFirst())?.public_key,
    /** Returns whether the device has uploaded to the event. */
    hasDevice: async (eventId: string, deviceHash: Bytes): Promise<boolean> =>
      (await db.kysely
        .selectFrom('devices')
        .select('event_id')
        .where('event_id', '=', eventId)
        .where('device_hash', '=', deviceHash)
        .executeTakeFirst()) !== undefined,
    passwords: (eventId: string): Promise<StoredPassword[]> =>
      db.kysely.selectFrom('event_passwords').select(['kind', 'verifier', 'sealed']).where('event_id', '=', eventId).execute(),

    async setPassword(trx: Trx, eventId: string, password: StoredPassword): Promise<void> {
      await trx
        .insertInto('event_passwords')
        .values({ event_id: eventId, ...password })
        .onConflict((conflict) =>
          conflict.columns(['event_id', 'kind']).doUpdateSet({ verifier: password.verifier, sealed: password.sealed }),
        )
        .execute();
    },
    /** Sets the host's mail address; null removes it. A new address receives all kinds of mail. */
    async setContact(trx: Trx, event_id: string, contact: HostContact | null): Promise<void> {
      if (!contact) return void (await trx.deleteFrom('host_contacts').where('event_id', '=', event_id).execute());
      await trx
        .insertInto('host_contacts')
        .values({ event_id, ...contact, muted: '' })
        .onConflict((conflict) =>
          conflict.column('event_id').doUpdateSet((row) => ({
            ...contact,
            muted: row.case().when('host_contacts.email', '=', contact.email).then(row.ref('host_contacts.muted')).else('').end(),
          })),
        )
        .execute();
    },
    /** Sets the given notes; the others stay. */
    async setNotes(trx: Trx, event_id: string, { customer, order_number, note }: GivenNotes): Promise<void> {
      const given = Object.fromEntries(Object.entries({ customer, order_number, note }).filter(([, text]) => text !== undefined));
      if (Object.keys(given).length === 0) return;
      await trx
        .insertInto('event_notes')
        .values({ event_id, ...NO_NOTES, ...given })
        .onConflict((conflict) => conflict.column('event_id').doUpdateSet(given))
        .execute();
    },
    async dropPassword(trx: Trx, eventId: string, kind: string): Promise<void> {
      await trx.deleteFrom('event_passwords').where('event_id', '=', eventId).where('kind', '=', kind).execute();
    },
    /** Counts the demo's samples and the photos of one device from the rows. */
    async demoUse(eventId: string, deviceHash: Bytes | null): Promise<EventUse> {
      const counted = await db.kysely
        .selectFrom('photos')
        .where('event_id', '=', eventId)
        .where((or) => or.or([or('sample', '=', 1), ...(deviceHash === null ? [] : [or('device_hash', '=', deviceHash)])]))
        .select(({ fn }) => [
          fn.countAll<string>().as('items'),
          fn.countAll<string>().filterWhere('state', 'not in', statesWith('original')).as('announced'),
          fn.count<string>('codecs').as('videos'),
          fn.sum<string | null>('size').filterWhere('state', 'in', statesWith('original')).as('bytes'),
          fn.count<string>('device_hash').distinct().as('devices'),
        ])
        .executeTakeFirstOrThrow();
      const [videos, announced] = [Number(counted.videos), Number(counted.announced)];
      return {
        photo_count: Number(counted.items) - videos - announced,
        video_count: videos,
        announced_count: announced,
        used_bytes: Number(counted.bytes ?? 0),
        device_count: Number(counted.devices),
      };
    },
    /** Marks the event as purged; undefined if it was already. */
    setPurged: (trx: Trx, eventId: string, now: number): Promise<{ code: string } | undefined> =>
      trx
        .updateTable('events')
        .set({ purged_at: now })
        .where('id', '=', eventId)
        .where('purged_at', 'is', null)
        .returning('code')
        .executeTakeFirst(),
    async publishDemo(trx: Trx, { id, code }: { id: string; code: string }): Promise<void> {
      // Codes are unique, so the old event loses its code first.
      const spare = randomCode(EVENT_CODE_LENGTH);
      await trx.updateTable('events').set({ code: spare }).where('code', '=', code).where('demo', '=', 1).execute();
      await trx.updateTable('events').set({ code }).where('id', '=', id).execute();
    },
    demoIds: async (): Promise<string[]> =>
      (await db.kysely.selectFrom('events').select('id').where('demo', '=', 1).execute()).map(({ id }) => id),
    async seeReset(eventId: string, now: number): Promise<void> {
      await db.kysely.updateTable('hosts').set({ reset_seen_at: now }).where('event_id', '=', eventId).execute();
    },
  };
}
export type EventStore = ReturnType<typeof createEventStore>;
