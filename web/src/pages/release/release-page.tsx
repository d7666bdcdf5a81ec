import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import type { GuestEvent } from '@feierbild/contract/entities.ts';
import { KeyRound } from 'lucide-react';
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { call, isRefusal, messageOf } from '../../api/client.ts';
import { useLinkSession } from '../../lib/use-link-session.ts';
import { readingKey } from '../../lib/reading-key.ts';
import { releaseTexts } from '../../texts/guest/release.ts';
import { shell } from '../../texts/guest/shell.ts';
import { AboutEvent } from '../../ui/about-event.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { CookiesBlocked, isWithoutCookie } from '../../ui/cookies-blocked.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { LinkPart } from '../../ui/incomplete-link.tsx';
import { MessagePage, type Failure } from '../../ui/message-page.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { ReleaseScreen } from './release-screen.tsx';
import { pictureOf, useSight } from './sight.ts';
import { readWaiting, useRelease, type AllAsked } from './use-release.ts';

/** /freigabe/{code}: the host, or a helper with the link, decides with two thumbs which photos are shown. */
export default function ReleasePage({ code: raw }: { code: string }) {
  const code = cleanEventCode(raw);
  const enter = useCallback(async () => void (await readWaiting(code, 0, 1)), [code]);
  const entered = useLinkSession('helper', code, enter);
  const event = useEvent(code);
  if (entered.state === 'opening') return <Waiting />;
  if (entered.state === 'open') return <Release key={code} code={code} event={event} onEnded={entered.again} />;
  return <NoRelease code={code} event={event} error={entered.error} onRetry={entered.again} onToken={entered.give} />;
}

interface NoReleaseProps extends Failure {
  /** The event; null if it is unknown. */
  event: Pick<GuestEvent, 'title'> | null;
  onToken(token: string): void;
}

/** The page for visitors whom neither a link nor the host's login lets in, or to whom the server does not answer. */
export function NoRelease({ code, event, error, onRetry, onToken }: NoReleaseProps) {
  const t = releaseTexts;
  if (isWithoutCookie(error))
    return (
      <CookiesBlocked>
        <AboutEvent event={event} />
      </CookiesBlocked>
    );
  if (!isRefusal(error, 'invalid_credentials', 'login_required'))
    return (
      <MessagePage title={t.failed} actions={<Button onClick={onRetry}>{shell.retry}</Button>}>
        <AboutEvent event={event} />
        <p>{messageOf(error)}</p>
      </MessagePage>
    );
  return (
    <MessagePage
      title={t.noAccess}
      icon={<KeyRound size={30} />}
      actions={
        <ButtonLink look="secondary" href={`/login?redirect=${encodeURIComponent(`/freigabe/${code}`)}`}>
          {t.login}
        </ButtonLink>
      }
    >
      <AboutEvent event={event} />
      <p>{t.noAccessText}</p>
      <LinkPart onToken={onToken} />
    </MessagePage>
  );
}

/** Reads the event for its title; null while it is unknown, or not open. */
function useEvent(code: string): GuestEvent | null {
  const [event, setEvent] = useState<GuestEvent | null>(null);
  useEffect(() => {
    // Decisions do not need the event.
    call('GET /event/:code', { params: { code } }).then(setEvent, () => undefined);
  }, [code]);
  return event;
}

interface ReleaseProps {
  code: string;
  event: GuestEvent | null;
  /** Called when the link or the login has ended. */
  onEnded(): void;
}

function Release({ code, event, onEnded }: ReleaseProps) {
  const t = releaseTexts;
  const release = useRelease(code);
  const { photo, failed, elsewhere, error, ready, left, sending, canUndo, decide, undo } = release;
  /** The open question about all photos. */
  const [asking, setAsking] = useState<AllAsked | null>(null);
  const { sight, onSight } = useSight(photo && pictureOf(photo));
  useLeaveWarning(sending);

  const press = useEffectEvent((event: KeyboardEvent) => {
    // A held key would press the focused button again and again.
    if (event.repeat && event.key === 'Enter') event.preventDefault();
    if (asking || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    // A focused video handles its own keys.
    if (event.target instanceof HTMLMediaElement) return;
    const key = readingKey(event.key);
    if (key === 'ArrowRight') {
      if (photo && sight === 'drawn') decide(photo, true);
    } else if (key === 'ArrowLeft') {
      if (photo && sight) decide(photo, false);
    } else if (key === 'Backspace' || key === 'ArrowUp') undo();
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);

  const ended = isRefusal(error, 'login_required');
  useEffect(() => {
    if (ended) onEnded();
  }, [ended, onEnded]);
  if (ended || !ready) return <Waiting />;
  return (
    <ReleaseScreen
      event={event?.title}
      photo={photo}
      sight={sight}
      onSight={onSight}
      left={left}
      isCurrent={error === null}
      sending={sending}
      canUndo={canUndo}
      onDecide={(shown) => photo && decide(photo, shown)}
      onUndo={undo}
      onAll={() => setAsking(release.askAll())}
    >
      {error !== null && <Notice kind="error">{messageOf(error)}</Notice>}
      {failed > 0 && (
        <Notice kind="error" onDismiss={release.told}>
          {t.notSent(failed)}
        </Notice>
      )}
      {elsewhere > 0 && (
        <Notice kind="warning" onDismiss={release.told}>
          {t.elsewhere(elsewhere)}
        </Notice>
      )}
      {asking && (
        <ConfirmDialog
          title={t.showAllTitle(asking.left)}
          look="primary"
          confirm={t.showAll(asking.left)}
          onClose={() => setAsking(null)}
          onConfirm={async () => {
            await release.showAll(asking);
            setAsking(null);
          }}
        >
          <p>{t.showAllText}</p>
        </ConfirmDialog>
      )}
    </ReleaseScreen>
  );
}

/** Asks before the page is left while decisions are being sent. */
function useLeaveWarning(on: boolean): void {
  useEffect(() => {
    if (!on) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [on]);
}
