import type { AdminEvent } from '@feierbild/contract/entities.ts';
import type { EventFormInput } from '@feierbild/contract/event-form.ts';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { call, isRefusal } from '../../api/client.ts';
import { withText } from '../../api/with-text.ts';
import { plural } from '../../lib/format.ts';
import { admin as texts } from '../../texts.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { useAction } from '../../ui/use-form.ts';
import { countsIn, photosAndVideos } from '../../video/counts.ts';
import { AdminFrame } from './admin-frame.tsx';
import { meQuery, statusQuery } from './admin-queries.ts';
import styles from './admin.module.css';
import { backupText, Banners } from './banners.tsx';
import { CredentialsDialog, type Credentials } from './credentials-dialog.tsx';
import type { EventDialog, RowActions } from './event-details.tsx';
import { EventForm } from './event-form.tsx';
import { EventsMonth } from './events-month.tsx';
import { EventsList } from './events-list.tsx';
import { checkTypedCode } from './form-model.ts';
import { readEvent, useEvents } from './list-query.ts';
import { Failed } from '../../ui/loaded.tsx';
import { useMonth } from './month.ts';
import { useTodayFirst } from './use-today-first.ts';
import { useTemplates } from './use-templates.ts';
import { useInvite } from './use-invite.tsx';

type Open = { kind: 'form'; event: null } | EventDialog | null;

/** Actions that ask for the event's code first. */
const ASKED = {
  remove: { title: 'Event löschen?', confirm: 'Endgültig löschen' },
  reset: { title: 'Passwort zurücksetzen?', confirm: 'Passwort zurücksetzen' },
};
type Asked = keyof typeof ASKED;

const PASSWORD_CHANGED =
  'Das Passwort dieses Gastgebers wurde inzwischen neu gesetzt. Setzen Sie es noch einmal zurück, gilt auch dieses nicht mehr.';

/** /admin: the operator's events. The call that lists them checks the access. */
export default function EventsPage() {
  const [, navigate] = useLocation();
  const events = useEvents();
  const month = useMonth();
  useTodayFirst();
  const { found, error, refetch } = events;
  const { data: me, isPending: isUnknown } = useQuery(meQuery);
  const isAdmin = me?.role === 'admin';
  const status = useQuery({ ...statusQuery, enabled: isAdmin });
  const [open, setOpen] = useState<Open>(null);
  const [credentials, setCredentials] = useState<Credentials | null>(null);
  const templates = useTemplates();
  const { run, failure } = useAction();
  const { refetch: readStatus } = status;
  const { invite, ...invitation } = useInvite(useCallback(() => Promise.all([refetch(), readStatus()]), [refetch, readStatus]));

  async function confirmClock(): Promise<void> {
    await call('POST /admin/clock', {});
    await status.refetch();
  }

  // The object is stable, so that opening a dialog does not render hundreds of rows again.
  const actions: RowActions = useMemo(
    () => ({
      isAdmin,
      open: setOpen,
      createUser: async ({ id, title, code }) => {
        try {
          const { username, password } = await call('POST /admin/events/:id/user', { params: { id }, body: { username: code } });
          setCredentials({ title, username, password });
        } finally {
          await refetch();
        }
      },
      invite,
    }),
    [isAdmin, refetch, invite],
  );

  async function create(body: EventFormInput, key: string) {
    try {
      return await call('POST /admin/create_event', { headers: { 'idempotency-key': key }, body });
    } catch (error) {
      // A call without an answer may also have created the event.
      await refetch();
      throw error;
    }
  }

  async function submit(edited: AdminEvent | null, body: EventFormInput, withAccess: boolean, key: string): Promise<void> {
    let created: AdminEvent | null = null;
    if (edited) await call('PUT /admin/events/:id', { params: { id: edited.id }, body });
    else {
      const { invitation: made, ...event } = await create(body, key);
      if (made?.link !== undefined) invitation.show({ event, invitation: { ...made, link: made.link } });
      created = event;
      // Without filter and in the server's order the new event is on top.
      navigate('/admin');
    }
    setOpen(null);
    await refetch();
    // The event exists, so the page shows a later failure.
    const event = created;
    if (event && withAccess) void run(() => actions.createUser(event));
  }

  /** Resets the password; `event` is as it was at the question. */
  async function reset(event: AdminEvent): Promise<void> {
    const { id, title, code, user } = event;
    try {
      const body = { was: user?.password_set_at };
      const { new_password: password } = await call('PUT /admin/events/:id/user/password', { params: { id }, body });
      setCredentials({ title, username: code, password });
    } catch (error) {
      if (!isRefusal(error, 'event_changed')) throw error;
      // The next press is based on the current event.
      const [now] = await Promise.all([readEvent(event), refetch()]);
      if (now) setOpen({ kind: 'reset', event: now });
      throw withText(error, 'event_changed', PASSWORD_CHANGED);
    }
  }

  async function confirm(kind: Asked, event: AdminEvent): Promise<void> {
    if (kind === 'remove') await call('DELETE /admin/events/:id', { params: { id: event.id } });
    else await reset(event);
    setOpen(null);
    await refetch();
  }

  // Banners and list are rendered together, so that nothing moves under a press.
  const isComing = !found || isUnknown || (isAdmin && status.isPending);
  if (isComing && !error) return <Waiting />;
  return (
    <AdminFrame
      title="Events"
      className={styles.page}
      lead={
        found && (
          <>
            <span>{plural(found.all, '1 Event', '# Events')}</span>
            {status.data && <> · {backupText(status.data, status.dataUpdatedAt)}</>}
          </>
        )
      }
      action={
        <Button onClick={() => setOpen({ kind: 'form', event: null })}>
          <Plus size={20} /> Event erstellen
        </Button>
      }
    >
      {status.data && (
        <Banners
          status={status.data}
          now={status.dataUpdatedAt}
          photos={(found?.photos ?? 0) > 0}
          onSetUp={() => void status.refetch()}
          onInvite={(event) => void run(() => invite(event))}
          onClockRight={() => void run(confirmClock)}
        />
      )}
      {failure && <Notice kind="error">{failure}</Notice>}
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {month === null ? <EventsList events={events} actions={actions} /> : <EventsMonth month={month} />}
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
          onSubmit={(...sent) => submit(open.kind === 'form' ? open.event : null, ...sent)}
        />
      )}
      {(open?.kind === 'remove' || open?.kind === 'reset') && (
        <CodeDialog
          {...ASKED[open.kind]}
          event={found?.events.find(({ id }) => id === open.event.id) ?? null}
          onClose={() => setOpen(null)}
          onConfirm={() => confirm(open.kind, open.event)}
        >
          <p>
            {open.kind === 'remove'
              ? `„${open.event.title}“ verschwindet mit ${photosAndVideos(countsIn(open.event))} und dem Zugang des Gastgebers. Das lässt sich nicht rückgängig machen.`
              : `Das bisherige Passwort des Gastgebers von „${open.event.title}“ gilt dann nicht mehr, er wird überall abgemeldet und sieht, dass es zurückgesetzt wurde.`}
          </p>
        </CodeDialog>
      )}
      {invitation.dialog}
      {credentials && <CredentialsDialog credentials={credentials} onClose={() => setCredentials(null)} />}
    </AdminFrame>
  );
}

interface CodeDialogProps {
  title: string;
  /** The consequences, with the names of what vanishes. */
  children: ReactNode;
  confirm: string;
  /** The event; null if it was deleted in between. */
  event: AdminEvent | null;
  onClose(): void;
  onConfirm(): Promise<void>;
}

/** Asks for the exact event code before something that can't be undone. */
export function CodeDialog({ title, children, confirm, event, onClose, onConfirm }: CodeDialogProps) {
  const [typed, setTyped] = useState('');
  const { matches, mismatch } = checkTypedCode(typed, event?.code ?? '');

  async function check(): Promise<void> {
    if (!event) throw new Error(texts.nothingSelected);
    await onConfirm();
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
