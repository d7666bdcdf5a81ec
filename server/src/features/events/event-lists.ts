import type { AdminEventsQuery } from '@feierbild/contract/calls/events.ts';
import type { AdminEvent } from '@feierbild/contract/entities.ts';
import type { EventTemplate } from '@feierbild/contract/event-templates.ts';
import type { AdminVisitor, Operator } from '../../http/visitor.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { NO_PASSWORDS, type PlainPasswords } from './event-passwords.ts';
import { readEvents, writeEvents, type Told } from './event-table.ts';
import { adminView } from './event-views.ts';
import type { EventStore, StoredPassword } from './events.store.ts';
import type { createGuestEvents } from './guests.ts';
import { withoutPeople } from './programs.ts';
import { selectEvents } from './select-events.ts';

/** Events per query. */
const ROWS_AT_ONCE = 1000;

interface Deps extends Pick<Context, 'clock'> {
  store: EventStore;
  guests: Pick<ReturnType<typeof createGuestEvents>, 'linkPassword'>;
  /** Opens the passwords of guests for an administrator. Throws Refusal `key_tampered`. */
  plainFor(
    admin: AdminVisitor,
    eventId: string,
    stored: Pick<StoredPassword, 'kind' | 'sealed'>[],
    unproved: number,
  ): Promise<PlainPasswords>;
}

/** Creates the administration's lists of events: as pages, as a table, and read from a table. */
export function createEventLists({ store, clock, guests, plainFor }: Deps) {
  return {
    /** Writes the events that the query finds as a table. */
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

    /** Reads a table without creating anything. Throws Refusal `invalid_input`. */
    async readTable(file: Bytes, templates: EventTemplate[], told: Told) {
      const there = (await store.listed()).filter(({ purging_at }) => purging_at === null);
      const events = there.map(({ order_number, ...event }) => ({ ...event, order_number: order_number ?? '' }));
      return readEvents(file, { templates, events, since: await store.lastChange() }, told);
    },

    /** Returns a page of the events that the query finds, or all of them; for pages also the counts. Only administrators see passwords. */
    async list(by: Operator, { page = 1, per_page, ...query }: AdminEventsQuery = {}) {
      const listed = await store.listed();
      // A program must not find by search what it cannot read.
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
          const shown = await plain;
          const view = adminView(event, shown, clock.now());
          const link = await guests.linkPassword(event.id, shown.upload);
          views.set(event.id, 'tokenId' in by ? withoutPeople(view) : { ...view, ...link });
        }
      }
      const events = ids.flatMap((id) => views.get(id) ?? []);
      const all_photos = all.reduce((sum, { photo_count }) => sum + photo_count, 0);
      return { events, ...(per_page !== undefined && { found: found.length, all: all.length, all_photos }) };
    },
  };
}
