import './ui/fonts.css';
import './ui/tokens.css';
import './ui/palettes.css';
import './ui/base.css';
import type { ReactNode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { Frame } from './frame.tsx';
import { watchBackButton } from './lib/leave-guard.ts';
import type { Site } from './lib/use-site.ts';

/** Renders a document's page, or hydrates it where the server rendered it. */
export function begin(page: ReactNode): void {
  watchBackButton();
  // Every page begins at its top, also after Back. Pages that restore a scroll position do it themselves.
  window.history.scrollRestoration = 'manual';
  const root = document.getElementById('root') as HTMLElement;
  const site = JSON.parse(document.getElementById('site')?.textContent ?? '') as Site;
  if ('drawn' in root.dataset) hydrateRoot(root, <Frame site={site}>{page}</Frame>);
  else createRoot(root).render(<Frame site={site}>{page}</Frame>);
}
