import { EVENT_CODE_LENGTH, GB } from '@feierbild/contract/constants.ts';
import type { AdminEventsQuery } from '@feierbild/contract/calls/events.ts';
import type { AdminEvent, EventForm, HostEvent } from '@feierbild/contract/entities.ts';
import { purgeDue } from '@feierbild/contract/event-status.ts';
import { isUniqueViolation } from '../../database/errors.ts';
import type { Db } from '../../database/open.ts';
import type { EventRow } from '../../database/schema.ts';
import type { AdminVisitor, HostVisitor, Visitor } from '../../http/visitor.ts';
import type { Clock } from '../../lib/clock.ts';
import { Refusal } from '../../lib/errors.ts';
import { isUuid, randomCode, uuidv7 } from '../../lib/ids.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import type { KeyPair, Vault } from '../../vault/vault.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Audit } from '../audit/audit.ts';
import { deviceHash } from '../devices/devices.ts';
import type { KeyAlarm } from '../key-alarm/key-alarm.ts';
import type { Limits } from '../limits/limits.ts';
import type { OperatorKeys } from '../operator-keys/operator-keys.ts';
import { openPasswords, storedPassword, wantedPasswords, type PasswordKind } from './event-passwords.ts';
import { adminView, hostView, type PlainPasswords } from './event-views.ts';
import { createEventStore, type EventSwitch, type EventUse, type EventWithUse, type StoredPassword } from './events.store.ts';
import { createGuestEvents } from './guests.ts';
import { purgeEvent, purgeRows } from './purge.ts';
import { selectEvents } from './select-events.ts';

/** Most random codes tried until one is free; with 31^8 codes the first one is practically always free. */
const CODE_DRAWS = 5;
/** Events read by one statement. */
const ROWS_AT_ONCE = 1000;

export type Events = ReturnType<typeof createEvents>;

interface Parts {
  db: Db;
  vault: Vault;
  clock: Clock;
  blobs: BlobStore;
  accounts: Accounts;
  operatorKeys: OperatorKeys;
  keyAlarm: KeyAlarm;
  limits: Limits;
  audit: Audit;
  /** Called once an event's keys are gone. */
  onPurged(eventId: string): void;
}

/** Events: created, changed and deleted by administrators, seen by hosts and guests. */
export function createEvents({ db, vault, clock, blobs, accounts, operatorKeys, keyAlarm, limits, audit, onPurged }: Parts) {
  const store = createEventStore(db);
  const guests = createGuestEvents({ store, vault, limits, clock });

  /** The columns that a form sets. */
  function columns(form: EventForm) {
    const flag = (value: boolean): number => (value ? 1 : 0);
    return {
      title: form.title,
      subtitle: form.subtitle,
      start_date: form.start_date,
      end_date: form.end_date,
      is_active: flag(form.is_active),
      with_nsfw_check: flag(form.with_nsfw_check),
      with_random_slideshow: flag(form.with_random_slideshow),
      with_fotobox: flag(form.with_fotobox),
      with_user_upload: flag(form.with_user_upload),
      with_slideshow: flag(form.with_slideshow),
      with_videos: flag(form.with_videos),
      with_upload_password: flag(form.with_upload_password),
      storage_limit: form.storage_limit === null ? null : Math.round(form.storage_limit * GB),
    };
  }

  async function adminEvent(admin: AdminVisitor, event: EventWithUse): Promise<AdminEvent> {
    return adminView(event, await plainFor(admin, event.id, await store.passwords(event.id)), clock.now());
  }

  async function plainFor(
    admin: AdminVisitor,
    eventId: string,
    stored: Pick<StoredPassword, 'kind' | 'sealed'>[],
  ): Promise<PlainPasswords> {
    if (stored.length === 0) return { upload: null, fotobox: null };
    const { privateKey } = await operatorKeys.openEventKeys(admin, eventId);
    return openPasswords(vault, privateKey, eventId, stored);
  }

  async function mustExist(id: string): Promise<EventWithUse> {
    const event = isUuid(id) ? await store.withUse(id) : undefined;
    if (!event) throw new Refusal('event_not_found');
    return event;
  }

  /** Throws event_not_found for the demo: administrators cannot change it. */
  async function mustBeAdmins(id: string): Promise<EventWithUse> {
    const event = await mustExist(id);
    if (event.demo === 1) throw new Refusal('event_not_found');
    return event;
  }

  /** The counts of the photos that a visitor of the demo sees: the samples and the device's own; null for other events. */
  async function demoUse(event: EventRow, deviceId: string | null): Promise<EventUse | null> {
    if (event.demo === 0) return null;
    return store.demoUse(event.id, deviceId === null ? null : deviceHash(vault, deviceId, event.id));
  }

  /** Refuses a new end date after which the photos would be deleted at once, unless that is confirmed. */
  function checkPurge(form: EventForm): void {
    if (purgeDue(form) <= clock.now() && !form.confirm_purge) throw new Refusal('purge_unconfirmed');
  }

  /**
   * Refuses a new limit below what is used, unless that is confirmed. Who names no version overwrites whatever is there, and is not
   * asked.
   */
  function checkLimit(form: EventForm, before: EventRow): void {
    const { storage_limit } = columns(form);
    const fits = storage_limit === null || storage_limit >= before.used_bytes || storage_limit === before.storage_limit;
    if (!fits && form.version !== undefined && !form.confirm_limit) throw new Refusal('limit_unconfirmed');
  }

  /** Creates an event; without an administrator it is one of the demo. */
  async function newRow(form: EventForm, keys: KeyPair, admin: AdminVisitor | null): Promise<string> {
    const wanted = wantedPasswords(form);
    for (let draw = 1; ; draw++) {
      const now = clock.now();
      const id = uuidv7(now);
      const passwords: StoredPassword[] = [];
      for (const [kind, password] of Object.entries(wanted)) {
        if (password) passwords.push(await storedPassword(vault, keys.publicKey, id, kind as PasswordKind, password));
      }
      try {
        await db.transaction(async (trx) => {
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
            demo: admin ? 0 : 1,
          };
          const sealed = await operatorKeys.sealEventKey(trx, id, keys.privateKey, admin);
          await store.add(trx, row, { public_key: keys.publicKey, sealed_for_operator: sealed, secret: vault.createEventSecret() });
          for (const password of passwords) await store.setPassword(trx, id, password);
        });
        return id;
      } catch (error) {
        if (draw >= CODE_DRAWS || !isUniqueViolation(error)) throw error;
      }
    }
  }

  return {
    guests,
    /** The event of a host's call, which must be the host's own. For any other event a new login is required. */
    async forHost(host: HostVisitor, ref: string): Promise<EventRow> {
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

    /** A host's own event; in the demo with the counts of what the visitor sees. */
    async hostEvent({ host, deviceId }: Pick<Visitor, 'deviceId'> & { host: HostVisitor }): Promise<HostEvent> {
      const row = await mustExist(host.eventId);
      const event = { ...row, ...(await demoUse(row, deviceId)) };
      // Opened even if there is no password to show, because this checks the event's keys.
      const privateKey = host.openEventKey();
      if (event.tampered_at !== null) await keyAlarm.clear(event.id);
      return hostView(event, openPasswords(vault, privateKey, event.id, await store.passwords(event.id)), clock.now());
    },

    /** How many photos of an event its host sees. */
    photoCount: async (event: EventRow, { deviceId }: Pick<Visitor, 'deviceId'>): Promise<number> =>
      ((await demoUse(event, deviceId)) ?? event).photo_count,

    /** Sets a switch. In the demo nothing is stored, because all its visitors share one event. */
    async setSwitch(event: EventRow, name: EventSwitch, value: boolean): Promise<void> {
      if (event.demo === 0) await store.setSwitch(event.id, name, value);
    },
    seeReset: (eventId: string): Promise<void> => store.seeReset(eventId, clock.now()),

    /** A page of the events that the query finds, or all of them; of how many. */
    async list(admin: AdminVisitor, { page = 1, per_page, ...query }: AdminEventsQuery = {}) {
      const all = await store.listed();
      const found = selectEvents(all, query, clock.now()).map(({ id }) => id);
      const ids = per_page === undefined ? found : found.slice((page - 1) * per_page, page * per_page);
      const views = new Map<string, AdminEvent>();
      for (let at = 0; at < ids.length; at += ROWS_AT_ONCE) {
        for (const { event, passwords } of await store.withPasswords(ids.slice(at, at + ROWS_AT_ONCE))) {
          const plain = plainFor(admin, event.id, passwords).catch((error: unknown) => {
            // An event with changed keys must not break the list; its status shows the problem.
            if (error instanceof Refusal && error.code === 'key_tampered') return { upload: null, fotobox: null };
            throw error;
          });
          views.set(event.id, adminView(event, await plain, clock.now()));
        }
      }
      const events = ids.flatMap((id) => views.get(id) ?? []);
      const all_photos = all.reduce((sum, { photo_count }) => sum + photo_count, 0);
      return { events, ...(per_page !== undefined && { found: found.length, all: all.length, all_photos }) };
    },

    async create(admin: AdminVisitor, form: EventForm, address: string): Promise<AdminEvent> {
      const id = await newRow(form, vault.createKeyPair(), admin);
      const event = await mustExist(id);
      await audit.record({ actor: `admin:${admin.username}`, action: 'event.created', eventId: id, eventCode: event.code, address });
      return adminEvent(admin, event);
    },

    async update(admin: AdminVisitor, id: string, form: EventForm, address: string): Promise<AdminEvent> {
      const before = await mustBeAdmins(id);
      if (before.purging_at !== null) throw new Refusal('event_purged');
      if (form.version !== undefined && form.version !== before.version) throw new Refusal('event_changed');
      if (form.end_date !== before.end_date) checkPurge(form);
      checkLimit(form, before);
      const publicKey = await store.publicKey(id);
      if (!publicKey) throw new Refusal('event_purged');
      // A verifier costs one argon2 run, so only changed ones are made again.
      const current = await plainFor(admin, id, await store.passwords(id));
      const wanted = wantedPasswords(form);
      const changed: StoredPassword[] = [];
      for (const kind of ['upload', 'fotobox'] as const) {
        const password = wanted[kind];
        if (password && password !== current[kind]) changed.push(await storedPassword(vault, publicKey, id, kind, password));
      }
      await db.transaction(async (trx) => {
        if (!(await store.change(trx, before, columns(form)))) throw new Refusal('event_changed');
        for (const password of changed) await store.setPassword(trx, id, password);
        for (const kind of ['upload', 'fotobox'] as const) if (!wanted[kind]) await store.dropPassword(trx, id, kind);
        await audit.record(
          { actor: `admin:${admin.username}`, action: 'event.changed', eventId: id, eventCode: before.code, address },
          trx,
        );
      });
      return adminEvent(admin, await mustExist(id));
    },

    /** Destroys the keys of an event that is to be purged, and deletes its rows. Stops once the signal is aborted. */
    purgeRows: (id: string, signal?: AbortSignal): Promise<void> => purgeRows({ db, blobs, clock, onPurged }, id, signal),

    /**
     * Purges the event and records it in its row and in the audit log; true if this call completed the purge. Stops once the signal is
     * aborted, and goes on with the next call.
     */
    async purge(id: string, signal?: AbortSignal): Promise<boolean> {
      await purgeEvent({ db, blobs, clock, onPurged }, id, signal);
      return db.transaction(async (trx) => {
        const event = await store.setPurged(trx, id, clock.now());
        if (event) await audit.record({ actor: 'system', action: 'event.purged', eventId: id, eventCode: event.code }, trx);
        return event !== undefined;
      });
    },

    /** Purges the event and removes its row; returns the event as it was. */
    async remove(admin: AdminVisitor, id: string, address: string): Promise<AdminEvent> {
      const event = await mustBeAdmins(id);
      const last =
        event.purging_at === null ? await adminEvent(admin, event) : adminView(event, { upload: null, fotobox: null }, clock.now());
      await purgeEvent({ db, blobs, clock, onPurged }, id);
      await db.transaction(async (trx) => {
        await store.remove(trx, id);
        await audit.record({ actor: `admin:${admin.username}`, action: 'event.deleted', eventId: id, eventCode: event.code, address }, trx);
      });
      return last;
    },

    async createHost(admin: AdminVisitor, id: string, username: string, address: string): Promise<{ username: string; password: string }> {
      const event = await mustBeAdmins(id);
      if (event.purging_at !== null) throw new Refusal('event_purged');
      if (username.trim().toUpperCase() !== event.code) {
        throw new Refusal('invalid_input', { fields: { username: 'Der Benutzername muss der Event-Code sein.' } });
      }
      return accounts.createHost(admin, event, address);
    },

    async resetHost(admin: AdminVisitor, id: string, address: string): Promise<string> {
      const event = await mustBeAdmins(id);
      if (event.purging_at !== null) throw new Refusal('event_purged');
      return accounts.resetHost(admin, event, address);
    },

    /** Creates an event for the demo, which does not have the demo's code yet, with the given password for its host. */
    async openDemo(form: EventForm, password: string): Promise<EventRow> {
      const keys = vault.createKeyPair();
      const id = await newRow(form, keys, null);
      await accounts.addHost(id, keys, password);
      return mustExist(id);
    },

    /** Gives the demo's code to its new event. */
    publishDemo: store.publishDemo,

    /** Events of the demo: the current one, and those that interrupted resets left behind. */
    demoIds: store.demoIds,

    async removeDemo(id: string, signal?: AbortSignal): Promise<void> {
      await purgeEvent({ db, blobs, clock, onPurged }, id, signal);
      await store.remove(db.kysely, id);
    },
  };
}
