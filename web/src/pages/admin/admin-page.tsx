import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { Flag, LogOut, Plus, ScrollText, UserRoundCog } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { call, isRefusal, messageOf } from '../../api/client.ts';
import { formatNumber, plural } from '../../lib/format.ts';
import { Headline } from '../../ui/headline.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { useTask } from '../../ui/use-task.ts';
import { AccountDialog } from './account-dialog.tsx';
import styles from './admin.module.css';
import { backupText } from './backup.tsx';
import { Banners } from './banners.tsx';
import { CodeDialog } from './code-dialog.tsx';
import { CredentialsDialog, type Credentials } from './credentials-dialog.tsx';
import type { RowActions } from './event-details.tsx';
import { EventForm } from './event-form.tsx';
import { AuditPage } from './audit-page.tsx';
import { EventsList } from './events-list.tsx';
import { ReportsPage } from './reports-page.tsx';
import { openReports, readEvent, reportsQuery, statusQuery, useEvents } from './queries.ts';
import { useListQuery } from './list-query.ts';
import { countsIn, photosAndVideos } from '../../video/counts.ts';

const ADMIN = '/admin';
const REPORTS = '/admin/meldungen';
const AUDIT = '/admin/protokoll';

const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });

/** /admin: the operator's events. Access is checked by the call that lists them. */
export default function AdminPage() {
  const [path, navigate] = useLocation();
  useEffect(() => {
    if (![ADMIN, REPORTS, AUDIT].includes(path)) navigate(ADMIN, { replace: true });
  }, [path, navigate]);
  return (
    <QueryClientProvider client={client}>
      {path === REPORTS && <ReportsPage />}
      {path === AUDIT && <AuditPage />}
      {path === ADMIN && <Admin />}
    </QueryClientProvider>
  );
}

type Open = { kind: 'account' } | { kind: 'form'; event: AdminEvent | null } | { kind: 'reset' | 'remove'; event: AdminEvent } | null;

function Admin() {
  const [, navigate] = useLocation();
  const { query, kept, change } = useListQuery();
  const events = useEvents(kept);
  const { found, error, refetch } = events;
  const status = useQuery(statusQuery);
  const reports = useQuery(reportsQuery);
  const [open, setOpen] = useState<Open>(null);
  const [credentials, setCredentials] = useState<Credentials | null>(null);
  // A failed logout must be shown, because the person may leave the computer.
  const leaving = useTask();
  const { run, ...task } = useTask();
  const failure = leaving.failure || task.failure;

  async function logout(): Promise<void> {
    await call('POST /auth/logout', { body: { role: 'admin' } });
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
      edit: (event) => setOpen({ kind: 'form', event }),
      resetPassword: (event) => setOpen({ kind: 'reset', event }),
      remove: (event) => setOpen({ kind: 'remove', event }),
      createUser: (event) =>
        run(async () => {
          const { id, title, code } = event;
          const { username, password } = await call('POST /admin/events/:id/user', { params: { id }, body: { username: code } });
          setCredentials({ title, username, password });
        }).then(() => refetch()),
    }),
    [refetch, run],
  );

  /** The event as it is in the list now; null where somebody else has deleted it. */
  const present = ({ id }: AdminEvent): AdminEvent | null => found?.events.find((event) => event.id === id) ?? null;

  if (!found && !error) return <Waiting />;
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
            onClockRight={() => void run(confirmClock)}
          />
        )}
        <div className={styles.head}>
          <div>
            <Headline>Events</Headline>
            {found && (
              <p className="soft">
                <span>{plural(found.all, '1 Event', '# Events')}</span>
                {status.data && <> · {backupText({ last: status.data.last_backup_at, now: status.dataUpdatedAt })}</>}
              </p>
            )}
          </div>
          <div className={styles.headActions}>
            <ButtonLink href={REPORTS} look="secondary">
              <Flag size={20} /> Meldungen
              {reports.data && ` (${formatNumber(openReports(reports.data))} offen)`}
            </ButtonLink>
            <ButtonLink href={AUDIT} look="secondary">
              <ScrollText size={20} /> Protokoll
            </ButtonLink>
            <Button look="secondary" onClick={() => setOpen({ kind: 'account' })}>
              <UserRoundCog size={20} /> Zugang
            </Button>
            <Button className={styles.create} onClick={() => setOpen({ kind: 'form', event: null })}>
              <Plus size={20} /> Event erstellen
            </Button>
          </div>
        </div>
        {(error || failure) && (
          <Notice kind="error">
            <span>{failure || messageOf(error)}</span>
            {error && (
              <span>
                <Button look="secondary" onClick={() => void refetch()}>
                  Erneut versuchen
                </Button>
              </span>
            )}
          </Notice>
        )}
        <EventsList query={query} onChange={change} events={events} actions={actions} />
      </div>
      {open?.kind === 'account' && <AccountDialog onClose={() => setOpen(null)} onChanged={() => void status.refetch()} />}
      {open?.kind === 'form' && (
        <EventForm
          event={open.event}
          onClose={() => setOpen(null)}
          onReload={async (event) => {
            const [now] = await Promise.all([readEvent(event), refetch()]);
            return now;
          }}
          onSubmit={async (body) => {
            if (open.event) await call('PUT /admin/events/:id', { params: { id: open.event.id }, body });
            else {
              await call('POST /admin/create_event', { body });
              // Without filter and in the server's order the new event is on top.
              navigate('/admin');
            }
            setOpen(null);
            await refetch();
          }}
        />
      )}
      {open?.kind === 'remove' && (
        <CodeDialog
          title="Event löschen?"
          confirm="Endgültig löschen"
          event={present(open.event)}
          onClose={() => setOpen(null)}
          onConfirm={async (event) => {
            await call('DELETE /admin/events/:id', { params: { id: event.id } });
            setOpen(null);
            await refetch();
          }}
        >
          <p>
            „{open.event.title}“ verschwindet mit {photosAndVideos(countsIn(open.event))} und dem Zugang des Gastgebers. Das lässt sich
            nicht rückgängig machen.
          </p>
        </CodeDialog>
      )}
      {open?.kind === 'reset' && (
        <CodeDialog
          title="Passwort zurücksetzen?"
          confirm="Passwort zurücksetzen"
          event={present(open.event)}
          onClose={() => setOpen(null)}
          onConfirm={async (event) => {
            const { new_password } = await call('PUT /admin/events/:id/user/password', { params: { id: event.id } });
            setOpen(null);
            setCredentials({ title: event.title, username: event.code, password: new_password });
            await refetch();
          }}
        >
          <p>
            Das bisherige Passwort des Gastgebers von „{open.event.title}“ gilt dann nicht mehr, er wird überall abgemeldet und sieht, dass
            es zurückgesetzt wurde.
          </p>
        </CodeDialog>
      )}
      {credentials && <CredentialsDialog credentials={credentials} onClose={() => setCredentials(null)} />}
    </PageShell>
  );
}
