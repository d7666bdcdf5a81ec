import { Component, lazy, Suspense, useEffect, useRef, type ReactNode } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { setTitle } from './lib/title.ts';
import { NotFoundPage } from './pages/not-found/not-found-page.tsx';
import { Button } from './ui/button.tsx';
import { MessagePage } from './ui/message-page.tsx';
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
  return (
    <Failsafe path={path}>
      <RouteChange path={path} />
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

/** After a change of path: scrolls to the top, focuses the new page's headline and sets the window's title. */
function RouteChange({ path }: { path: string }) {
  const shown = useRef(path);
  useEffect(() => {
    // Not on the first page: there the skip link comes first, and the visitor may have scrolled already.
    let arrived = shown.current === path;
    shown.current = path;
    if (!arrived) window.scrollTo(0, 0);
    setTitle({ headline: null });
    let headline: HTMLElement | undefined;
    const follow = (): void => {
      // While a page is on its way, React keeps the one before it hidden in the document.
      if (!headline?.isConnected) headline = [...document.querySelectorAll('h1')].find((one) => one.getClientRects().length > 0);
      if (!headline) return;
      setTitle({ headline: headline.textContent });
      if (!arrived) headline.focus({ preventScroll: true });
      arrived = true;
    };
    follow();
    // The page may still be on its way, or say something else in a moment.
    const observer = new MutationObserver(follow);
    observer.observe(document.body, { childList: true, characterData: true, subtree: true });
    return () => observer.disconnect();
  }, [path]);
  return null;
}

interface FailsafeState {
  path: string;
  broken: boolean;
}

/** Shown after an error in a page, until another page is opened. */
class Failsafe extends Component<{ path: string; children: ReactNode }, FailsafeState> {
  override state = { path: this.props.path, broken: false };

  static getDerivedStateFromError(): Partial<FailsafeState> {
    return { broken: true };
  }

  static getDerivedStateFromProps({ path }: { path: string }, state: FailsafeState): FailsafeState | null {
    return path === state.path ? null : { path, broken: false };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <MessagePage title="Das hat nicht geklappt" actions={<Button onClick={() => window.location.reload()}>Seite neu laden</Button>}>
        <p>Die Seite konnte nicht geladen werden. Ihre Fotos sind sicher; laden Sie die Seite bitte neu.</p>
      </MessagePage>
    );
  }
}
