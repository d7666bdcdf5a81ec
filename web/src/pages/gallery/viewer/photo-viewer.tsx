import { QR_SIZE_SHARE } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { Download, Info, Link2, MonitorOff, MonitorPlay, Trash2 } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import { useEffect, useMemo, useState, type ComponentProps, type ReactNode } from 'react';
import Lightbox, { type SlideImage } from 'yet-another-react-lightbox';
import Zoom from 'yet-another-react-lightbox/plugins/zoom';
import 'yet-another-react-lightbox/styles.css';
import { call } from '../../../api/client.ts';
import { useOrigin } from '../../../lib/event-url.ts';
import { formatBytes, formatInstant, formatLocal, formatTime } from '../../../lib/format.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { DownloadLink } from '../../../ui/download-link.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ShareLink } from '../../../ui/share-link.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { useTask } from '../../../ui/use-form.ts';
import { VideoPlayer } from '../../../video/video-player.tsx';
import { isVideo, previewFor } from '../../../video/video.ts';
import { DeleteDialog } from '../delete-dialog.tsx';
import { photoText, stateText } from '../photo-text.ts';
import styles from './viewer.module.css';
import { closeIntoTile, endOpening } from './zoom.ts';

export interface PhotoViewerProps {
  photos: readonly Photo[];
  index: number;
  onShow(id: string | null): void;
  onToggleSlideshow(photo: Photo): void;
  onDeleted(ids: readonly string[]): void;
}

const LABELS = {
  Previous: 'Vorheriges Foto',
  Next: 'Nächstes Foto',
  Close: 'Schließen',
  'Zoom in': 'Vergrößern',
  'Zoom out': 'Verkleinern',
  Lightbox: 'Foto',
  'Photo gallery': 'Fotos',
  '{index} of {total}': '{index} von {total}',
};

/** Full screen: swipe, arrow keys, pinch; mark, download, delete. */
export default function PhotoViewer({ photos, index, onShow, onToggleSlideshow, onDeleted }: PhotoViewerProps) {
  const [asking, setAsking] = useState<Photo | null>(null);
  const [sharing, setSharing] = useState<Photo | null>(null);
  const slides = useMemo(() => photos.map(slideOf), [photos]);
  const photo = photos[index];
  if (!photo) return null;
  return (
    <>
      <Lightbox
        open={asking === null && sharing === null}
        index={index}
        slides={slides}
        close={() => onShow(null)}
        on={{
          view({ index: next }) {
            endOpening(photos[next]?.id);
            onShow(photos[next]?.id ?? null);
          },
          exiting: () => closeIntoTile(photo.id),
        }}
        plugins={[Zoom]}
        className={styles.viewer ?? ''}
        carousel={{ finite: true, preload: 2, padding: 0 }}
        controller={{ closeOnPullDown: true }}
        labels={LABELS}
        animation={{ fade: 180, swipe: 220 }}
        toolbar={{
          buttons: [
            <Tool
              key="slideshow"
              word="Slideshow"
              aria-pressed={photo.slideshow}
              aria-label="In der Slideshow"
              title={photo.slideshow ? 'In der Slideshow' : 'Nicht in der Slideshow'}
              onClick={() => onToggleSlideshow(photo)}
              icon={photo.slideshow ? <MonitorPlay /> : <MonitorOff />}
            />,
            <Tool key="link" word="Weitergeben" title="Link zum Weitergeben" onClick={() => setSharing(photo)} icon={<Link2 />} />,
            <DownloadLink
              key="download"
              className={`yarl__button ${styles.own} ${styles.toolbarLink}`}
              href={photo.original_url}
              aria-label="Herunterladen"
              title="Herunterladen"
            >
              <Download />
              <span className={styles.word}>Herunterladen</span>
            </DownloadLink>,
            <Tool key="delete" word="Löschen" className={styles.delete} onClick={() => setAsking(photo)} icon={<Trash2 />} />,
            'close',
          ],
        }}
        render={{
          slide: ({ slide, offset }) => {
            const shown = photos[slides.indexOf(slide as SlideImage)];
            return shown && isVideo(shown) ? <VideoPlayer photo={shown} label={photoText(shown)} current={offset === 0} /> : undefined;
          },
          // Who touches the screen pinches and swipes; buttons for these are for the mouse.
          ...(window.matchMedia('(hover: none)').matches && { buttonZoom: () => null, buttonPrev: () => null, buttonNext: () => null }),
          slideFooter: () => <Caption photo={photo} />,
        }}
      />
      {sharing && <LinkDialog photo={sharing} onClose={() => setSharing(null)} />}
      {asking && (
        <DeleteDialog
          photos={[asking]}
          onClose={() => setAsking(null)}
          onDelete={async () => {
            await call('DELETE /api/photos/:id', { params: { id: asking.id } });
            const neighbour = photos[index + 1] ?? photos[index - 1];
            setAsking(null);
            onShow(neighbour?.id ?? null);
            onDeleted([asking.id]);
          }}
        />
      )}
    </>
  );
}

/** A button of the toolbar; `word` is below its icon on phones. */
function Tool({ word, title = word, icon, className = '', ...rest }: ComponentProps<'button'> & { word: string; icon: ReactNode }) {
  return (
    <button type="button" aria-label={title} title={title} className={`yarl__button ${styles.own} ${className}`} {...rest}>
      {icon}
      <span className={styles.word}>{word}</span>
    </button>
  );
}

/** Dates are slow to format: the text of a photo is made when it is shown, not for ten thousand at once. */
function slideOf(photo: Photo): SlideImage {
  return {
    // Of a video it only names the slide: with its poster's address, a playing video would begin anew when the poster comes.
    src: photo.video?.url ?? previewFor(photo),
    width: photo.width,
    height: photo.height,
    get alt() {
      return photoText(photo);
    },
  };
}

/** Who sent a photo, and when; all else that is known of it behind a button. */
function Caption({ photo }: { photo: Photo }) {
  const [open, setOpen] = useState(false);
  const all = [
    photoText(photo),
    photo.taken_at && `aufgenommen ${formatLocal(photo.taken_at)}`,
    `${photo.filename}, ${formatBytes(photo.size)}`,
    photo.replaced && 'die zuerst gezeigte Vorschau war ein anderes Bild',
  ].filter(Boolean);
  return (
    <div className={styles.caption}>
      <p>
        {[photo.device.name, formatTime(photo.created_at), stateText(photo)].filter(Boolean).join(' · ')}
        <button type="button" aria-label="Alle Angaben" title="Alle Angaben" aria-expanded={open} onClick={() => setOpen(!open)}>
          <Info size={18} />
        </button>
      </p>
      {open && <p>{all.join(' · ')}</p>}
    </div>
  );
}

/** Makes a temporary link to one photo, and shows it. */
export function LinkDialog({ photo: { id, video }, onClose }: { photo: Photo; onClose(): void }) {
  const kind = video ? 'Video' : 'Foto';
  const origin = useOrigin();
  const { failure, run } = useTask();
  const [link, setLink] = useState<{ download_url: string; expires_at: string } | null>(null);
  useEffect(() => void run(async () => setLink(await call('POST /api/photos/:id/link', { params: { id } }))), [run, id]);

  return (
    <Dialog title={`${kind} weitergeben`} onClose={onClose}>
      <div className={styles.linkBody}>
        {failure && <Notice kind="error">{failure}</Notice>}
        {!failure && !link && (
          <p role="status">
            <Spinner /> Der Link wird erstellt …
          </p>
        )}
        {link && <PhotoLink kind={kind} url={new URL(link.download_url, origin).href} expiresAt={link.expires_at} />}
      </div>
    </Dialog>
  );
}

/** A temporary link to one photo: as QR code for a phone nearby, and to copy. */
export function PhotoLink({ kind, url, expiresAt }: { kind: 'Foto' | 'Video'; url: string; expiresAt: string }) {
  return (
    <>
      <p>
        Wer diesen Link hat, kann dieses eine {kind} bis zum {formatInstant(expiresAt)} ohne Anmeldung herunterladen, ohne den Ort der
        Aufnahme.
      </p>
      <div className={styles.linkQr}>
        <QRCodeSVG value={url} size={QR_SIZE_SHARE} title={`QR-Code zum Download des ${kind}s`} />
      </div>
      <ShareLink url={url} title={`Ein ${kind} für Sie`} />
    </>
  );
}
