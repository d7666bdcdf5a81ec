import { EVENT_CODE_LENGTH, GB } from '@feierbild/contract/constants.ts';
import type { AdminEventsQuery } from '@feierbild/contract/calls/events.ts';
import type { AdminEvent, CreatedEvent, EventForm, HostEvent, MadeInvitation } from '@feierbild/contract/entities.ts';
import type { EventTemplate } from '@feierbild/contract/templates.ts';
import type { Updateable } from 'kysely';
import { purgeDue } from '@feierbild/contract/event-status.ts';
import { isUniqueViolation } from '../../database/errors.ts';
import type { Trx } from '../../database/open.ts';
import type { Database, EventRow } from '../../database/schema.ts';
import type { AdminVisitor, HostVisitor, Operator, Visitor } from '../../http/visitor.ts';
import { networkPath } from '../../lib/address.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';
import { isUuid, randomCode, uuidv7 } from '../../lib/ids.ts';
import { eventPrefix } from '../../storage/blob-store.ts';
import type { KeyPair } from '../../vault/vault.ts';
import type { Ground } from '../ground.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { actorOf, type Audit } from '../audit/audit.ts';
import { deviceHash } from '../devices/devices.ts';
import type { KeyAlarm } from '../key-alarm/key-alarm.ts';
import type { Limits } from '../limits/limits.ts';
import type { Mail } from '../mail/mail.ts';
import type { OperatorKeys } from '../operator-keys/operator-keys.ts';
import {
  keptPasswords,
  newPasswords,
  NO_PASSWORDS,
  openPasswords,
  PASSWORD_KINDS,
  wantedPasswords,
  type PlainPasswords,
} from './event-passwords.ts';
import { adminView, EVENT_SWITCHES, hostView } from './event-views.ts';
import {
  createEventStore,
  type EventSwitch,
  type EventUse,
  type EventWithUse,
  type FoundEvent,
  type StoredPassword,
} from './events.store.ts';
import { noteDeletion, type Receipts } from '../receipts/receipts.ts';
import { readEvents, writeEvents } from './event-table.ts';
import { createGuestEvents } from './guests.ts';
import { createProgramLimits } from './programs.ts';
import { purgeEvent, purgeRows } from './purge.ts';
import { selectEvents } from './select-events.ts';

/** Most random codes tried until one is free; with 31^8 codes the first one is practically always free. */
const CODE_DRAWS = 5;
/** Events read by one statement. */
const ROWS_AT_ONCE = 1000;
/** Columns of 0 and 1 that the form sets; `with_slideshow_names` is the host's. */
const FORM_FLAGS = ['is_active', ...EVENT_SWITCHES.filter((name) => name !== 'with_slideshow_names')] as const;

/** As whom a visitor sees photos, the first that the visitor is: in one browser a helper is often a guest of the gallery, too. */
const VIEWERS = {
  all: ['host', 'gallery', 'helper'],
  gallery: ['gallery', 'host'],
  waiting: ['host', 'helper', 'gallery'],
} as const;

export { lookOf } from './event-views.ts';
export type Events = ReturnType<typeof createEvents>;

interface Parts extends Pick<Ground, 'db' | 'vault' | 'clock' | 'blobs'> {
  accounts: Accounts;
  operatorKeys: OperatorKeys;
  keyAlarm: KeyAlarm;
  limits: Limits;
  audit: Audit;
  receipts: Pick<Receipts, 'linkTo'>;
  mail: Pick<Mail, 'invite' | 'announceDeletion'>;
  /** Without a slash at the end; null: from the request. */
  publicUrl: string | null;
  /** Called once an event's keys are gone. */
  onPurged(eventId: string): void;
}

/** Events: created, changed and deleted by administrators, seen by hosts and guests. */
export function createEvents({
  db,
  vault,
  clock,
  blobs,
  accounts,
  operatorKeys,
  keyAlarm,
  limits,
  audit,
  receipts,
  mail,
  publicUrl,
  onPurged,
}: Parts) {
  const purging = { db, blobs, clock, onPurging: mail.announceDeletion, onPurged };
  const store = createEventStore(db);
  const guests = createGuestEvents({ store, vault, limits, clock });
  const mustBeAllowed = createProgramLimits({ kysely: db.kysely, store, guests, clock });

  /** The columns that a form sets. */
  function columns(form: EventForm) {
    const { title, subtitle, start_date, end_date } = form;
    const flags = Object.fromEntries(FORM_FLAGS.map((name) => [name, form[name] ? 1 : 0])) as Record<(typeof FORM_FLAGS)[number], number>;
    const storage_limit = form.storage_limit === null ? null : Math.round(form.storage_limit * GB);
    return { title, subtitle, start_date, end_date, ...flags, storage_limit };
  }

  async function plainFor(
    admin: AdminVisitor,
    eventId: string,
    stored: Pick<StoredPassword, 'kind' | 'sealed'>[],
    unproved = 0,
  ): Promise<PlainPasswords> {
    if (stored.length === 0 && unproved === 0) return NO_PASSWORDS;
    const { privateKey } = await operatorKeys.openEventKeys(admin, eventId);
    if (unproved === 1) await store.setProved(eventId);
    return openPasswords(vault, privateKey, eventId, stored);
  }

  async function mustExist(id: string, trx?: Trx): Promise<EventWithUse> {
    const event = isUuid(id) ? await store.withUse(id, trx) : undefined;
    if (!event) throw new Refusal('event_not_found');
    return event;
  }

  /** Throws event_not_found for the demo: administrators cannot change it. */
  async function mustBeAdmins(id: string): Promise<EventWithUse> {
    const event = await mustExist(id);
    if (event.demo === 1) throw new Refusal('event_not_found');
    return event;
  }

  /** The same of one that is not deleted. Throws event_purged. */
  async function mustBeOpen(id: string): Promise<EventWithUse> {
    const event = await mustBeAdmins(id);
    if (event.purging_at !== null) throw new Refusal('event_purged');
    return event;
  }

  /** The counts of the photos that a visitor of the demo sees: the samples and the device's own; null for other events. */
  async function demoUse(event: EventRow, deviceId: string | null): Promise<EventUse | null> {
    if (event.demo === 0) return null;
    return store.demoUse(event.id, deviceId === null ? null : deviceHash(vault, deviceId, event.id));
  }

  /** Makes an invitation for the host of an event, whose keys these are, and has it sent where there is an address. */
  async function inviteWith(
    trx: Trx,
    event: { id: string; code: string },
    keys: KeyPair,
    by: { actor: string; address: string },
  ): Promise<MadeInvitation> {
    const { token, expiresAt } = await accounts.invitations.add(trx, event.id, keys);
    const mailed = await mail.invite(trx, event.id, token);
    await audit.record({ ...by, action: 'host.invited', eventId: event.id, eventCode: event.code }, trx);
    return { link: `${publicUrl ?? ''}/einladung/${event.code}#${token}`, expires_at: new Date(expiresAt).toISOString(), mailed };
  }

  /** Creates an event with what `also` does in the same transaction; without an operator it is one of the demo. */
  async function newRow(
    form: EventForm,
    keys: KeyPair,
    by: Operator | null,
    also: (trx: Trx, event: EventWithUse) => Promise<void> = async () => undefined,
  ): Promise<EventWithUse> {
    const admin = by && 'adminId' in by ? by : null;
    for (let draw = 1; ; draw++) {
      const now = clock.now();
      const id = uuidv7(now);
      const passwords = await newPasswords(vault, keys.publicKey, id, wantedPasswords(form), NO_PASSWORDS);
      try {
        return await db.transaction(async (trx) => {
          const row = {
            id,
            code: randomCode(EVENT_CODE_LENGTH),
            ...columns(form),
            used_bytes: 0,
            photo_count: 0,
            video_count: 0,
            device_count: 0,
            created_at: now,
            purging_at: null,
            purged_at: null,
            version: 1,
            demo: by ? 0 : 1,
            unproved: by && !admin ? 1 : 0,
          };
          const sealed = await operatorKeys.sealEventKey(trx, id, keys.privateKey, admin);
          await store.add(trx, row, { public_key: keys.publicKey, sealed_for_operator: sealed, secret: vault.createEventSecret() });
          for (const password of passwords) await store.setPassword(trx, id, password);
          const event = await mustExist(id, trx);
          await also(trx, event);
          return event;
        });
      } catch (error) {
        if (draw >= CODE_DRAWS || !isUniqueViolation(error)) throw error;
      }
    }
  }

  return {
    guests,
    /** The event of a host's call, which must be the host's own. For any other event a new login is required. */
    async forHost(host: HostVisitor, ref: string): Promise<FoundEvent> {
      const event = await guests.resolve(ref);
      if (!event || event.id !== host.eventId) throw new Refusal('login_required');
      return event;
    },

    /** The event of a call for the slideshow, for its host or its locked slideshow. */
    async forSlideshow({ host, projector }: Pick<Visitor, 'host' | 'projector'>, ref: string): Promise<EventRow> {
      const event = await guests.resolve(ref);
      if (!event || ![host?.eventId, projector?.eventId].includes(event.id)) throw new Refusal('login_required');
      return event;
    },

    /** The event of a call for its host, a guest in its gallery or its helper, and as whom it is made; see VIEWERS. Throws Refusal login_required. */
    forViewer(
      visitor: Visitor,
      event: EventRow | undefined,
      view: 'gallery' | 'waiting' | 'all' = 'all',
    ): { event: EventRow; as: 'host' | 'gallery' | 'helper' } {
      const as = event && VIEWERS[view].find((role) => visitor[role]?.eventId === event.id);
      if (!event || !as) throw new Refusal('login_required');
      return { event, as };
    },

    /** A host's own event; in the demo with the counts of what the visitor sees. */
    async hostEvent({ host, deviceId }: Pick<Visitor, 'deviceId'> & { host: HostVisitor }): Promise<HostEvent> {
      const row = await mustExist(host.eventId);
      const use = await demoUse(row, deviceId);
      // The demo goes before an upload does: what is announced there is on its way.
      const event = { ...row, ...use, ...(use && { coming_count: use.announced_count }) };
      // Opened even if there is no password to show, because this checks the event's keys.
      const privateKey = host.openEventKey();
      if (event.tampered_at !== null) await keyAlarm.clear(event.id);
      const passwords = openPasswords(vault, privateKey, event.id, await store.passwords(event.id));
      const receipt_link = event.demo === 1 ? null : await receipts.linkTo(event);
      return { ...hostView(event, passwords, await store.waiting(event.id), clock.now()), receipt_link };
    },

    /** How many photos of an event its host sees. */
    photoCount: async (event: EventRow, { deviceId }: Pick<Visitor, 'deviceId'>): Promise<number> =>
      ((await demoUse(event, deviceId)) ?? event).photo_count,

    /** Sets a switch. In the demo nothing is stored, because all its visitors share one event. */
    async setSwitch(event: EventRow, name: EventSwitch, value: boolean): Promise<void> {
      if (event.demo === 0) await db.transaction((trx) => store.change(trx, { id: event.id }, { [name]: value ? 1 : 0 }));
    },
    /** Changes columns of an event as it was read, with what `also` does in the same transaction. Throws event_purged, event_changed. */
    async change(event: EventRow, columns: Updateable<Database['events']>, also: (trx: Trx) => Promise<void>): Promise<void> {
      if (event.purging_at !== null) throw new Refusal('event_purged');
      await db.transaction(async (trx) => {
        if (!(await store.change(trx, event, columns))) throw new Refusal('event_changed');
        await also(trx);
      });
    },
    seeReset: (eventId: string): Promise<void> => store.seeReset(eventId, clock.now()),

    /** The events that the query finds as a table. */
    async table(query: AdminEventsQuery): Promise<Bytes> {
      const ids = selectEvents(await store.listed(), query, clock.now()).map(({ id }) => id);
      const views = new Map<string, AdminEvent>();
      for (let at = 0; at < ids.length; at += ROWS_AT_ONCE)
        for (const { event } of await store.withPasswords(ids.slice(at, at + ROWS_AT_ONCE)))
          views.set(event.id, adminView(event, NO_PASSWORDS, clock.now()));
      return writeEvents(
        ids.flatMap((id) => views.get(id) ?? []),
        clock.now(),
      );
    },

    /** Reads a table, and creates nothing. Throws Refusal invalid_input. */
    async readTable(file: Bytes, templates: EventTemplate[]) {
      const there = (await store.listed()).filter(({ purging_at }) => purging_at === null);
      const events = there.map(({ order_number, ...event }) => ({ ...event, order_number: order_number ?? '' }));
      return readEvents(file, { templates, events, since: await store.lastDeletion() });
    },

    /** A page of the events that the query finds, or all of them; of how many. Only administrators see passwords. */
    async list(by: Operator, { page = 1, per_page, ...query }: AdminEventsQuery = {}) {
      const listed = await store.listed();
      // What a program cannot read it does not find by guessing either.
      const all = 'tokenId' in by ? listed.map(withoutPeople) : listed;
      const found = selectEvents(all, query, clock.now()).map(({ id }) => id);
      const ids = per_page === undefined ? found : found.slice((page - 1) * per_page, page * per_page);
      const views = new Map<string, AdminEvent>();
      for (let at = 0; at < ids.length; at += ROWS_AT_ONCE) {
        for (const { event, passwords } of await store.withPasswords(ids.slice(at, at + ROWS_AT_ONCE))) {
          const plain = ('adminId' in by ? plainFor(by, event.id, passwords, event.unproved) : Promise.resolve(NO_PASSWORDS)).catch(
            (error: unknown) => {
              // An event with changed keys must not break the list; its status shows the problem.
              if (error instanceof Refusal && error.code === 'key_tampered') return NO_PASSWORDS;
              throw error;
            },
          );
          const view = adminView(event, await plain, clock.now());
          views.set(event.id, 'tokenId' in by ? withoutPeople(view) : view);
        }
      }
      const events = ids.flatMap((id) => views.get(id) ?? []);
      const all_photos = all.reduce((sum, { photo_count }) => sum + photo_count, 0);
      return { events, ...(per_page !== undefined && { found: found.length, all: all.length, all_photos }) };
    },

    /** `keep` stores what is answered with the event, without passwords, the invitation and what it says of people. */
    async create(
      by: Operator,
      form: EventForm,
      address: string,
      keep: (trx: Trx, answer: AdminEvent) => Promise<void> = async () => undefined,
    ): Promise<AdminEvent & Pick<CreatedEvent, 'invitation'>> {
      // There are none to keep.
      await keptPasswords(form, [], async () => false);
      const keys = vault.createKeyPair();
      let invitation: MadeInvitation | undefined;
      const event = await newRow(form, keys, by, async (trx, row) => {
        const entry = { actor: actorOf(by), action: 'event.created', eventId: row.id, eventCode: row.code, address } as const;
        await audit.record(entry, trx);
        if (form.host) await store.setContact(trx, row.id, form.host);
        await store.setNotes(trx, row.id, form);
        if (form.host) invitation = await inviteWith(trx, row, keys, { actor: actorOf(by), address });
        const made = await mustExist(row.id, trx);
        await keep(trx, withoutPeople(adminView(made, NO_PASSWORDS, clock.now())));
      });
      const made = await mustExist(event.id);
      // Whoever has the link takes the host's place, and programs keep records of what they are answered.
      const told = invitation?.mailed && !('adminId' in by) ? { expires_at: invitation.expires_at, mailed: true } : invitation;
      return { ...adminView(made, wantedPasswords(form), clock.now()), ...(told && { invitation: told }) };
    },

    /** Makes a new invitation for an event's host. */
    async invite(admin: AdminVisitor, id: string, address: string): Promise<MadeInvitation> {
      const event = await mustBeOpen(id);
      const keys = await operatorKeys.openEventKeys(admin, id);
      return db.transaction(async (trx) => {
        const held = trx.selectFrom('events').select('id').where('id', '=', id).where('purging_at', 'is', null).forShare();
        if (!(await held.executeTakeFirst())) throw new Refusal('event_purged');
        return inviteWith(trx, event, keys, { actor: actorOf(admin), address });
      });
    },

    /** Who repeats the creation of an event has its passwords, and what it says of people. */
    asSent,

    /** One that may be changed. Throws Refusal event_not_found, event_purged. */
    open: mustBeOpen,

    async update(by: Operator, id: string, form: EventForm, address: string): Promise<AdminEvent> {
      const before = await mustBeOpen(id);
      if (!('adminId' in by)) await mustBeAllowed(by, before, form, address);
      if (form.version !== undefined && form.version !== before.version) throw new Refusal('event_changed');
      if (form.end_date !== before.end_date && purgeDue(form) <= clock.now() && !form.confirm_purge) throw new Refusal('purge_unconfirmed');
      const { storage_limit } = columns(form);
      const fits = storage_limit === null || storage_limit >= before.used_bytes || storage_limit === before.storage_limit;
      // Who names no version overwrites whatever is there, and is not asked.
      if (!fits && form.version !== undefined && !form.confirm_limit) throw new Refusal('limit_unconfirmed');
      const publicKey = await store.publicKey(id);
      if (!publicKey) throw new Refusal('event_purged');
      // A verifier costs one argon2 run, so only changed ones are made again.
      const stored = await store.passwords(id);
      const current = 'adminId' in by ? await plainFor(by, id, stored) : NO_PASSWORDS;
      const kept = (await keptPasswords(form, stored, (one, verifier) => vault.verifyPassword(verifier, one, networkPath(address)))).map(
        ({ kind }) => kind,
      );
      const wanted = wantedPasswords(form);
      const changed = await newPasswords(vault, publicKey, id, wanted, current);
      await db.transaction(async (trx) => {
        if (!(await store.change(trx, before, columns(form)))) throw new Refusal('event_changed');
        for (const password of changed) await store.setPassword(trx, id, password);
        for (const kind of PASSWORD_KINDS) if (!wanted[kind] && !kept.includes(kind)) await store.dropPassword(trx, id, kind);
        if (form.host !== undefined) await store.setContact(trx, id, form.host);
        await store.setNotes(trx, id, form);
        await audit.record({ actor: actorOf(by), action: 'event.changed', eventId: id, eventCode: before.code, address }, trx);
      });
      const shown = Object.fromEntries(PASSWORD_KINDS.map((kind) => [kind, kept.includes(kind) ? current[kind] : wanted[kind]]));
      const view = adminView(await mustExist(id), shown as PlainPasswords, clock.now());
      return 'tokenId' in by ? asSent(form, view) : view;
    },

    /** Destroys the keys of an event that is to be purged, and deletes its rows. Stops once the signal is aborted. */
    purgeRows: (id: string, signal?: AbortSignal): Promise<void> => purgeRows(purging, id, signal),

    /**
     * Deletes the bytes of an event without rows, and records its purge in its row and in the audit log; true if this call completed the
     * purge. Stops once the signal is aborted, and goes on with the next call.
     */
    async purgeBytes(id: string, signal?: AbortSignal): Promise<boolean> {
      await blobs.removePrefix(eventPrefix(id), signal);
      return db.transaction(async (trx) => {
        const event = await store.setPurged(trx, id, clock.now());
        await noteDeletion(trx, id, 'bytes_gone_at', clock.now());
        if (event) await audit.record({ actor: 'system', action: 'event.purged', eventId: id, eventCode: event.code }, trx);
        return event !== undefined;
      });
    },

    /** Purges the event and removes its row; returns the event as it was. */
    async remove(admin: AdminVisitor, id: string, address: string): Promise<AdminEvent> {
      const event = await mustBeAdmins(id);
      const plain = event.purging_at === null ? await plainFor(admin, id, await store.passwords(id)) : NO_PASSWORDS;
      const last = adminView(event, plain, clock.now());
      await purgeEvent(purging, id);
      await db.transaction(async (trx) => {
        await store.remove(trx, id);
        await noteDeletion(trx, id, 'bytes_gone_at', clock.now());
        await audit.record({ actor: `admin:${admin.username}`, action: 'event.deleted', eventId: id, eventCode: event.code, address }, trx);
      });
      return last;
    },

    async createHost(admin: AdminVisitor, id: string, username: string, address: string): Promise<{ username: string; password: string }> {
      const event = await mustBeOpen(id);
      if (username.trim().toUpperCase() !== event.code) {
        throw new Refusal('invalid_input', { fields: { username: 'Der Benutzername muss der Event-Code sein.' } });
      }
      return accounts.createHost(admin, event, address);
    },

    async resetHost(admin: AdminVisitor, id: string, address: string): Promise<string> {
      return accounts.resetHost(admin, await mustBeOpen(id), address);
    },

    /** Creates an event for the demo, which does not have the demo's code yet, with the given password for its host. */
    async openDemo(form: EventForm, password: string): Promise<EventRow> {
      const keys = vault.createKeyPair();
      const event = await newRow(form, keys, null);
      await accounts.addHost(event.id, keys, password);
      return event;
    },

    /** Gives the demo's code to its new event. */
    publishDemo: store.publishDemo,

    /** Events of the demo: the current one, and those that interrupted resets left behind. */
    demoIds: store.demoIds,

    async removeDemo(id: string, signal?: AbortSignal): Promise<void> {
      await purgeEvent(purging, id, signal);
      await store.remove(db.kysely, id);
    },
  };
}

/** Without the host's address, and without what the operator notes, but for the order's number: a program may know its own orders again. */
const withoutPeople = <E extends object>(event: E) => ({ ...event, host: null, customer: '', note: '' });

/** An event for a program: of passwords and people only what it sent itself. */
function asSent(form: EventForm, event: AdminEvent): AdminEvent {
  const { upload, fotobox } = wantedPasswords(form);
  const { host, customer = '', note = '' } = form;
  return { ...event, host: host ?? null, customer, note, user_upload_password: upload, fotobox_upload_password: fotobox };
}
