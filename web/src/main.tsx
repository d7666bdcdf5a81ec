import './ui/fonts.css';
import './ui/tokens.css';
import './ui/base.css';
import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { watchBackButton } from './lib/leave-guard.ts';
import { SiteContext, type Site } from './lib/use-site.ts';

watchBackButton();
// Every page begins at its top, also after Back. Pages that restore a scroll position do it themselves.
window.history.scrollRestoration = 'manual';

const root = document.getElementById('root') as HTMLElement;
const site = JSON.parse(document.getElementById('site')?.textContent ?? '') as Site;
const app = (
  <StrictMode>
    <SiteContext value={site}>
      <App />
    </SiteContext>
  </StrictMode>
);
if ('drawn' in root.dataset) hydrateRoot(root, app);
else createRoot(root).render(app);
