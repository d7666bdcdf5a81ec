import { lazy, Suspense, useEffect, useRef } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { Failsafe } from './failsafe.tsx';
import { NotFoundPage } from './pages/not-found/not-found-page.tsx';
import { Waiting } from './ui/spinner.tsx';

const HomePage = lazy(() => import('./pages/home/home-page.tsx'));
const JoinPage = lazy(() => import('./pages/join/join-page.tsx'));
const SecureJoinPage = lazy(() => import('./pages/join/secure-join-page.tsx'));
const EventPage = lazy(() => import('./pages/event/event-page.tsx'));
const DownloadPage = lazy(() => import('./pages/download/download-page.tsx'));
const CreatePage = lazy(() => import('./pages/create/create-page.tsx'));
const PrivacyPage = lazy(() => import('./pages/privacy/privacy-page.tsx'));
const TermsPage = lazy(() => import('./pages/terms/terms-page.tsx'));
const ImprintPage = lazy(() => import('./pages/imprint/imprint-page.tsx'));
const ContactPage = lazy(() => import('./pages/contact/contact-page.tsx'));
const LoginPage = lazy(() => import('./pages/login/login-page.tsx'));
const ManagePage = lazy(() => import('./pages/manage/manage-page.tsx'));
const CardsPage = lazy(() => import('./pages/cards/cards-page.tsx'));
const GalleryPage = lazy(() => import('./pages/gallery/gallery-page.tsx'));
const SlideshowPage = lazy(() => import('./pages/slideshow/slideshow-page.tsx'));
const AdminLoginPage = lazy(() => import('./pages/admin-login/admin-login-page.tsx'));
const AdminPage = lazy(() => import('./pages/admin/admin-page.tsx'));

export function App() {
  const [path] = useLocation();
  useLinks();
  return (
    <Failsafe path={path}>
      <ScrollToTop path={path} />
      <Suspense fallback={<Waiting />}>
        <Switch>
          <Route path="/">
            <HomePage />
          </Route>
          <Route path="/join">
            <JoinPage />
          </Route>
          <Route path="/securejoin">
            <SecureJoinPage />
          </Route>
          <Route path="/event/:code?">{({ code }) => <EventPage code={code ?? ''} />}</Route>
          <Route path="/download/:token?">{({ token }) => <DownloadPage token={token ?? ''} />}</Route>
          <Route path="/create">
            <CreatePage />
          </Route>
          <Route path="/datenschutz">
            <PrivacyPage />
          </Route>
          <Route path="/agb">
            <TermsPage />
          </Route>
          <Route path="/impressum">
            <ImprintPage />
          </Route>
          <Route path="/kontakt">
            <ContactPage />
          </Route>
          <Route path="/login">
            <LoginPage />
          </Route>
          <Route path="/manage/:code?">{({ code }) => <ManagePage code={code ?? ''} />}</Route>
          <Route path="/manage/:code/karten">{({ code }) => <CardsPage code={code} />}</Route>
          <Route path="/gallery/:code">{({ code }) => <GalleryPage code={code} />}</Route>
          <Route path="/slideshow/:code">{({ code }) => <SlideshowPage code={code} />}</Route>
          <Route path="/admin/login">
            <AdminLoginPage />
          </Route>
          <Route path="/admin/*?">
            <AdminPage />
          </Route>
          <Route path="/auth/admin/*?">
            <AdminPage />
          </Route>
          <Route>
            <NotFoundPage />
          </Route>
        </Switch>
      </Suspense>
    </Failsafe>
  );
}

/** Links within the site lead from page to page without a new document, except where one is asked for. */
function useLinks(): void {
  useEffect(() => {
    const follow = (event: MouseEvent): void => {
      const other = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
      const link = (event.target as Element).closest('a');
      if (other || event.defaultPrevented || !link || link.target !== '' || link.hasAttribute('download') || 'anew' in link.dataset) return;
      const { origin, pathname, search, hash } = link;
      // The same page again is the browser's: a place in it, or a reload.
      if (origin !== window.location.origin || pathname + search === window.location.pathname + window.location.search) return;
      event.preventDefault();
      navigate(pathname + search + hash);
    };
    document.addEventListener('click', follow);
    return () => document.removeEventListener('click', follow);
  }, []);
}

/** Every page begins at its top; not the first one, which the visitor may have scrolled already. */
function ScrollToTop({ path }: { path: string }) {
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current !== path) window.scrollTo(0, 0);
    shown.current = path;
  }, [path]);
  return null;
}
