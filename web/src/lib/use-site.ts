import type { PublicSite } from '@feierbild/contract/calls/site.ts';
import type { DrawnEvent } from '@feierbild/contract/entities.ts';
import { createContext, useContext } from 'react';

/** The site's data; every document carries them as JSON. */
export interface Site extends PublicSite {
  /** The site's public address where the operator named it, without a slash at its end. */
  origin: string | null;
  /** The day in Berlin on which the document was drawn, YYYY-MM-DD: the visitor's clock may say something else. */
  today: string;
  /** The guests' page of an event only: what the server drew it from. */
  event?: DrawnEvent;
}

export const SiteContext = createContext<Site | null>(null);

/** The operator's data and the demo. */
export function useSite(): Site {
  const site = useContext(SiteContext);
  if (!site) throw new Error('the document carries no site');
  return site;
}
