import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import type { DrawnEvent, GuestEvent } from '@feierbild/contract/entities.ts';
import { KeyRound, Smartphone, type LucideIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { call, drawnRefusal, isRefusal, messageOf, type ApiError } from '../../api/client.ts';
import { deviceId } from '../../api/device-id.ts';
import { onReturn, tryAgain, VISITOR_RETRY_MS } from '../../lib/backoff.ts';
import { failureHint } from '../../lib/failure-hint.ts';
import { queryParameter } from '../../lib/query.ts';
import { eventsIn } from '../../lib/storage.ts';
import { throttle } from '../../lib/throttle.ts';
import { usePalette } from '../../lib/use-palette.ts';
import { useSite } from '../../lib/use-site.ts';
import { t } from '../../texts/guest/guest.ts';
import { shell } from '../../texts/guest/shell.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { MessagePage } from '../../ui/message-page.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { ReportLink } from './report-link.tsx';
import { EventHead, UploadForm } from './upload-form.tsx';
import styles from './upload-form.module.css';
import { useGalleryAccess, type GalleryAccess } from './use-gallery-access.ts';
import { loadAfterPaint, useAfterPaint } from './use-after-paint.ts';
import { useMyPhotos } from './use-my-photos.ts';

/** The obstacle between this page and the server's answer. */
type Waited = 'line' | 'server' | 'way';

/** A message in place of the form, and the next step. */
interface Told {
  state: 'told';
  title: string;
  lines: string[];
  Icon?: LucideIcon;
  /** The button below the message. After `retry` and `reload`, which follow no usable answer, the page also asks again by itself. */
  way: 'enter' | 'unlock' | 'retry' | 'reload';
  /** The event's photos are deleted, so this device's copies cannot be sent any more. An event that is merely over may open again. */
  ended?: boolean;
  /** The reason why a form that is shown already waits. */
  waitsFor?: Waited;
}

/** `device` is null until the server has sent this browser's id. */
type Loaded = { state: 'loading' } | Told | { state: 'ready'; event: GuestEvent; device: string | null };

const noDevice = (): Told => ({
  state: 'told',
  title: t.page.device,
  lines: [t.page.deviceText, t.page.again],
  Icon: Smartphone,
  way: 'reload',
});
const askPassword = (...more: string[]): Told => ({
  state: 'told',
  title: t.page.password,
  lines: [t.page.passwordText, ...more],
  Icon: KeyRound,
  way: 'unlock',
});

/** Whether the event in the document is as good as just loaded, which ends when another page is shown. */
let documentIsFresh = true;

/** /event/{code}: the guests' upload page. The server renders it with the event; opened from another page, it loads the event itself. */
export default function EventPage({ code: rawCode }: { code: string }) {
  const code = cleanEventCode(rawCode);
  const [first] = useState(code);
  // The key keeps one event's state, above all its queue, apart from another's.
  return <Event key={code} code={code} isFirst={code === first} />;
}

function Event({ code, isFirst }: { code: string; isFirst: boolean }) {
  const { event: inDocument } = useSite();
  const [drawn] = useState(documentIsFresh && isFirst ? inDocument : undefined);
  const [loaded, setLoaded] = useState<Loaded>(() => (drawn ? asDrawn(drawn) : { state: 'loading' }));
  /** The reason why the last attempt got no usable answer; another attempt follows. */
  const [trouble, setTrouble] = useState(() => troubleIn(loaded));
  const [attempt, setAttempt] = useState(0);
  usePalette(loaded.state === 'ready' ? (loaded.event.look?.palette ?? null) : undefined);
  const ready = loaded.state === 'ready' ? loaded : null;
  const access = useGalleryAccess(code, ready?.event.gallery !== undefined, ready?.device ?? null);
  const again = (): void => setAttempt((before) => before + 1);
  /** Reads the event again before a choice, because the page may have been open for long. */
  const [refresh] = useState(() => throttle(() => void reread(code).then((event) => setLoaded(withEvent(event))), VISITOR_RETRY_MS));

  useEffect(() => {
    if (!code) return;
    let current = true;
    if (attempt > 0 || !drawn || ('event' in drawn && !drawn.locked)) {
      void load(code, attempt === 0 ? drawn : undefined).then((next) => {
        if (!current) return;
        const why = troubleIn(next);
        setTrouble(why);
        // A form that is shown stays.
        setLoaded((before) => (why && before.state === 'ready' ? before : next));
      });
    }
    return () => {
      current = false;
      documentIsFresh = false;
    };
  }, [code, drawn, attempt]);

  useEffect(() => {
    if (trouble || (ready && !ready.event.with_user_upload)) return tryAgain(attempt, again);
    return ready ? onReturn(refresh) : undefined;
  }, [ready, trouble, attempt, refresh]);

  /** The sentence about photos that this device keeps for an event that takes none. */
  const [leftBehind, setLeftBehind] = useState('');
  const closed = loaded.state === 'told' ? loaded.way === 'enter' : ready && !ready.event.with_user_upload;
  const over = loaded.state === 'told' && loaded.ended;
  useEffect(() => {
    if (!closed || !eventsIn('kept').includes(code)) return;
    // The next visit tries again.
    void loadAfterPaint()
      .then(async (device) => {
        setLeftBehind(await device.leftBehind(code));
        if (over) await device.forgetEvent(code);
      })
      .catch(() => undefined);
  }, [code, closed, over]);

  const ways = {
    enter: <ButtonLink href="/join">{t.page.enterCode}</ButtonLink>,
    unlock: <ButtonLink href={`/securejoin?code=${code}`}>{t.page.unlock}</ButtonLink>,
    retry: <Button onClick={again}>{shell.retry}</Button>,
    reload: <Button onClick={() => window.location.reload()}>{shell.retry}</Button>,
  };
  if (!code) return <MessagePage title={t.page.noCode} actions={ways.enter} />;
  if (loaded.state === 'loading') return <Waiting />;
  if (loaded.state === 'told') {
    const { title, lines, Icon, way } = loaded;
    return (
      <MessagePage title={title} icon={Icon && <Icon size={30} />} actions={ways[way]}>
        {paragraphs([...lines, leftBehind])}
      </MessagePage>
    );
  }
  if (!loaded.event.with_user_upload) return <UploadsOff {...{ code, access, leftBehind }} event={loaded.event} deviceId={loaded.device} />;
  const waitsFor = (loaded.device === null && trouble?.waitsFor) || null;
  return <UploadForm {...{ code, access, waitsFor }} onPick={refresh} event={loaded.event} deviceId={loaded.device} />;
}

/** The guest's page after uploads were switched off: the guest's own photos stay accessible. */
function UploadsOff({
  code,
  event,
  deviceId,
  access,
  leftBehind,
}: {
  code: string;
  event: GuestEvent;
  deviceId: string | null;
  access: GalleryAccess;
  leftBehind: string;
}) {
  const { mine, fresh, remove } = useMyPhotos(code, deviceId);
  const afterPaint = useAfterPaint();
  return (
    <PageShell width="narrow">
      <div className={styles.closed}>
        <EventHead event={event} />
        {paragraphs([t.page.uploadsOff, t.page.uploadsOffText, leftBehind])}
        {event.gallery && access.open && (
          <p>
            <a href={`/galerie/${code}`}>{t.form.gallery}</a>
          </p>
        )}
        <p>
          <ButtonLink href="/join" look="secondary">
            {t.page.otherEvent}
          </ButtonLink>
        </p>
        <ReportLink code={code} locked={false} />
        {afterPaint && <afterPaint.MyPhotos photos={mine} fresh={fresh} onRemove={remove} locked={false} />}
      </div>
    </PageShell>
  );
}

const paragraphs = (lines: string[]) => lines.map((line) => line && <p key={line}>{line}</p>);

function asDrawn(drawn: DrawnEvent): Loaded {
  if ('refused' in drawn) return refused(drawnRefusal(drawn.refused));
  return drawn.locked ? askPassword() : { state: 'ready', event: drawn.event, device: null };
}

/** Loads the event and this browser's id. An event with a password is read even if `drawn`, because only this checks the password. */
async function load(code: string, drawn: DrawnEvent | undefined): Promise<Loaded> {
  const password = queryParameter('password');
  const known = drawn && 'event' in drawn && !drawn.event.with_upload_password ? drawn.event : null;
  const headers: Record<string, string> = password ? { 'event-password': encodeURIComponent(password) } : {};
  // Both requests run at once, because round trips are slow at a party.
  const asked = deviceId().catch((error: unknown): Loaded =>
    isRefusal(error, 'no_connection') ? refused(error) : { ...noDevice(), waitsFor: causeOf(error) },
  );
  try {
    const event = known ?? (await call('GET /event/:code', { params: { code }, headers }));
    const device = await asked;
    if (typeof device !== 'string') return device;
    return event.with_upload_password && !password ? askPassword() : { state: 'ready', event, device };
  } catch (error) {
    return refused(error);
  }
}

/** Makes the message for a refusal. Only our own codes concern the event: a 404 or 403 without one comes from a proxy. */
function refused(error: unknown): Told {
  if (isRefusal(error, 'wrong_event_password')) return askPassword(t.page.passwordWrong);
  if (!isRefusal(error, 'event_inactive', 'event_not_found')) {
    const why = isRefusal(error, 'no_connection') ? t.page.noConnection : messageOf(error);
    return { state: 'told', title: t.page.loadingFails, lines: [why, t.page.again], way: 'retry', waitsFor: causeOf(error) };
  }
  const { opens_on, purged_on } = error.fields;
  if (opens_on) return { state: 'told', title: t.page.notOpen, lines: [t.page.opensOn(opens_on)], way: 'enter' };
  const hint = failureHint(error);
  return { state: 'told', title: t.page.notFound, lines: hint === null ? [] : [hint], way: 'enter', ended: purged_on !== undefined };
}

/** Reads the event; null without an answer. The request has no password, because an outdated one would count as a guess. */
const reread = (code: string): Promise<GuestEvent | null> => call('GET /event/:code', { params: { code } }).catch(() => null);

/** Takes over a newly read event, unless that would remove the form and with it the selection. */
const withEvent =
  (event: GuestEvent | null) =>
  (before: Loaded): Loaded =>
    event?.with_user_upload && before.state === 'ready' ? { ...before, event } : before;

function troubleIn(loaded: Loaded): Told | null {
  return loaded.state === 'told' && (loaded.way === 'retry' || loaded.way === 'reload') ? loaded : null;
}

/** Tells whether no answer came, or whether the server or somebody else gave it. */
function causeOf(error: unknown): Waited {
  const { status, code } = error as ApiError;
  if (code === 'no_connection' && status === 0) return 'line';
  return code === 'no_connection' || code === 'not_ours' ? 'way' : 'server';
}
