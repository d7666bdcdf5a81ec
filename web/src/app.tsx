import { lazy, Suspense, useEffect, useRef, type ComponentType } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { Failsafe } from './frame.tsx';
import { isWithinDocument } from './lib/open-page.ts';
import { wear } from './lib/wear.ts';
import { ButtonLink } from './ui/button.tsx';
import { MessagePage } from './ui/message-page.tsx';
import { Waiting } from './ui/spinner.tsx';

/** Parameters in the paths of pages. */
type Named = Record<'code' | 'token', string>;

/** Paths of the pages that belong to one event. */
const OF_EVENT = /^\/(event|manage|gallery|galerie|freigabe|slideshow)\/./;

/** The pages by their paths, in the router's notation. */
const PAGES = Object.entries<() => Promise<{ default: ComponentType<Named> }>>({
  '/': () => import('./pages/home/home-page.tsx'),
  '/join': () => import('./pages/join/join-page.tsx'),
  '/securejoin': () => import('./pages/join/secure-join-page.tsx'),
  '/event/:code?': () => import('./pages/event/event-page.tsx'),
  '/download/:token?': () => import('./pages/download/download-page.tsx'),
  '/create': () => import('./pages/create/create-page.tsx'),
  '/datenschutz': () => import('./pages/privacy/privacy-page.tsx'),
  '/agb': () => import('./pages/terms/terms-page.tsx'),
  '/impressum': () => import('./pages/imprint/imprint-page.tsx'),
  '/barrierefreiheit': () => import('./pages/accessibility/accessibility-page.tsx'),
  '/kontakt': () => import('./pages/contact/contact-page.tsx'),
  '/login': () => import('./pages/login/login-page.tsx'),
  '/manage/:code?': () => import('./pages/manage/manage-page.tsx'),
  '/manage/:code/karten': () => import('./pages/cards/cards-page.tsx'),
  '/gallery/:code': () => import('./pages/host-gallery/host-gallery-page.tsx'),
  '/galerie/:code': () => import('./pages/guest-gallery/guest-gallery-page.tsx'),
  '/freigabe/:code': () => import('./pages/release/release-page.tsx'),
  '/loeschprotokoll/:code': () => import('./pages/receipt/receipt-page.tsx'),
  '/einladung/:code': () => import('./pages/invitation/invitation-page.tsx'),
  '/abmelden/:token': () => import('./pages/unsubscribe/unsubscribe-page.tsx'),
  '/manage/:code/leinwand': () => import('./pages/remote/remote-page.tsx'),
  '/admin/login': async () => ({ default: (await import('./pages/login/login-page.tsx')).AdminLoginPage }),
  '/admin/*?': () => import('./pages/admin/admin-page.tsx'),
  '/auth/admin/*?': () => import('./pages/admin/admin-page.tsx'),
}).map(([path, load]) => ({ path, Page: lazy(load) }));

export function App() {
  const [path] = useLocation();
  useLinks();
  const shown = useRef(path);
  useEffect(() => {
    // Every page begins at its top, except the first one, which the visitor may have scrolled already.
    if (shown.current !== path) window.scrollTo(0, 0);
    shown.current = path;
    // Only the guests' page has a bar at the window's bottom.
    document.documentElement.toggleAttribute('data-bar', path.startsWith('/event/'));
    // Only an event's own pages keep its palette.
    if (!OF_EVENT.test(path)) wear(null);
  }, [path]);
  return (
    <Switch>
      {PAGES.map(({ path: pattern, Page }) => (
        <Route<Partial<Named>> key={pattern} path={pattern}>
          {({ code = '', token = '' }) => (
            <Failsafe>
              <Suspense fallback={<Waiting />}>
                <Page code={code} token={token} />
              </Suspense>
            </Failsafe>
          )}
        </Route>
      ))}
      <Route path="/slideshow/:code">
        <OtherEntry />
      </Route>
      <Route>
        <NotFoundPage />
      </Route>
    </Switch>
  );
}

/** Lets links within the site change the page without a new document, except where `data-anew` or the language asks for one. */
function useLinks(): void {
  useEffect(() => {
    const follow = (event: MouseEvent): void => {
      const other = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
      const link = (event.target as Element).closest('a');
      if (other || event.defaultPrevented || !link || link.target !== '' || link.hasAttribute('download') || 'anew' in link.dataset) return;
      const { origin, pathname, search, hash } = link;
      // The browser itself handles a link to the same page: it scrolls to a fragment, or reloads.
      if (origin !== window.location.origin || pathname + search === window.location.pathname + window.location.search) return;
      if (!isWithinDocument(pathname)) return;
      event.preventDefault();
      navigate(pathname + search + hash);
    };
    document.addEventListener('click', follow);
    return () => document.removeEventListener('click', follow);
  }, []);
}

/** Reloads the wall's address after a link has led there: the wall has an entry of its own (wall.ts). */
function OtherEntry() {
  useEffect(() => window.location.reload(), []);
  return <Waiting />;
}

function NotFoundPage() {
  return (
    <MessagePage title="Seite nicht gefunden" actions={<ButtonLink href="/">Zur Startseite</ButtonLink>}>
      <p>Diese Adresse gibt es hier nicht. Vielleicht hat sich ein Tippfehler eingeschlichen.</p>
    </MessagePage>
  );
}
