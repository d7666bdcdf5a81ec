import type { Photo } from '@feierbild/contract/entities.ts';
import { queryOptions } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from '../../api/client.ts';
import { plural } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Thumbnail } from '../../ui/thumbnail.tsx';
import { CHOICES, compared } from './compared.ts';
import styles from './remote.module.css';

/** Reads the newest shown photos. */
export const newestQuery = (code: string) =>
  queryOptions({
    queryKey: ['newest', code],
    queryFn: async () => {
      const query = { page: 1, per_page: CHOICES, sort: 'newest', view: 'shown' } as const;
      return ((await call('GET /api/events/:ref/photos', { params: { ref: code }, query })) as { photos: Photo[] }).photos;
    },
  });

interface ChoicesProps {
  newest: readonly Photo[];
  /** The id of the photo that was put on the wall. */
  chosen: string | null;
  onChoose(id: string): void;
}

/** Photos for the wall. Each keeps its place, so that a finger hits the photo that the eye saw: newer ones come at the host's request. */
export function Choices({ newest, chosen, onChoose }: ChoicesProps) {
  const [kept, setKept] = useState(newest);
  const heading = useRef<HTMLHeadingElement>(null);
  if (kept.length === 0 && newest.length > 0) setKept(newest);
  const { places, news } = compared(kept, newest);
  const renew = (): void => {
    setKept(newest);
    // The button disappears, and the focus with it.
    heading.current?.focus();
  };
  return (
    <section className={styles.panel} aria-labelledby="now">
      <div className={styles.head}>
        <h2 id="now" ref={heading} tabIndex={-1}>
          Dieses Bild jetzt
        </h2>
        {news > 0 && (
          <Button look="secondary" onClick={renew}>
            {plural(news, '1 neues Foto', '# neue Fotos')}
          </Button>
        )}
      </div>
      {kept.length === 0 && <p className="soft">Noch kein Foto in der Slideshow.</p>}
      <ul className={`bare ${styles.photos}`}>
        {places.map(({ id, photo }, n) => (
          <li key={id}>
            {photo && <Choice key={photo.thumbnail_url} photo={photo} n={n + 1} pressed={chosen === id} onChoose={() => onChoose(id)} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A photo to choose, once its picture is drawn: a photo that was not seen cannot be chosen. */
function Choice({ photo, n, pressed, onChoose }: { photo: Photo; n: number; pressed: boolean; onChoose(): void }) {
  const [drawn, setDrawn] = useState(false);
  const { thumbnail_url, device } = photo;
  return (
    <button type="button" aria-pressed={pressed} aria-disabled={!drawn} onClick={() => drawn && onChoose()}>
      <Thumbnail
        src={thumbnail_url}
        alt={`Foto ${n}${device.name ? ` von ${device.name}` : ''} auf die Leinwand`}
        loading="lazy"
        onLoad={() => setDrawn(true)}
      />
    </button>
  );
}
