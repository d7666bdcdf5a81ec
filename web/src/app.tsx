import { Component, lazy, Suspense, useEffect, type ReactNode } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { NotFoundPage } from './pages/not-found/not-found-page.tsx';
import { Button } from './ui/button.tsx';
import { MessagePage } from './ui/message-page.tsx';
import { Waiting } from './ui/spinner.tsx';

const HomePage = lazy(() => import('./pages/home/home-page.tsx'));
const JoinPage = lazy(() => import('./pages/join/join-page.tsx'));
const SecureJoinPage = lazy(() => import('./pages/secure-join/secure-join-page.tsx'));
const EventPage = lazy(() => import('./pages/event/event-page.tsx'));
const CreatePage = lazy(() => import('./pages/create/create-page.tsx'));
const PrivacyPage = lazy(() => import('./pages/privacy/privacy-page.tsx'));
const TermsPage = lazy(() => import('./pages/terms/terms-page.tsx'));
const ImprintPage = lazy(() => import('./pages/imprint/imprint-page.tsx'));
const ContactPage = lazy(() => import('./pages/contact/contact-page.tsx'));
const LoginPage = lazy(() => import('./pages/login/login-page.tsx'));
const ManagePage = lazy(() => import('./pages/manage/manage-page.tsx'));
const GalleryPage = lazy(() => import('./pages/gallery/gallery-page.tsx'));
const SlideshowPage = lazy(() => import('./pages/slideshow/slideshow-page.tsx'));
const AdminLoginPage = lazy(() => import('./pages/admin-login/admin-login-page.tsx'));
const AdminPage = lazy(() => import('./pages/admin/admin-page.tsx'));

export function App() {
  return (
    <Failsafe>
      <RouteChange />
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

/** Every change of path starts at the top, with the focus on the new page's headline. */
function RouteChange() {
  const [path] = useLocation();
  useEffect(() => {
    window.scrollTo(0, 0);
    const focusHeadline = (): boolean => {
      const headline = document.querySelector<HTMLElement>('h1');
      headline?.focus({ preventScroll: true });
      return headline !== null;
    };
    if (focusHeadline()) return;
    // The page may still be on its way.
    const observer = new MutationObserver(() => focusHeadline() && observer.disconnect());
    observer.observe(document.body, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [path]);
  return null;
}

/** What shows where a page breaks. */
class Failsafe extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
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
