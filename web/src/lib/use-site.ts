import type { PublicSite } from '@feierbild/contract/calls/site.ts';
import type { DrawnEvent } from '@feierbild/contract/entities.ts';
import { createContext, useContext } from 'react';

/** The site's data; every document carries them as JSON. */
export interface Site extends PublicSite {
  /** The site's public address where the operator named it, without a slash at its end. */
  origin: string | null;
  /** The day in Berlin on which the document was drawn, YYYY-MM-DD: the visitor's clock may say something else. */
  today: string;
  /** The data from which the server rendered an event's page for guests; set on such pages only. */
  event?: DrawnEvent;
}

export const SiteContext = createContext<Site | null>(null);

/** Returns the site's data. Throws if the document carries none. */
export function useSite(): Site {
  const site = useContext(SiteContext);
  if (!site) throw new Error('the document carries no site');
  return site;
}
