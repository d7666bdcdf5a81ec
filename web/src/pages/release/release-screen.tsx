import type { Photo } from '@feierbild/contract/entities.ts';
import { CircleCheck, Eye, EyeOff, Undo2 } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { askForFile } from '../../api/ask-for-file.ts';
import { isRefusal, messageOf, type ApiError } from '../../api/client.ts';
import { guestName, photoText } from '../../gallery/photo-text.ts';
import { releaseTexts } from '../../texts/guest/release.ts';
import { Button } from '../../ui/button.tsx';
import { Headline } from '../../ui/headline.tsx';
import { Spinner, Waiting } from '../../ui/spinner.tsx';
import { Thumbnail } from '../../ui/thumbnail.tsx';
import { hasStill } from '../../video/still.ts';
import { VideoDownload } from '../../video/video-download.tsx';
import { VideoPlayer } from '../../video/video-player.tsx';
import { isVideo, previewFor } from '../../video/video.ts';
import styles from './release.module.css';
import { pictureOf, type Sight } from './sight.ts';

/** Moves the focus when its button is no longer rendered: to the headline of the end, or to „Zurück“. */
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

/** The server's refusals of files to helpers. */
const NO_FILE = ['photo_not_found', 'originals_off'] as const;

/** The download of a video that this browser cannot play, and which somebody sees by it. Helpers get no files. */
function SeenByDownload({ photo, onSeen }: { photo: Photo; onSeen(): void }) {
  const { original_url: url } = photo;
  /** Whether the server gives the file to this visitor; null until it has answered. */
  const [given, setGiven] = useState<boolean | null>(null);
  /** The refusal of the last press. */
  const [refused, setRefused] = useState<ApiError | null>(null);
  useEffect(() => void askForFile(url).then((answer) => setGiven(!isRefusal(answer, ...NO_FILE))), [url]);

  if (given === false) return <span>{releaseTexts.byHost}</span>;
  return (
    given && (
      <>
        {refused && <span>{messageOf(refused)}</span>}
        <VideoDownload
          photo={photo}
          onAnswer={(refusal, isGiven) => {
            setRefused(refusal);
            // Without an answer nothing was seen.
            if (isGiven) onSeen();
          }}
        />
      </>
    )
  );
}

interface ReleaseScreenProps {
  /** The event's title, if it is known. */
  event?: string | undefined;
  /** The photo to decide about; null if none waits. */
  photo: Photo | null;
  sight: Sight;
  /** Called when a photo's picture was drawn, or failed to load; it is then requested again. */
  onSight(picture: string, sight: Sight): void;
  left: number;
  /** Whether the last question for waiting photos was answered; if not, nobody knows whether photos wait. */
  isCurrent: boolean;
  /** Whether decisions are being sent. */
  sending: boolean;
  canUndo: boolean;
  onDecide(shown: boolean): void;
  onUndo(): void;
  onAll(): void;
  children?: ReactNode;
}

/** Shows one photo large, and two buttons for the thumbs. */
export function ReleaseScreen(props: ReleaseScreenProps) {
  const t = releaseTexts;
  const { event, photo, sight, onSight, left, isCurrent, sending, canUndo, onDecide, onUndo, onAll, children } = props;
  useEffect(() => {
    if (!photo || !isVideo(photo)) return;
    const still = new Image();
    still.onload = () => onSight(pictureOf(photo), hasStill(photo) ? 'drawn' : 'missing');
    // A video without its still can be played.
    still.onerror = () => onSight(pictureOf(photo), 'missing');
    still.src = previewFor(photo);
  }, [photo, onSight]);
  const isDone = !photo && left === 0 && isCurrent && !sending;
  const seen = (): void => {
    if (photo) onSight(pictureOf(photo), 'drawn');
  };
  const { place, done } = useKeptFocus(isDone ? 'done' : photo ? 'photo' : 'waiting');
  // The button is switched off without `disabled`, because a browser takes the focus from a disabled button.
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
              <VideoPlayer
                key={photo.id}
                photo={photo}
                label={photoText(photo)}
                onSeen={seen}
                download={<SeenByDownload photo={photo} onSeen={seen} />}
              />
            ) : (
              <Thumbnail
                key={pictureOf(photo)}
                src={previewFor(photo)}
                alt={photoText(photo)}
                width={photo.width}
                height={photo.height}
                onLoad={seen}
                onError={() => onSight(pictureOf(photo), 'missing')}
              />
            )}
            {sight === 'missing' && !isVideo(photo) && (
              <div className={styles.missing}>
                <Waiting />
              </div>
            )}
            <figcaption>
              <span translate="no">{t.from(guestName(photo), photo.created_at)}</span>
            </figcaption>
          </figure>
          <p className={styles.meaning} role="status">
            {sight === 'missing' && isVideo(photo) ? t.unseen : t.meaning}
          </p>
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
              <EyeOff size={28} /> {t.hide}
            </button>
            <button className={styles.show} {...thumb(true)}>
              <Eye size={28} /> {t.show}
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
          <CircleCheck size={40} />
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
