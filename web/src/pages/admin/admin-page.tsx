import { lazy, Suspense, type ComponentType } from 'react';
import { Redirect, useLocation } from 'wouter';
import { Failsafe } from '../../frame.tsx';
import { Queries } from '../../lib/queries.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { MessagePage } from '../../ui/message-page.tsx';
import { Waiting } from '../../ui/spinner.tsx';

type Load = () => Promise<{ default: ComponentType }>;

const settings: Load = () => import('./settings/settings-page.tsx');
const papers: Load = () => import('./papers-page.tsx');

/** The administration's pages by their paths, each loaded when it is opened; `/*` stands for all paths below. */
const PAGES = Object.entries<Load>({
  '/admin': () => import('./events-page.tsx'),
  '/admin/heute': () => import('./today-page.tsx'),
  '/admin/meldungen': () => import('./reports-page.tsx'),
  '/admin/protokoll': () => import('./audit-page.tsx'),
  '/admin/verbindungen': () => import('./connections/connections-page.tsx'),
  '/admin/auskunft': () => import('./data-subject-requests-page.tsx'),
  '/admin/zugang': () => import('./access-page.tsx'),
  '/admin/zweiter-faktor': () => import('./factors/factors-page.tsx'),
  '/admin/einlesen': () => import('./import-page.tsx'),
  '/admin/karten': async () => ({ default: (await import('./print-page.tsx')).CardsPrintPage }),
  '/admin/zettel': async () => ({ default: (await import('./print-page.tsx')).SlipsPrintPage }),
  '/admin/einstellungen/*': settings,
  '/admin/datenschutz/*': papers,
}).map(([path, load]) => ({ path, Page: lazy(load) }));

/** The new addresses of pages that have moved. */
const MOVED: Record<string, string> = {
  '/admin/einstellungen/zugang': '/admin/zugang',
  '/admin/einstellungen/datenschutz': '/admin/datenschutz/angaben',
};

/** /admin and below. The calls of each page check the access. */
export default function AdminPage() {
  const [path] = useLocation();
  const at = PAGES.find((page) => (page.path.endsWith('/*') ? `${path}/`.startsWith(page.path.slice(0, -1)) : page.path === path));
  const moved = MOVED[path];
  if (!at || moved !== undefined) return <Redirect to={moved ?? '/admin'} replace />;
  return (
    <Queries>
      <PartFailsafe key={path}>
        <Suspense fallback={<Waiting />}>
          <at.Page />
        </Suspense>
      </PartFailsafe>
    </Queries>
  );
}

/** Shows a message in place of a page of the administration that threw; the other pages keep working. */
class PartFailsafe extends Failsafe {
  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <MessagePage
        title="Das hat nicht geklappt"
        actions={
          <>
            <Button onClick={() => window.location.reload()}>Seite neu laden</Button>
            <ButtonLink href="/admin" look="secondary">
              Zu den Events
            </ButtonLink>
          </>
        }
      >
        <p>Dieser Teil der Verwaltung konnte nicht geladen werden. Alles andere läuft weiter.</p>
      </MessagePage>
    );
  }
}
