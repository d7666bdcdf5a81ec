import type { AdminEvent, EventFormInput } from '@feierbild/contract/entities.ts';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { Cable, Flag, LogOut, Plus, Scale, ScrollText, Settings, UserRoundCog } from 'lucide-react';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { call, isRefusal } from '../../api/client.ts';
import { formatNumber, plural } from '../../lib/format.ts';
import { admin as texts } from '../../texts.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Headline } from '../../ui/headline.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { useTask } from '../../ui/use-form.ts';
import { countsIn, photosAndVideos } from '../../video/counts.ts';
import { AccountDialog, CredentialsDialog, meQuery, type Credentials } from './access-dialogs.tsx';
import styles from './admin.module.css';
import { AuditPage } from './audit-page.tsx';
import { backupText, Banners, statusQuery } from './banners.tsx';
import { ConnectionsPage } from './connections/connections-page.tsx';
import { DisclosurePage } from './disclosure-page.tsx';
import type { EventDialog, RowActions } from './event-details.tsx';
import { EventForm } from './event-form.tsx';
import { EventsMonth, THIS_MONTH, useMonth } from './events-month.tsx';
import { EventsList } from './events-list.tsx';
import { FactorsPage } from './factors/factors-page.tsx';
import { checkTypedCode } from './form-model.ts';
import { ImportPage } from './import-page.tsx';
import { InvitationDialog, type Invited } from './invitation-dialog.tsx';
import { readEvent, useEvents } from './list-query.ts';
import { Failed } from './loaded.tsx';
import { isPapersPath, PapersPage } from './papers/papers-page.tsx';
import { CardsPrintPage, SlipsPrintPage } from './print-page.tsx';
import { openReports, ReportsPage, reportsQuery } from './reports-page.tsx';
import { TodayPage } from './today-page.tsx';
import { useTemplates } from './use-templates.ts';
import { isSettingsPath, SettingsPage } from './settings/settings-page.tsx';

/** The administration's pages by their paths. */
const PAGES: Record<string, () => ReactNode> = {
  '/admin': Admin,
  '/admin/meldungen': ReportsPage,
  '/admin/protokoll': AuditPage,
  '/admin/verbindungen': ConnectionsPage,
  '/admin/auskunft': DisclosurePage,
  '/admin/zweiter-faktor': FactorsPage,
  '/admin/einlesen': ImportPage,
  '/admin/karten': CardsPrintPage,
  '/admin/zettel': SlipsPrintPage,
  '/admin/heute': TodayPage,
};

/** The administrators' pages that the list of events leads to. */
const BESIDE = [
  { path: '/admin/protokoll', name: 'Protokoll', Icon: ScrollText },
  { path: '/admin/verbindungen', name: 'Verbindungen', Icon: Cable },
  { path: '/admin/datenschutz', name: 'Datenschutz', Icon: Scale },
  { path: '/admin/einstellungen', name: 'Einstellungen', Icon: Settings },
];

const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });

/** /admin: the operator's events. Access is checked by the call that lists them. */
export default function AdminPage() {
  const [path, navigate] = useLocation();
  const Page = isSettingsPath(path) ? SettingsPage : isPapersPath(path) ? PapersPage : PAGES[path];
  useEffect(() => {
    if (!Page) navigate('/admin', { replace: true });
  }, [Page, navigate]);
  return <QueryClientProvider client={client}>{Page && <Page />}</QueryClientProvider>;
}

type Open = { kind: 'account' } | { kind: 'form'; event: null } | EventDialog | null;

/** What asks for the event's code first. */
const ASKED = {
  remove: { title: 'Event löschen?', confirm: 'Endgültig löschen' },
  reset: { title: 'Passwort zurücksetzen?', confirm: 'Passwort zurücksetzen' },
};
type Asked = keyof typeof ASKED;

function Admin() {
  const [, navigate] = useLocation();
  const events = useEvents();
  const month = useMonth();
  const { found, error, refetch } = events;
  const { data: me, isPending: isUnknown } = useQuery(meQuery);
  const isAdmin = me?.role === 'admin';
  const status = useQuery({ ...statusQuery, enabled: isAdmin });
  const reports = useQuery({ ...reportsQuery, enabled: isAdmin });
  const [open, setOpen] = useState<Open>(null);
  const [credentials, setCredentials] = useState<Credentials | null>(null);
  const [invited, setInvited] = useState<Invited | null>(null);
  const templates = useTemplates();
  // A failed logout must be shown, because the person may leave the computer.
  const leaving = useTask();
  const { run, ...task } = useTask();
  const failure = leaving.failure || task.failure;

  async function logout(): Promise<void> {
    await call('POST /auth/logout', { body: me && { role: me.role } });
    client.clear();
    navigate('/admin/login');
  }

  async function confirmClock(): Promise<void> {
    await call('POST /admin/clock', {});
    await status.refetch();
  }

  // Stable, so that opening a dialog does not render hundreds of rows again.
  const actions: RowActions = useMemo(
    () => ({
      isAdmin,
      open: setOpen,
      createUser: (event) =>
        run(async () => {
          const { id, title, code } = event;
          const { username, password } = await call('POST /admin/events/:id/user', { params: { id }, body: { username: code } });
          setCredentials({ title, username, password });
        }).then(() => refetch()),
      invite: (event) =>
        run(async () => {
          const invitation = await call('POST /admin/events/:id/invitation', { params: { id: event.id } });
          setInvited({ event, invitation });
        }).then(() => refetch()),
    }),
    [isAdmin, refetch, run],
  );

  async function submit(edited: AdminEvent | null, body: EventFormInput, withAccess: boolean): Promise<void> {
    let created: AdminEvent | undefined;
    if (edited) await call('PUT /admin/events/:id', { params: { id: edited.id }, body });
    else {
      const { invitation, ...event } = await call('POST /admin/create_event', { body });
      if (invitation?.link !== undefined) setInvited({ event, invitation: { ...invitation, link: invitation.link } });
      created = event;
      // Without filter and in the server's order the new event is on top.
      navigate('/admin');
    }
    setOpen(null);
    await refetch();
    // The event is there: what fails now is said on the page.
    if (created && withAccess) void actions.createUser(created);
  }

  async function confirm(kind: Asked, { id, title, code }: AdminEvent): Promise<void> {
    if (kind === 'remove') await call('DELETE /admin/events/:id', { params: { id } });
    else {
      const { new_password: password } = await call('PUT /admin/events/:id/user/password', { params: { id } });
      setCredentials({ title, username: code, password });
    }
    setOpen(null);
    await refetch();
  }

  // What stands above the list is drawn with it: a press must not meet what has just moved there.
  const isComing = !found || isUnknown || (isAdmin && status.isPending);
  if (isComing && !error) return <Waiting />;
  // Without a session the client is on its way to the login.
  if (isRefusal(error, 'login_required')) return null;
  return (
    <PageShell
      footer={false}
      actions={
        <Button look="quiet" onClick={() => void leaving.run(logout)}>
          <LogOut size={20} /> Abmelden
        </Button>
      }
    >
      <div className={styles.page}>
        {status.data && (
          <Banners
            status={status.data}
            now={status.dataUpdatedAt}
            photos={(found?.photos ?? 0) > 0}
            onPassword={() => setOpen({ kind: 'account' })}
            onSetUp={() => void status.refetch()}
            onClockRight={() => void run(confirmClock)}
          />
        )}
        <div className={styles.head}>
          <div>
            <Headline>Events</Headline>
            {found && (
              <p className="soft">
                <span>{plural(found.all, '1 Event', '# Events')}</span>
                {status.data && <> · {backupText(status.data, status.dataUpdatedAt)}</>}
              </p>
            )}
          </div>
          <div className={styles.headActions}>
            {isAdmin && (
              <>
                <ButtonLink href="/admin/meldungen" look="secondary">
                  <Flag size={20} /> Meldungen
                  {reports.data && ` (${formatNumber(openReports(reports.data))} offen)`}
                </ButtonLink>
                {BESIDE.map(({ path, name, Icon }) => (
                  <ButtonLink key={path} href={path} look="secondary">
                    <Icon size={20} /> {name}
                  </ButtonLink>
                ))}
              </>
            )}
            <Button look="secondary" onClick={() => setOpen({ kind: 'account' })}>
              <UserRoundCog size={20} /> Zugang
            </Button>
            <Button className={styles.create} onClick={() => setOpen({ kind: 'form', event: null })}>
              <Plus size={20} /> Event erstellen
            </Button>
          </div>
        </div>
        {failure && <Notice kind="error">{failure}</Notice>}
        {error && <Failed error={error} onRetry={() => void refetch()} />}
        <nav className={styles.views} aria-label="Ansicht">
          <a href="/admin" aria-current={month === null ? 'page' : undefined}>
            Liste
          </a>
          <a href={THIS_MONTH} aria-current={month === null ? undefined : 'page'}>
            Monat
          </a>
          <a href="/admin/heute">Heute</a>
        </nav>
        {month === null ? <EventsList events={events} actions={actions} /> : <EventsMonth month={month} />}
      </div>
      {open?.kind === 'account' && me && <AccountDialog me={me} onClose={() => setOpen(null)} onChanged={() => void status.refetch()} />}
      {(open?.kind === 'form' || open?.kind === 'like') && (
        <EventForm
          event={open.kind === 'form' ? open.event : null}
          like={open.kind === 'like' ? open.event : undefined}
          templates={templates}
          isAdmin={isAdmin}
          onClose={() => setOpen(null)}
          onReload={async (event) => {
            const [now] = await Promise.all([readEvent(event), refetch()]);
            return now;
          }}
          onSubmit={(body, withAccess) => submit(open.kind === 'form' ? open.event : null, body, withAccess)}
        />
      )}
      {(open?.kind === 'remove' || open?.kind === 'reset') && (
        <CodeDialog
          {...ASKED[open.kind]}
          event={found?.events.find(({ id }) => id === open.event.id) ?? null}
          onClose={() => setOpen(null)}
          onConfirm={(event) => confirm(open.kind, event)}
        >
          <p>
            {open.kind === 'remove'
              ? `„${open.event.title}“ verschwindet mit ${photosAndVideos(countsIn(open.event))} und dem Zugang des Gastgebers. Das lässt sich nicht rückgängig machen.`
              : `Das bisherige Passwort des Gastgebers von „${open.event.title}“ gilt dann nicht mehr, er wird überall abgemeldet und sieht, dass es zurückgesetzt wurde.`}
          </p>
        </CodeDialog>
      )}
      {invited && <InvitationDialog invited={invited} onClose={() => setInvited(null)} />}
      {credentials && <CredentialsDialog credentials={credentials} onClose={() => setCredentials(null)} />}
    </PageShell>
  );
}

interface CodeDialogProps {
  title: string;
  /** What will happen, naming what vanishes. */
  children: ReactNode;
  confirm: string;
  /** Null if it was deleted in between. */
  event: AdminEvent | null;
  onClose(): void;
  onConfirm(event: AdminEvent): Promise<void>;
}

/** Asks for the exact event code before something that can't be undone. */
export function CodeDialog({ title, children, confirm, event, onClose, onConfirm }: CodeDialogProps) {
  const [typed, setTyped] = useState('');
  const { matches, mismatch } = checkTypedCode(typed, event?.code ?? '');

  async function check(): Promise<void> {
    if (!event) throw new Error(texts.nothingSelected);
    await onConfirm(event);
  }

  return (
    <ConfirmDialog title={title} confirm={confirm} disabled={event !== null && !matches} onClose={onClose} onConfirm={check}>
      {children}
      <Field
        label={event ? `Event-Code ${event.code} eingeben` : 'Event-Code eingeben'}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        error={event && mismatch ? texts.mismatch : undefined}
        onChange={({ target }) => setTyped(target.value)}
      />
    </ConfirmDialog>
  );
}
