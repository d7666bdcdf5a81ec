import type { EventRow } from '../../database/rows.ts';
import type { HostVisitor, Visitor } from '../../http/visitor.ts';
import { Refusal } from '../../lib/errors.ts';
import type { FoundEvent } from './events.store.ts';
import type { createGuestEvents } from './guests.ts';

/** The roles by priority for each kind of call: in one browser a helper is often a guest of the gallery, too. */
const VIEWERS = {
  all: ['host', 'gallery', 'helper'],
  gallery: ['gallery', 'host'],
  waiting: ['host', 'helper'],
  shown: ['host'],
} as const;

/** Creates the checks that a session belongs to the event of its call. */
export function createEventAccess(guests: Pick<ReturnType<typeof createGuestEvents>, 'resolve'>) {
  return {
    /** Returns the event of a host's call. Throws Refusal `login_required` for any other event. */
    async forHost(host: HostVisitor, ref: string): Promise<FoundEvent> {
      const event = await guests.resolve(ref);
      if (!event || event.id !== host.eventId) throw new Refusal('login_required');
      return event;
    },

    /** Returns the event of a call by its host or its locked slideshow. Throws Refusal `login_required`. */
    async forSlideshow({ host, projector }: Pick<Visitor, 'host' | 'projector'>, ref: string): Promise<EventRow> {
      const event = await guests.resolve(ref);
      if (!event || ![host?.eventId, projector?.eventId].includes(event.id)) throw new Refusal('login_required');
      return event;
    },

    /**
     * Returns the event of a call and the role of the caller: its host, a guest in its gallery or its helper; see VIEWERS. Throws Refusal
     * `login_required`.
     */
    forViewer(
      visitor: Visitor,
      event: EventRow | undefined,
      view: keyof typeof VIEWERS = 'all',
    ): { event: EventRow; as: 'host' | 'gallery' | 'helper' } {
      const as = event && VIEWERS[view].find((role) => visitor[role]?.eventId === event.id);
      if (!event || !as) throw new Refusal('login_required');
      return { event, as };
    },
  };
}
