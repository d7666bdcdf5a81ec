import { SLIDESHOW_MIN_PHOTOS } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { slideshow } from '../../texts.ts';
import { Headline } from '../../ui/headline.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Invitation } from './controls.tsx';
import styles from './waiting-for-photos.module.css';

interface WaitingForPhotosProps {
  code: string;
  photos: readonly Photo[];
  locked: boolean;
}

/** Before the slideshow can begin: how guests get there, and a lamp that each photo which it needs lights. */
export function WaitingForPhotos({ code, photos, locked }: WaitingForPhotosProps) {
  return (
    <main className={styles.page}>
      <Headline className={styles.title}>{slideshow.almost}</Headline>
      <p className={styles.count} aria-live="polite">
        {slideshow.add.replace('n/5', `${photos.length}/5`)}
      </p>
      <ul className={styles.frames} aria-label="Fotos bis zum Anfang">
        {Array.from({ length: SLIDESHOW_MIN_PHOTOS }, (_, n) => (
          <li key={photos[n]?.id ?? n} className={photos[n] && styles.filled}>
            {photos[n] ? <img src={photos[n].thumbnail_url} alt={`Foto ${n + 1}`} /> : <span className="visually-hidden">noch frei</span>}
          </li>
        ))}
      </ul>
      <Invitation code={code} />
      <p className={styles.hint}>
        Sobald genug Fotos in der Slideshow sind, beginnt sie von selbst.
        {!locked && ' In der Galerie nehmen Sie Fotos hinein oder heraus.'}
      </p>
      <ButtonLink href={locked ? unlockPage(code) : `/gallery/${code}`} look="secondary">
        {locked ? 'Sperre aufheben' : 'Zur Galerie'}
      </ButtonLink>
    </main>
  );
}

/** Only the host's login leads out of a locked slideshow. */
export function unlockPage(code: string): string {
  return `/login?redirect=${encodeURIComponent(`/manage/${code}`)}`;
}
