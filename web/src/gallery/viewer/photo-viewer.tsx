import type { Photo } from '@feierbild/contract/entities.ts';
import { Download, Info } from 'lucide-react';
import { useMemo, useState, type ComponentProps, type ReactNode } from 'react';
import Lightbox, { type SlideImage } from 'yet-another-react-lightbox';
import Zoom from 'yet-another-react-lightbox/plugins/zoom';
import 'yet-another-react-lightbox/styles.css';
import { formatBytes } from '../../lib/format-bytes.ts';
import { formatLocal, formatTime } from '../../lib/format.ts';
import { galleryTexts } from '../../texts/guest/gallery.ts';
import { photoTexts } from '../../texts/guest/photo.ts';
import { DownloadLink } from '../../ui/download-link.tsx';
import { VideoPlayer } from '../../video/video-player.tsx';
import { isVideo, previewFor } from '../../video/video.ts';
import { guestName, photoText, stateText } from '../photo-text.ts';
import { MissingPicture } from './missing-picture.tsx';
import { useHeirGuard } from './use-heir-guard.ts';
import styles from './viewer.module.css';
import { closeIntoTile, endOpening } from './zoom.ts';

/** The properties of every viewer. */
export interface ViewerProps {
  photos: readonly Photo[];
  index: number;
  onShow(id: string | null): void;
}

interface PhotoViewerProps extends ViewerProps {
  /** Buttons for the photo at `index`. */
  tools: readonly ReactNode[];
  /** Whether a dialog about a photo is in front of the viewer. */
  covered: boolean;
  /** A message in front of the photos; messages of the page behind them are neither seen nor heard. */
  notice?: ReactNode;
  /** The words in place of a picture that fails to load. */
  missing: string;
  /** Makes the download of a video that this browser cannot play; nothing where its visitor may not download. */
  downloadOf(video: Photo): ReactNode;
}

/** The full-screen viewer: swipe, arrow keys, pinch. */
export function PhotoViewer({ photos, index, onShow, tools, covered, notice, missing, downloadOf }: PhotoViewerProps) {
  const slides = useMemo(() => photos.map(slideOf), [photos]);
  const photo = photos[index];
  const moveTo = useHeirGuard(photo?.id, styles.own ?? '');
  if (!photo) return null;
  return (
    <Lightbox
      open={!covered}
      index={index}
      slides={slides}
      close={() => onShow(null)}
      on={{
        view({ index: next }) {
          const shown = photos[next]?.id;
          moveTo(shown);
          endOpening(shown);
          onShow(shown ?? null);
        },
        exiting: () => closeIntoTile(photo.id),
      }}
      plugins={[Zoom]}
      className={styles.viewer ?? ''}
      carousel={{ finite: true, preload: 2, padding: 0 }}
      controller={{ closeOnPullDown: true }}
      // Names say enough: without these two, screen readers would add the library's English words.
      labels={{ ...galleryTexts.viewer, Carousel: '', Slide: '' }}
      animation={{ fade: 180, swipe: 220 }}
      toolbar={{ buttons: [...tools, 'close'] }}
      render={{
        slide: ({ slide, offset }) => {
          const shown = photos[slides.indexOf(slide as SlideImage)];
          if (!shown || !isVideo(shown)) return undefined;
          return <VideoPlayer photo={shown} label={photoText(shown)} current={offset === 0} download={downloadOf(shown)} />;
        },
        // Fingers pinch and swipe; these buttons are for the mouse.
        ...(window.matchMedia('(hover: none)').matches && { buttonZoom: () => null, buttonPrev: () => null, buttonNext: () => null }),
        controls: () => notice && <div className={styles.notice}>{notice}</div>,
        iconError: () => <MissingPicture>{missing}</MissingPicture>,
        slideFooter: () => <Caption photo={photo} />,
      }}
    />
  );
}

/** A button of the toolbar; `word` is below its icon on phones. */
export function Tool({ word, title = word, icon, className = '', ...rest }: ComponentProps<'button'> & { word: string; icon: ReactNode }) {
  return (
    <button type="button" aria-label={title} title={title} className={`yarl__button ${styles.own} ${className}`} {...rest}>
      {icon}
      <span className={styles.word}>{word}</span>
    </button>
  );
}

/** The toolbar's download of a photo's file. */
export function DownloadTool({ photo, ...rest }: { photo: Photo } & Pick<ComponentProps<typeof DownloadLink>, 'onAnswer'>) {
  const t = photoTexts;
  return (
    <DownloadLink
      className={`yarl__button ${styles.own} ${styles.toolbarLink}`}
      href={photo.original_url}
      {...rest}
      aria-label={t.download}
      title={t.download}
    >
      <Download />
      <span className={styles.word}>{t.download}</span>
    </DownloadLink>
  );
}

/** Makes a slide. Its text is made when it is shown, because dates are slow to format for ten thousand photos at once. */
function slideOf(photo: Photo): SlideImage {
  return {
    // For a video this only names the slide: with the poster's address, a playing video would restart when the poster comes.
    src: photo.video?.url ?? previewFor(photo),
    width: photo.width,
    height: photo.height,
    get alt() {
      return photoText(photo);
    },
  };
}

/** The photo's guest and time; a button shows its other data. */
function Caption({ photo }: { photo: Photo }) {
  const [open, setOpen] = useState(false);
  const t = photoTexts;
  const all = [
    photoText(photo),
    photo.taken_at && t.taken(formatLocal(photo.taken_at)),
    // Guests get no file names of others' photos.
    photo.filename && `${photo.filename}, ${formatBytes(photo.size)}`,
    photo.replaced && t.replaced,
  ].filter(Boolean);
  return (
    <div className={styles.caption}>
      <p>
        {photo.device.name && (
          <>
            <bdi translate="no">{guestName(photo)}</bdi> ·{' '}
          </>
        )}
        {[formatTime(photo.created_at), stateText(photo)].filter(Boolean).join(' · ')}
        <button type="button" aria-label={t.details} title={t.details} aria-expanded={open} onClick={() => setOpen(!open)}>
          <Info size={18} />
        </button>
      </p>
      {open && <p>{all.join(' · ')}</p>}
    </div>
  );
}
