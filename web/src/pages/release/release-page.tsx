import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import type { GuestEvent, Photo } from '@feierbild/contract/entities.ts';
import { CircleCheck, Eye, EyeOff, KeyRound, Undo2 } from 'lucide-react';
import { useCallback, useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { call, isRefusal, messageOf } from '../../api/client.ts';
import { guestName, photoText } from '../../gallery/photo-text.ts';
import { useLinkSession } from '../../lib/use-link-session.ts';
import { readingKey } from '../../lib/reading-key.ts';
import { releaseTexts } from '../../texts/guest/release.ts';
import { shell } from '../../texts/guest/shell.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Headline } from '../../ui/headline.tsx';
import { LinkPart } from '../../ui/incomplete-link.tsx';
import { MessagePage, type Failure } from '../../ui/message-page.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Spinner, Waiting } from '../../ui/spinner.tsx';
import { Thumbnail } from '../../ui/thumbnail.tsx';
import { VideoPlayer } from '../../video/video-player.tsx';
import { isVideo, previewFor } from '../../video/video.ts';
import styles from './release.module.css';
import { readWaiting, useRelease, type AllAsked } from './use-release.ts';

/** /freigabe/{code}: which photos are shown, decided with two thumbs; for the host, and for a helper who has the link. */
export default function ReleasePage({ code: raw }: { code: string }) {
  const code = cleanEventCode(raw);
  const enter = useCallback(async () => void (await readWaiting(code, 0, 1)), [code]);
  const entered = useLinkSession('helper', code, enter);
  const event = useEvent(code);
  if (entered.state === 'opening') return <Waiting />;
  if (entered.state === 'open') return <Release key={code} code={code} event={event} />;
  return <NoRelease code={code} error={entered.error} onRetry={entered.again} onToken={entered.give} />;
}

/** Neither a link nor the host's login opens it, or the server does not answer. */
export function NoRelease({ code, error, onRetry, onToken }: Failure & { onToken?(token: string): void }) {
  const t = releaseTexts;
  if (!isRefusal(error, 'invalid_credentials', 'login_required'))
    return (
      <MessagePage title={t.failed} actions={<Button onClick={onRetry}>{shell.retry}</Button>}>
        <p>{messageOf(error)}</p>
      </MessagePage>
    );
  return (
    <MessagePage
      title={t.noAccess}
      icon={<KeyRound size={30} aria-hidden="true" />}
      actions={
        <ButtonLink look="secondary" href={`/login?redirect=${encodeURIComponent(`/freigabe/${code}`)}`}>
          {t.login}
        </ButtonLink>
      }
    >
      <p>{t.noAccessText}</p>
      {onToken && <LinkPart onToken={onToken} />}
    </MessagePage>
  );
}

/** The event, for its title; null while it is not known, or not open. */
function useEvent(code: string): GuestEvent | null {
  const [event, setEvent] = useState<GuestEvent | null>(null);
  useEffect(() => {
    // Photos are decided about without it, too.
    call('GET /event/:code', { params: { code } }).then(setEvent, () => undefined);
  }, [code]);
  return event;
}

function Release({ code, event }: { code: string; event: GuestEvent | null }) {
  const t = releaseTexts;
  const release = useRelease(code);
  const { photo, failed, elsewhere, error, ready, left, sending, canUndo, decide, undo } = release;
  /** The open question about all photos. */
  const [asking, setAsking] = useState<AllAsked | null>(null);
  const { sight, onSight } = useSight(photo && pictureOf(photo));
  useLeaveWarning(sending);

  const press = useEffectEvent((event: KeyboardEvent) => {
    if (asking || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    // Its keys are the video's.
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

  if (isRefusal(error, 'login_required')) return <NoRelease code={code} error={error} onRetry={() => window.location.reload()} />;
  if (!ready) return <Waiting />;
  return (
    <ReleaseScreen
      event={event?.title}
      photo={photo}
      sight={sight}
      onSight={onSight}
      left={left}
      sending={sending}
      canUndo={canUndo}
      onDecide={(shown) => photo && decide(photo, shown)}
      onUndo={undo}
      onAll={() => setAsking(release.askAll())}
    >
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

/** From the change of a picture until a second touch is no longer meant for the one before it. */
const TOUCH_MS = 300;

/** What has been on the screen long enough to be decided about: the photo's picture, or the place of one that did not come. */
type Sight = 'drawn' | 'missing' | null;

/** What a photo shows: its original may turn out to be another picture. */
const pictureOf = ({ id, replaced }: Photo): string => (replaced ? `${id} replaced` : id);

/** The sight of a picture. `onSight` is told once there is one. */
function useSight(picture: string | null) {
  const [seen, setSeen] = useState<{ picture: string; sight: Sight } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Not at each change of picture: one that the browser has already is drawn before that effect runs, and its time would
  // be cancelled for good. A time that is over for a picture that has gone changes nothing, as `seen` names it.
  useEffect(() => () => clearTimeout(timer.current), []);
  const onSight = useCallback((which: string, sight: Sight): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setSeen({ picture: which, sight }), TOUCH_MS);
  }, []);
  return { sight: seen?.picture === picture ? (seen?.sight ?? null) : null, onSight };
}

/** Asks before the page is left while something is on its way. */
function useLeaveWarning(on: boolean): void {
  useEffect(() => {
    if (!on) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [on]);
}

/** Where the focus goes when the button that had it is no longer drawn: to the headline of the end, or back to „Zurück“. */
function useKeptFocus(view: 'photo' | 'waiting' | 'done') {
  const place = useRef<HTMLButtonElement>(null);
  const done = useRef<HTMLHeadingElement>(null);
  const seen = useRef(view);
  useEffect(() => {
    if (seen.current === view) return;
    seen.current = view;
    if (document.activeElement === document.body) (done.current ?? place.current)?.focus();
  }, [view]);
  return { place, done };
}

interface ReleaseScreenProps {
  /** Its title, where it is known. */
  event?: string | undefined;
  /** The one that is asked about; null: none waits. */
  photo: Photo | null;
  sight: Sight;
  /** Its picture was drawn, or did not come; it is asked for again. */
  onSight(picture: string, sight: Sight): void;
  left: number;
  /** Decisions are on their way. */
  sending: boolean;
  canUndo: boolean;
  onDecide(shown: boolean): void;
  onUndo(): void;
  onAll(): void;
  children?: ReactNode;
}

/** One photo, large, and two places for the thumbs. */
export function ReleaseScreen(props: ReleaseScreenProps) {
  const t = releaseTexts;
  const { event, photo, sight, onSight, left, sending, canUndo, onDecide, onUndo, onAll, children } = props;
  useEffect(() => {
    if (!photo || !isVideo(photo)) return;
    const still = new Image();
    // Without its still picture a video can be played.
    still.onload = still.onerror = () => onSight(pictureOf(photo), 'drawn');
    still.src = previewFor(photo);
  }, [photo, onSight]);
  const isDone = !photo && left === 0 && !sending;
  const { place, done } = useKeptFocus(isDone ? 'done' : photo ? 'photo' : 'waiting');
  // Off without `disabled`: a browser takes the focus from a disabled button.
  const undoButton = (
    <Button ref={place} look="quiet" aria-disabled={!canUndo || undefined} onClick={() => canUndo && onUndo()}>
      <Undo2 size={20} className={styles.undo} /> {t.undo}
    </Button>
  );
  const thumb = (shown: boolean) => {
    const isOff = shown ? sight !== 'drawn' : sight === null;
    return { type: 'button' as const, 'aria-disabled': isOff || undefined, onClick: () => !isOff && onDecide(shown) };
  };
  return (
    <main id="inhalt" className={`${styles.screen} ${photo ? '' : styles.empty}`}>
      <header className={styles.head}>
        <div>
          <Headline>{t.title}</Headline>
          {event && (
            <p translate="no" className={styles.event}>
              <bdi>{event}</bdi>
            </p>
          )}
        </div>
        <p role="status">{photo && t.waiting(left)}</p>
      </header>
      {children}
      {photo ? (
        <>
          <figure className={styles.photo}>
            {isVideo(photo) ? (
              <VideoPlayer key={photo.id} photo={photo} label={photoText(photo)} current />
            ) : (
              <Thumbnail
                key={pictureOf(photo)}
                src={previewFor(photo)}
                alt={photoText(photo)}
                width={photo.width}
                height={photo.height}
                onLoad={() => onSight(pictureOf(photo), 'drawn')}
                onError={() => onSight(pictureOf(photo), 'missing')}
              />
            )}
            {sight === 'missing' && (
              <div className={styles.missing}>
                <Waiting />
              </div>
            )}
            <figcaption>
              <span translate="no">{t.from(guestName(photo), photo.created_at)}</span>
            </figcaption>
          </figure>
          <p className={styles.meaning}>{t.meaning}</p>
          <div className={styles.tools}>
            {undoButton}
            {left > 1 && (
              <Button look="quiet" onClick={onAll}>
                {t.showAll(left)}
              </Button>
            )}
          </div>
          <div className={`${styles.thumbs} ${sight === 'missing' ? styles.hideOnly : ''}`}>
            <button className={styles.hide} {...thumb(false)}>
              <EyeOff size={28} aria-hidden="true" /> {t.hide}
            </button>
            <button className={styles.show} {...thumb(true)}>
              <Eye size={28} aria-hidden="true" /> {t.show}
            </button>
          </div>
        </>
      ) : !isDone ? (
        <div className={styles.done}>
          <Spinner />
          <p role="status">{sending ? t.sending : t.loading}</p>
        </div>
      ) : (
        <div className={styles.done}>
          <CircleCheck size={40} aria-hidden="true" />
          <h2 ref={done} tabIndex={-1}>
            {t.done}
          </h2>
          <p>{t.doneText}</p>
          {canUndo && undoButton}
        </div>
      )}
    </main>
  );
}
