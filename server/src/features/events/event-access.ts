import type { EventRow } from '../../database/schema.ts';
import type { HostVisitor, Visitor } from '../../http/visitor.ts';
import { Refusal } from '../../lib/errors.ts';
import type { FoundEvent } from './events.store.ts';
import type { createGuestEvents } from './guests.ts';

/** As whom a visitor sees photos, the first that the visitor is: in one browser a helper is often a guest of the gallery, too. */
const VIEWERS = {
  all: ['host', 'gallery', 'helper'],
  gallery: ['gallery', 'host'],
  waiting: ['host', 'helper', 'gallery'],
  shown: ['host'],
} as const;

/** Which event the call of a session is for. */
export function createEventAccess(guests: Pick<ReturnType<typeof createGuestEvents>, 'resolve'>) {
  return {
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
      view: keyof typeof VIEWERS = 'all',
    ): { event: EventRow; as: 'host' | 'gallery' | 'helper' } {
      const as = event && VIEWERS[view].find((role) => visitor[role]?.eventId === event.id);
      if (!event || !as) throw new Refusal('login_required');
      return { event, as };
    },
  };
}
