import { deletionDay } from '@feierbild/contract/event-status.ts';
import type { Disclosure, Erasure } from '@feierbild/contract/calls/data-subject-requests.ts';
import { BACKUPS_KEPT_DAYS, DAY } from '@feierbild/contract/constants.ts';
import type { Selectable } from 'kysely';
import { lockEvent, recordChange } from '../../database/changes.ts';
import type { EventRow } from '../../database/rows.ts';
import type { Database } from '../../database/schema.ts';
import type { Http } from '../../http/bind.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';
import { isUuid } from '../../lib/ids.ts';
import type { Audit } from '../audit/audit.ts';
import { deviceHash } from '../devices/devices.ts';
import type { Events } from '../events/events.ts';
import type { Context } from '../context.ts';
import type { Photos } from '../photos/photos.ts';
import type { Uploads } from '../uploads/uploads.ts';
import { iso } from '../../lib/clock.ts';

/** A device's link or its last part: the event's code, and the device's hash within the event. */
const DEVICE = /(?:^|#)([A-Z0-9]{8})\.([\w-]{43})$/;

/** Most rounds of deletion if a device sends photos while it is being forgotten. */
const TRIES = 5;

interface Deps extends Pick<Context, 'db' | 'vault' | 'clock'> {
  events: { guests: Pick<Events['guests'], 'resolve' | 'find'> };
  photos: Pick<Photos, 'byId' | 'remove'>;
  uploads: { resumable: Pick<Uploads['resumable'], 'list' | 'end'> };
  audit: Pick<Audit, 'record'>;
}

/** The subject of a request: a device within an event, or one photo about which somebody in it asks. */
interface Subject {
  event: EventRow;
  hash: Bytes | null;
  device: Disclosure['device'];
  photos: Selectable<Database['photos']>[];
}

/** The administrator who asks. */
interface Asking {
  username: string;
  address: string;
}

export type Disclosures = ReturnType<typeof createDataSubjectRequests>;

/** Finds and deletes the data about a person. Opens no photo: names and pictures stay sealed. */
export function createDataSubjectRequests({ db, vault, clock, events, photos, uploads, audit }: Deps) {
  const { kysely } = db;

  /** Finds a request's subject. Throws Refusal `disclosure_not_found`. */
  async function find(ask: string): Promise<Subject> {
    const [, code = '', encoded = ''] = DEVICE.exec(ask) ?? [];
    const [column, value] =
      code === '' ? (['id', ask.toLowerCase()] as const) : (['device_hash', Buffer.from(encoded, 'base64url')] as const);
    if (column === 'id' && !isUuid(value)) throw new Refusal('disclosure_not_found');
    const event = column === 'id' ? null : await events.guests.resolve(code);
    if (event === undefined) throw new Refusal('disclosure_not_found');
    const rows = await kysely
      .selectFrom('photos')
      .selectAll()
      .where(column, '=', value)
      .$if(event !== null, (query) => query.where('event_id', '=', event?.id ?? ''))
      .orderBy('id')
      .execute();
    const of = event ?? (rows[0] && (await events.guests.resolve(rows[0].event_id)));
    if (!of || of.purging_at !== null) throw new Refusal('disclosure_not_found');
    if (column === 'id') return { event: of, hash: null, device: null, photos: rows };
    const device = await deviceOf(of.id, value);
    // A device without photos may have given hearts or be sending its first photo.
    const { first_seen_at, hearts, in_gallery, open_uploads } = device;
    if (first_seen_at === null && hearts + open_uploads === 0 && !in_gallery) throw new Refusal('disclosure_not_found');
    return { event: of, hash: value, device, photos: rows };
  }

  const openUploads = (eventId: string, hash: Bytes) => uploads.resumable.list(eventId, hash);

  /** Counts the rows of a table for each of these photos. */
  async function counted(table: 'hearts' | 'link_keys', ids: string[]): Promise<Map<string, number>> {
    if (ids.length === 0) return new Map();
    const rows = kysely.selectFrom(table).select(({ fn }) => ['photo_id', fn.countAll<number>().as('n')]);
    return new Map((await rows.where('photo_id', 'in', ids).groupBy('photo_id').execute()).map(({ photo_id, n }) => [photo_id, Number(n)]));
  }

  async function deviceOf(eventId: string, hash: Bytes): Promise<NonNullable<Disclosure['device']>> {
    const mine = (table: 'hearts' | 'gallery_guests') =>
      kysely.selectFrom(table).select('event_id').where('event_id', '=', eventId).where('device_hash', '=', hash).execute();
    const known = kysely.selectFrom('devices').select('first_seen_at').where('event_id', '=', eventId).where('device_hash', '=', hash);
    const first = (await known.executeTakeFirst())?.first_seen_at;
    return {
      first_seen_at: first === undefined ? null : iso(first),
      hearts: (await mine('hearts')).length,
      in_gallery: (await mine('gallery_guests')).length > 0,
      open_uploads: (await openUploads(eventId, hash)).length,
    };
  }

  async function view({ event, device, photos: rows }: Subject): Promise<Disclosure> {
    const ids = rows.map(({ id }) => id);
    const [hearts, links] = [await counted('hearts', ids), await counted('link_keys', ids)];
    return {
      event: { code: event.code, title: event.title, deletion_date: deletionDay(event) },
      device,
      photos: rows.map(({ id, created_at, type, size, width, height, state, slideshow }) => ({
        id,
        received_at: iso(created_at),
        type,
        bytes: size,
        width,
        height,
        state,
        in_slideshow: slideshow === 1,
        hearts: hearts.get(id) ?? 0,
        links: links.get(id) ?? 0,
      })),
    };
  }

  const entryOf = ({ event }: Subject, { username, address }: Asking) => ({
    actor: `admin:${username}`,
    eventId: event.id,
    eventCode: event.code,
    address,
  });

  /**
   * Deletes a device's other rows if it has no photo; false if it has one, as it sent one meanwhile. An upload in flight that has read
   * these rows finds a new version of the event and writes them again.
   */
  async function forgetDevice(eventId: string, hash: Bytes): Promise<boolean> {
    for (const upload of await openUploads(eventId, hash)) await uploads.resumable.end(upload);
    return db.transaction(async (trx) => {
      await lockEvent(trx, eventId);
      const photo = trx.selectFrom('photos').select('id').where('event_id', '=', eventId).where('device_hash', '=', hash);
      if (await photo.executeTakeFirst()) return false;
      for (const table of ['hearts', 'gallery_guests', 'guest_keys'] as const)
        await trx.deleteFrom(table).where('event_id', '=', eventId).where('device_hash', '=', hash).execute();
      const { numDeletedRows } = await trx
        .deleteFrom('devices')
        .where('event_id', '=', eventId)
        .where('device_hash', '=', hash)
        .executeTakeFirst();
      if (numDeletedRows === 0n) return true;
      await trx
        .updateTable('events')
        .set((row) => ({ device_count: row('device_count', '-', 1), version: row('version', '+', 1) }))
        .where('id', '=', eventId)
        .execute();
      await recordChange(trx, eventId, 'event');
      return true;
    });
  }

  async function removePhotos(subject: Subject, by: Asking): Promise<void> {
    for (const { id } of subject.photos) {
      const row = await photos.byId(id);
      // The photo's guest or host has deleted it meanwhile.
      if (!row) continue;
      await photos.remove({ row }, (trx) => audit.record({ ...entryOf(subject, by), action: 'photo.deleted' }, trx)).catch(ignoreGone);
    }
  }

  return {
    /** Returns the link that tells an operator which device of an event it is. The link gives no access. */
    async linkFor(code: string, deviceId: string, address: string): Promise<string> {
      // `find` counts a wrong code as everywhere else.
      const event = (await events.guests.resolve(code)) ?? (await events.guests.find(code, address));
      return `/admin/auskunft#${event.code}.${Buffer.from(deviceHash(vault, deviceId, event.id)).toString('base64url')}`;
    },

    async show(ask: string, by: Asking): Promise<Disclosure> {
      const subject = await find(ask);
      await audit.record({ ...entryOf(subject, by), action: 'person.disclosed' });
      return view(subject);
    },

    /**
     * Deletes the subject's data and returns what it was. Also deletes a device's photos that arrive meanwhile. Throws Refusal `demo_fixed`
     * for the demo's own pictures, `event_changed` if the device keeps sending.
     */
    async erase(ask: string, by: Asking): Promise<Erasure> {
      const subject = await find(ask);
      const was = await view(subject);
      await removePhotos(subject, by);
      for (let tries = 1; subject.hash && !(await forgetDevice(subject.event.id, subject.hash)); tries++) {
        if (tries === TRIES) throw new Refusal('event_changed');
        const more = await find(ask);
        was.photos.push(...(await view(more)).photos);
        await removePhotos(more, by);
      }
      await audit.record({ ...entryOf(subject, by), action: 'person.erased' });
      return { ...was, backups_gone_by: iso(clock.now() + BACKUPS_KEPT_DAYS * DAY) };
    },
  };
}

function ignoreGone(error: unknown): void {
  if (!(error instanceof Refusal && error.code === 'photo_not_found')) throw error;
}

export function dataSubjectRoutes(http: Http, { disclosures }: { disclosures: Disclosures }): void {
  http.bind('POST /admin/disclosure', ({ body, visitor: { admin, address } }) =>
    disclosures.show(body.ask, { username: admin.username, address }),
  );
  http.bind('POST /admin/disclosure/erase', ({ body, visitor: { admin, address } }) =>
    disclosures.erase(body.ask, { username: admin.username, address }),
  );
  http.bind('GET /api/events/:code/disclosure-link', async ({ params, visitor }) => ({
    link: await disclosures.linkFor(params.code, visitor.deviceId, visitor.address),
  }));
}
