import { StrictMode, type ReactNode } from 'react';
import { SiteContext, type Site } from './lib/use-site.ts';

/** What is around every page, on the server too: ids made by React depend on it. */
export function Frame({ site, children }: { site: Site; children: ReactNode }) {
  return (
    <StrictMode>
      <SiteContext value={site}>{children}</SiteContext>
    </StrictMode>
  );
}
