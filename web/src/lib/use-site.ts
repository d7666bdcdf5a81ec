import type { Business, GuestEvent } from '@feierbild/contract/entities.ts';
import type { ErrorBody } from '@feierbild/contract/errors.ts';
import { createContext, useContext } from 'react';

/** The site's data; every document carries them as JSON. */
export interface Site {
  business: Business;
  /** The public demo, or null where it is off. */
  demo: { code: string; password: string } | null;
  /** The site's public address where the operator named it, without a slash at its end. */
  origin: string | null;
  /** The day in Berlin on which the document was drawn, YYYY-MM-DD: the visitor's clock may say something else. */
  today: string;
  /** The guests' page of an event only: what the server drew it from. */
  event?: DrawnEvent;
}

/** An event as the server knows it when it draws the guests' page (server/src/features/events/drawn-event.ts). */
export type DrawnEvent = { event: GuestEvent; locked: boolean } | { refused: ErrorBody & { status: number } };

export const SiteContext = createContext<Site | null>(null);

/** The operator's data and the demo. */
export function useSite(): Site {
  const site = useContext(SiteContext);
  if (!site) throw new Error('the document carries no site');
  return site;
}
