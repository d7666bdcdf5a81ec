import { MINUTE, SELECTION_PHOTOS } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { FolderDown, MonitorOff, MonitorPlay, Trash2, X } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { call, isRefusal, messageOf } from '../../../api/client.ts';
import { useLeaveGuard } from '../../../lib/leave-guard.ts';
import { formatNumber } from '../../../lib/format.ts';
import { decided, type PhotoList } from '../../../lib/photo-list.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { DeleteDialog } from '../delete-dialog.tsx';
import { downloadFile } from '../../../ui/download-link.tsx';
import shared from '../host-gallery.module.css';
import { inParallel, type useSelection } from './selection.ts';
import styles from './selection.module.css';
import { countsOf, photosAndVideos } from '../../../video/counts.ts';

const PARALLEL_REQUESTS = 4;
/** Time for making a ZIP: what was received is decoded before, and each preview is read. */
const ZIP_MS = 5 * MINUTE;

/** Endings of sentences that begin with „1 Foto ist“ or „3 Fotos sind“. */
const DONE = { show: 'in der Slideshow', hide: 'nicht mehr in der Slideshow', delete: 'gelöscht' };
type Action = keyof typeof DONE;

async function perform(action: Action, { id, slideshow }: Photo): Promise<void> {
  if (action !== 'delete') {
    const value = action === 'show';
    // Hiding is always sent, because a hidden photo may wait for its release and then be shown by itself; the page may not know.
    if (!value || !slideshow) await call('PUT /api/photos/:id/slideshow', { params: { id }, body: { value } });
    return;
  }
  try {
    await call('DELETE /api/photos/:id', { params: { id } });
  } catch (error) {
    // Somebody else has deleted it before.
    if (!isRefusal(error, 'photo_not_found')) throw error;
  }
}

interface SelectionBarProps {
  code: string;
  selection: Pick<ReturnType<typeof useSelection>, 'photos' | 'restrict' | 'leave'>;
  list: Pick<PhotoList, 'change' | 'remove'>;
  /** The element that gets the focus if the bar had it when the selection ended. */
  returnFocus: RefObject<HTMLElement | null>;
}

/** The actions on selected photos, at the bottom of the window; Escape ends the selection. */
export function SelectionBar({ code, selection, list, returnFocus }: SelectionBarProps) {
  const { photos } = selection;
  const bar = useRef<HTMLElement>(null);
  const [asking, setAsking] = useState(false);
  const [zipping, setZipping] = useState(false);
  const [progress, setProgress] = useState<{ done: number; of: number } | null>(null);
  const [result, setResult] = useState({ done: '', failed: '' });
  const running = progress !== null;
  const none = photos.length === 0;
  const tooMany = photos.length > SELECTION_PHOTOS;
  useLeaveGuard(running, 'Die ausgewählten Fotos werden noch bearbeitet. Trotzdem verlassen?');

  function leave(): void {
    if (bar.current?.contains(document.activeElement)) returnFocus.current?.focus({ preventScroll: true });
    selection.leave();
  }
  const onEscape = useEffectEvent(leave);

  useEffect(() => {
    if (asking || running) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') onEscape();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [asking, running]);

  async function run(action: Action): Promise<void> {
    const meant = photos;
    let tried = 0;
    setAsking(false);
    setResult({ done: '', failed: '' });
    setProgress({ done: 0, of: meant.length });
    // The bar takes the focus, because the buttons are removed during the work.
    bar.current?.focus();
    const failed = await inParallel(meant, PARALLEL_REQUESTS, async (photo) => {
      try {
        await perform(action, photo);
      } finally {
        setProgress({ done: ++tried, of: meant.length });
      }
    });
    const succeeded = meant.filter((photo) => !failed.has(photo));
    const changed = succeeded.map(({ id }) => id);
    if (action === 'delete') list.remove(changed);
    else list.change(changed, decided(action === 'show'));
    const done = new Set(changed);
    selection.restrict(({ id }) => !done.has(id));
    const [error] = failed.values();
    if (failed.size > 0) console.error(error);
    setResult({
      done: changed.length > 0 ? `${photosAndVideos(countsOf(succeeded))} ${changed.length === 1 ? 'ist' : 'sind'} ${DONE[action]}.` : '',
      failed:
        // Specified: failed changes of the slideshow are not reported; the photos stay selected.
        action === 'delete' && failed.size > 0 ? `${failedText([...failed.keys()])} ${messageOf(error)}` : '',
    });
    setProgress(null);
  }

  async function zip(): Promise<void> {
    setZipping(true);
    // The bar takes the focus, because the button is disabled meanwhile.
    bar.current?.focus();
    try {
      const body = { photos: photos.map(({ id }) => id) };
      const made = await call('POST /api/events/:ref/selections', { params: { ref: code }, body, limitMs: ZIP_MS });
      downloadFile(made.download_url);
    } catch (error) {
      // The error is only logged, as with the ZIP of all photos; the button can be used again.
      console.error(error);
    }
    setZipping(false);
  }

  return (
    <section ref={bar} tabIndex={-1} className={styles.bar} aria-label="Auswahl">
      {result.failed && <Notice kind="error">{result.failed}</Notice>}
      <div className={styles.row}>
        <p role="status">
          <strong>{none ? 'Kein Foto ausgewählt' : `${photosAndVideos(countsOf(photos))} ausgewählt`}</strong>{' '}
          <span className={shared.small}>{tooMany ? `In ein ZIP passen höchstens ${formatNumber(SELECTION_PHOTOS)}.` : result.done}</span>
        </p>
        {progress ? (
          <div className={styles.running}>
            <span className={shared.small}>
              {formatNumber(progress.done)} von {formatNumber(progress.of)}
            </span>
            <progress className={shared.progress} max={progress.of} value={progress.done} aria-label="Fortschritt" />
          </div>
        ) : (
          <div className={styles.actions}>
            <Button title="In die Slideshow" look="secondary" disabled={none} onClick={() => void run('show')}>
              <MonitorPlay size={20} /> <span className={styles.label}>In die Slideshow</span>
            </Button>
            <Button title="Aus der Slideshow" look="secondary" disabled={none} onClick={() => void run('hide')}>
              <MonitorOff size={20} /> <span className={styles.label}>Aus der Slideshow</span>
            </Button>
            <Button title="Auswahl als ZIP" look="secondary" disabled={none || tooMany} busy={zipping} onClick={() => void zip()}>
              {!zipping && <FolderDown size={20} />} <span className={styles.label}>Auswahl als ZIP</span>
            </Button>
            <Button title="Löschen" look="danger" disabled={none} onClick={() => setAsking(true)}>
              <Trash2 size={20} /> <span className={styles.label}>Löschen</span>
            </Button>
            <Button title="Auswahl aufheben" look="quiet" onClick={leave}>
              <X size={20} /> <span className={styles.label}>Auswahl aufheben</span>
            </Button>
          </div>
        )}
      </div>
      {asking && <DeleteDialog photos={photos} onClose={() => setAsking(false)} onDelete={() => run('delete')} />}
    </section>
  );
}

function failedText(photos: readonly Photo[]): string {
  const counts = countsOf(photos);
  if (photos.length > 1) return `Bei ${photosAndVideos(counts)} ging es nicht, sie bleiben ausgewählt.`;
  return `Bei einem ${counts.videos === 1 ? 'Video' : 'Foto'} ging es nicht, es bleibt ausgewählt.`;
}
