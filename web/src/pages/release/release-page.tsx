import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { CircleCheck, Eye, EyeOff, KeyRound, Undo2 } from 'lucide-react';
import { useCallback, useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { isRefusal, messageOf } from '../../api/client.ts';
import { photoText } from '../../gallery/photo-text.ts';
import { useLinkSession } from '../../lib/use-link-session.ts';
import { galleryTexts } from '../../texts/guest/gallery.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Headline } from '../../ui/headline.tsx';
import { MessagePage } from '../../ui/message-page.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { VideoPlayer } from '../../video/video-player.tsx';
import { isVideo, previewFor } from '../../video/video.ts';
import styles from './release.module.css';
import { readWaiting, useRelease } from './use-release.ts';

const t = galleryTexts.release;

/** /freigabe/{code}: which photos are shown, decided with two thumbs; for the host, and for a helper who has the link. */
export default function ReleasePage({ code: raw }: { code: string }) {
  const code = cleanEventCode(raw);
  const enter = useCallback(async () => void (await readWaiting(code, 0)), [code]);
  const entered = useLinkSession('helper', code, enter);
  if (entered.state === 'opening') return <Waiting />;
  if (entered.state === 'open') return <Release code={code} />;
  return <NoRelease code={code} error={entered.error} onRetry={entered.again} />;
}

/** Neither a link nor the host's login opens it, or the server does not answer. */
export function NoRelease({ code, error, onRetry }: { code: string; error: unknown; onRetry(): void }) {
  if (!isRefusal(error, 'invalid_credentials', 'login_required'))
    return (
      <MessagePage title={t.failed} actions={<Button onClick={onRetry}>{galleryTexts.gallery.retry}</Button>}>
        <p>{messageOf(error)}</p>
      </MessagePage>
    );
  return (
    <MessagePage
      title={t.noAccess}
      icon={<KeyRound size={30} aria-hidden="true" />}
      actions={<ButtonLink href={`/login?redirect=${encodeURIComponent(`/freigabe/${code}`)}`}>{t.login}</ButtonLink>}
    >
      <p>{t.noAccessText}</p>
    </MessagePage>
  );
}

function Release({ code }: { code: string }) {
  const release = useRelease(code);
  const { waiting, decided, failed, trouble, ready, left, decide, undo } = release;
  const [asking, setAsking] = useState(false);
  const [photo] = waiting;

  const press = useEffectEvent((event: KeyboardEvent) => {
    if (asking || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'ArrowRight' && photo) decide(photo.id, true);
    else if (event.key === 'ArrowLeft' && photo) decide(photo.id, false);
    else if (event.key === 'Backspace' || event.key === 'ArrowUp') undo();
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);

  if (isRefusal(trouble, 'login_required')) return <NoRelease code={code} error={trouble} onRetry={() => window.location.reload()} />;
  if (!ready) return <Waiting />;
  return (
    <ReleaseScreen
      photo={photo ?? null}
      left={left}
      canUndo={decided.length > 0}
      onDecide={(shown) => photo && decide(photo.id, shown)}
      onUndo={undo}
      onAll={() => setAsking(true)}
    >
      {failed > 0 && (
        <Notice kind="error" onDismiss={release.told}>
          {t.notSent(failed)}
        </Notice>
      )}
      {asking && (
        <ConfirmDialog
          title={t.showAllTitle(left)}
          look="primary"
          confirm={t.showAll(left)}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await release.showAll();
            setAsking(false);
          }}
        >
          <p>{t.showAllText}</p>
        </ConfirmDialog>
      )}
    </ReleaseScreen>
  );
}

interface ReleaseScreenProps {
  /** The one that is asked about; null: none waits. */
  photo: Photo | null;
  left: number;
  canUndo: boolean;
  onDecide(shown: boolean): void;
  onUndo(): void;
  onAll(): void;
  children?: ReactNode;
}

/** One photo, large, and two places for the thumbs. */
export function ReleaseScreen({ photo, left, canUndo, onDecide, onUndo, onAll, children }: ReleaseScreenProps) {
  const undoButton = (
    <Button look="quiet" disabled={!canUndo} onClick={onUndo}>
      <Undo2 size={20} /> {t.undo}
    </Button>
  );
  return (
    <main id="inhalt" className={styles.screen}>
      <header className={styles.head}>
        <div>
          <Headline>{t.title}</Headline>
          <p role="status">{photo && t.waiting(left)}</p>
        </div>
      </header>
      {children}
      {photo ? (
        <>
          <figure className={styles.photo}>
            {isVideo(photo) ? (
              <VideoPlayer key={photo.id} photo={photo} label={photoText(photo)} current />
            ) : (
              <img key={photo.id} src={previewFor(photo)} alt={photoText(photo)} width={photo.width} height={photo.height} />
            )}
            <figcaption>{t.from(photo.device.name, photo.created_at)}</figcaption>
          </figure>
          <div className={styles.tools}>
            {undoButton}
            {left > 1 && (
              <Button look="quiet" onClick={onAll}>
                {t.showAll(left)}
              </Button>
            )}
          </div>
          <div className={styles.thumbs}>
            <button type="button" className={styles.hide} onClick={() => onDecide(false)}>
              <EyeOff size={28} aria-hidden="true" /> {t.hide}
            </button>
            <button type="button" className={styles.show} onClick={() => onDecide(true)}>
              <Eye size={28} aria-hidden="true" /> {t.show}
            </button>
          </div>
        </>
      ) : (
        <div className={styles.done}>
          <CircleCheck size={40} aria-hidden="true" />
          <h2>{t.done}</h2>
          <p>{t.doneText}</p>
          {undoButton}
        </div>
      )}
    </main>
  );
}
