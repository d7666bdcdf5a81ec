import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import type { GuestEvent } from '@feierbild/contract/entities.ts';
import { KeyRound, Smartphone } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ApiError, call, messageOf } from '../../api/client.ts';
import { deviceId } from '../../lib/device.ts';
import { failureHint } from '../../lib/failure-hint.ts';
import { queryParameter } from '../../lib/query.ts';
import { join, upload } from '../../texts.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { MessagePage } from '../../ui/message-page.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { UploadForm } from './upload-form.tsx';
import { UploadsOff } from './uploads-off.tsx';

/** Pause before an event that could not be opened, or takes no photos, is asked for again: doubles from the first to the longest, ms. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

type Loaded =
  | { state: 'loading' }
  | { state: 'no-device' }
  | { state: 'password'; wrong: boolean }
  | { state: 'not-found'; hint: string | null }
  | { state: 'trouble'; message: string }
  | { state: 'ready'; event: GuestEvent; device: string };

/** /event/{code}: where guests upload. Only the event and this browser's id are loaded first. */
export default function EventPage({ code: rawCode }: { code: string }) {
  const code = cleanEventCode(rawCode);
  const [password] = useState(() => queryParameter('password'));
  const [loaded, setLoaded] = useState<Loaded>({ state: 'loading' });
  const [attempt, setAttempt] = useState(0);
  const again = (): void => setAttempt((before) => before + 1);

  useEffect(() => {
    if (!code) return;
    let current = true;
    void load(code, password).then((next) => current && setLoaded(next));
    return () => {
      current = false;
    };
  }, [code, password, attempt]);

  useEffect(() => {
    const closed = loaded.state === 'ready' && !loaded.event.with_user_upload;
    if (loaded.state !== 'trouble' && !closed) return;
    const timer = setTimeout(again, Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS));
    window.addEventListener('online', again);
    document.addEventListener('visibilitychange', again);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', again);
      document.removeEventListener('visibilitychange', again);
    };
  }, [loaded, attempt]);

  if (!code) {
    return <MessagePage title={upload.noCode} actions={<ButtonLink href="/join">Code eingeben</ButtonLink>} />;
  }
  switch (loaded.state) {
    case 'loading':
      return <Waiting />;
    case 'no-device':
      return (
        <MessagePage
          title={upload.deviceTitle}
          icon={<Smartphone size={30} aria-hidden="true" />}
          actions={<Button onClick={() => window.location.reload()}>{upload.retry}</Button>}
        >
          <p>{upload.deviceText}</p>
        </MessagePage>
      );
    case 'password':
      return (
        <MessagePage
          title={upload.passwordTitle}
          icon={<KeyRound size={30} aria-hidden="true" />}
          actions={<ButtonLink href={`/securejoin?code=${code}`}>{upload.unlock}</ButtonLink>}
        >
          <p>{upload.passwordText}</p>
          {loaded.wrong && <p>Das Passwort in diesem Link stimmt nicht (mehr).</p>}
        </MessagePage>
      );
    case 'not-found':
      return (
        <MessagePage title={join.failed} actions={<ButtonLink href="/join">Code eingeben</ButtonLink>}>
          {loaded.hint && <p>{loaded.hint}</p>}
        </MessagePage>
      );
    case 'trouble':
      return (
        <MessagePage title="Das Event lässt sich gerade nicht öffnen" actions={<Button onClick={again}>{upload.retry}</Button>}>
          <p>{loaded.message}</p>
          <p>Die Seite versucht es von selbst wieder.</p>
        </MessagePage>
      );
    case 'ready':
      if (!loaded.event.with_user_upload) return <UploadsOff code={code} event={loaded.event} deviceId={loaded.device} />;
      return <UploadForm code={code} event={loaded.event} deviceId={loaded.device} password={password} />;
  }
}

async function load(code: string, password: string): Promise<Loaded> {
  const headers: Record<string, string> = password ? { 'event-password': encodeURIComponent(password) } : {};
  // Both at once: round trips are slow at a party.
  const [device, answer] = await Promise.allSettled([deviceId(), call('GET /event/:code', { params: { code }, headers })]);
  // Where the event did not come either it is the network that is missing.
  if (device.status === 'rejected' && answer.status === 'fulfilled') return { state: 'no-device' };
  if (device.status === 'fulfilled' && answer.status === 'fulfilled') {
    const event = answer.value;
    if (event.with_upload_password && !password) return { state: 'password', wrong: false };
    return { state: 'ready', event, device: device.value };
  }
  return refused(answer.status === 'rejected' ? answer.reason : undefined);
}

function refused(error: unknown): Loaded {
  if (error instanceof ApiError && error.code === 'wrong_event_password') return { state: 'password', wrong: true };
  if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return { state: 'not-found', hint: failureHint(error) };
  if (error instanceof ApiError && error.status === 0) return { state: 'trouble', message: 'Keine Verbindung zum Server.' };
  return { state: 'trouble', message: messageOf(error) };
}
