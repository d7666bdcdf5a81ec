import type { AdminEvent, HostEvent } from '@feierbild/contract/entities.ts';
import type { EventForm } from '@feierbild/contract/event-form.ts';
import type { Updateable } from 'kysely';
import { purgeDue } from '@feierbild/contract/event-status.ts';
import type { Trx } from '../../database/open.ts';
import type { EventRow } from '../../database/rows.ts';
import type { Database } from '../../database/schema.ts';
import type { AdminVisitor, HostVisitor, Operator, Visitor } from '../../http/visitor.ts';
import { networkPath } from '../../lib/address.ts';
import { Refusal } from '../../lib/errors.ts';
import { isUuid } from '../../lib/ids.ts';
import { eventPrefix } from '../../storage/blob-store.ts';
import type { Context } from '../context.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { actorOf, type Audit } from '../audit/audit.ts';
import { deviceHash } from '../devices/devices.ts';
import type { KeyAlarm } from '../key-alarm/key-alarm.ts';
import type { RateLimits } from '../rate-limits/rate-limits.ts';
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
import { columnsOf, createEventCreation } from './create-event.ts';
import { createEventAccess } from './event-access.ts';
import { createEventLists } from './event-lists.ts';
import { adminView, hostView } from './event-views.ts';
import { createEventStore, type EventSwitch, type EventUse, type EventWithUse, type StoredPassword } from './events.store.ts';
import { noteDeletion, type Receipts } from '../receipts/receipts.ts';
import { createGuestEvents } from './guests.ts';
import { asSent, createProgramLimits } from './programs.ts';
import { purgeEvent, purgeRows } from './purge.ts';

export { linkPreviewOf, lookOf } from './event-views.ts';
export type Events = ReturnType<typeof createEvents>;

interface Deps extends Pick<Context, 'db' | 'vault' | 'clock' | 'blobs'> {
  accounts: Accounts;
  operatorKeys: OperatorKeys;
  keyAlarm: KeyAlarm;
  limits: RateLimits;
  audit: Audit;
  receipts: Pick<Receipts, 'linkTo'>;
  mail: Pick<Mail, 'invite' | 'announceDeletion'>;
  /** The public address without a final slash; null if the request tells it. */
  publicUrl: string | null;
  /** Called after an event's keys were deleted. */
  onPurged(eventId: string): void;
}

/** Creates events: administrators create, change and delete them, hosts and guests see them. */
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
}: Deps) {
  const purging = { db, blobs, clock, onPurging: mail.announceDeletion, onPurged };
  const store = createEventStore(db);
  const guests = createGuestEvents({ db, store, vault, limits, clock });
  const mustBeAllowed = createProgramLimits({ kysely: db.kysely, store, guests, clock });

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

  /** Returns an event that administrators may change. Throws Refusal `event_not_found` for the demo. */
  async function mustBeAdmins(id: string): Promise<EventWithUse> {
    const event = await mustExist(id);
    if (event.demo === 1) throw new Refusal('event_not_found');
    return event;
  }

  /** Returns an event that administrators may change and that is not deleted. Throws Refusal `event_not_found`, `event_purged`. */
  async function mustBeOpen(id: string): Promise<EventWithUse> {
    const event = await mustBeAdmins(id);
    if (event.purging_at !== null) throw new Refusal('event_purged');
    return event;
  }

  /** Counts the photos that a visitor of the demo sees: the samples and the device's own; null for other events. */
  async function demoUse(event: EventRow, deviceId: string | null): Promise<EventUse | null> {
    if (event.demo === 0) return null;
    return store.demoUse(event.id, deviceId === null ? null : deviceHash(vault, deviceId, event.id));
  }

  return {
    guests,
    ...createEventAccess(guests),
    ...createEventLists({ store, clock, guests, plainFor }),
    ...createEventCreation({ db, vault, clock, accounts, operatorKeys, audit, mail, publicUrl, store, mustExist, mustBeOpen }),
    /** Returns a host's own event; in the demo with the counts that the visitor sees. */
    async hostEvent({ host, deviceId }: Pick<Visitor, 'deviceId'> & { host: HostVisitor }): Promise<HostEvent> {
      const row = await mustExist(host.eventId);
      const use = await demoUse(row, deviceId);
      // The demo is reset before an announced upload expires, so all announced photos count as coming.
      const event = { ...row, ...use, ...(use && { coming_count: use.announced_count }) };
      // The key is opened even if there is no password to show, because this checks the event's keys.
      const privateKey = host.openEventKey();
      if (event.tampered_at !== null) await keyAlarm.clear(event.id);
      const passwords = openPasswords(vault, privateKey, event.id, await store.passwords(event.id));
      const receipt_link = event.demo === 1 ? null : await receipts.linkTo(event);
      const link = await guests.linkPassword(event.id, passwords.upload);
      return { ...hostView(event, passwords, await store.waiting(event.id), clock.now()), ...link, receipt_link };
    },

    /** Counts the photos of an event that its host sees. */
    photoCount: async (event: EventRow, { deviceId }: Pick<Visitor, 'deviceId'>): Promise<number> =>
      ((await demoUse(event, deviceId)) ?? event).photo_count,

    /** Sets a switch. In the demo nothing is stored, because all its visitors share one event. */
    async setSwitch(event: EventRow, name: EventSwitch, value: boolean): Promise<void> {
      if (event.demo === 0) await db.transaction((trx) => store.change(trx, { id: event.id }, { [name]: value ? 1 : 0 }));
    },
    /**
     * Changes columns of an event as it was read, and runs `also` in the same transaction. Throws Refusal `event_purged`, `event_changed`.
     */
    async change(event: EventRow, columns: Updateable<Database['events']>, also: (trx: Trx) => Promise<void>): Promise<void> {
      if (event.purging_at !== null) throw new Refusal('event_purged');
      await db.transaction(async (trx) => {
        if (!(await store.change(trx, event, columns))) throw new Refusal('event_changed');
        await also(trx);
      });
    },
    seeReset: (eventId: string): Promise<void> => store.seeReset(eventId, clock.now()),

    /** Returns the answer to a repeated creation, with the form's own passwords and names of people. */
    asSent,

    /** Returns an event that may be changed. Throws Refusal `event_not_found`, `event_purged`. */
    open: mustBeOpen,

    async update(by: Operator, id: string, form: EventForm, address: string): Promise<AdminEvent> {
      const before = await mustBeOpen(id);
      if (!('adminId' in by)) await mustBeAllowed(by, before, form, address);
      if (form.version !== undefined && form.version !== before.version) throw new Refusal('event_changed');
      if (form.end_date !== before.end_date && purgeDue(form) <= clock.now() && !form.confirm_purge) throw new Refusal('purge_unconfirmed');
      const { storage_limit } = columnsOf(form);
      const fits = storage_limit === null || storage_limit >= before.used_bytes || storage_limit === before.storage_limit;
      // A form without a version overwrites the event, and needs no confirmation.
      if (!fits && form.version !== undefined && !form.confirm_limit) throw new Refusal('limit_unconfirmed');
      const publicKey = await store.publicKey(id);
      if (!publicKey) throw new Refusal('event_purged');
      // A verifier costs one argon2 run, so only changed passwords get new ones.
      const stored = await store.passwords(id);
      const current = 'adminId' in by ? await plainFor(by, id, stored) : NO_PASSWORDS;
      const kept = (await keptPasswords(form, stored, (one, verifier) => vault.verifyPassword(verifier, one, networkPath(address)))).map(
        ({ kind }) => kind,
      );
      const wanted = wantedPasswords(form);
      const changed = await newPasswords(vault, publicKey, id, wanted, current);
      const isMoved = form.start_date !== before.start_date || form.end_date !== before.end_date;
      const leavesAddress = form.host !== undefined && before.host_email !== null && form.host?.email !== before.host_email;
      const endsInvitation = await db.transaction(async (trx) => {
        if (!(await store.change(trx, before, columnsOf(form)))) throw new Refusal('event_changed');
        for (const password of changed) await store.setPassword(trx, id, password);
        for (const kind of PASSWORD_KINDS) if (!wanted[kind] && !kept.includes(kind)) await store.dropPassword(trx, id, kind);
        if (form.host !== undefined) await store.setContact(trx, id, form.host);
        await store.setNotes(trx, id, form);
        const action = isMoved ? 'event.moved' : 'event.changed';
        await audit.record({ actor: actorOf(by), action, eventId: id, eventCode: before.code, address }, trx);
        return leavesAddress && accounts.invitations.endSent(trx, id);
      });
      if (endsInvitation) await db.eraseDeleted();
      const shown = Object.fromEntries(PASSWORD_KINDS.map((kind) => [kind, kept.includes(kind) ? current[kind] : wanted[kind]]));
      const view = adminView(await mustExist(id), shown as PlainPasswords, clock.now());
      return 'tokenId' in by ? asSent(form, view) : view;
    },

    /** Destroys the keys of an event and deletes its rows. Stops once the signal is aborted. */
    purgeRows: (id: string, signal?: AbortSignal): Promise<void> => purgeRows(purging, id, signal),

    /**
     * Deletes the bytes of an event without rows, and records its purge in its row and in the audit log; true if this call completed the
     * purge. Stops once the signal is aborted; the next call continues.
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

    async resetHost(admin: AdminVisitor, id: string, was: string | undefined, address: string): Promise<string> {
      return accounts.resetHost(admin, await mustBeOpen(id), was, address);
    },

    /** Gives the demo's code to its new event. */
    publishDemo: store.publishDemo,

    /** Reads the ids of the demo's events: the current one, and leftovers of interrupted resets. */
    demoIds: store.demoIds,

    async removeDemo(id: string, signal?: AbortSignal): Promise<void> {
      await purgeEvent(purging, id, signal);
      await store.remove(db.kysely, id);
    },
  };
}
