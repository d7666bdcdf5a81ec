import type { Photo } from '@feierbild/contract/entities.ts';
import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { call } from '../../api/client.ts';
import { plural } from '../../lib/format.ts';
import { photosAndVideos, type Counts } from '../../video/counts.ts';
import styles from './newest-photos.module.css';

/** More than the widest window shows. */
const SHOWN = 12;

/** The newest photos of an event, read again when their number changes; null while they are being read. */
export function useNewest(code: string, { photos, videos }: Counts): readonly Photo[] | null {
  const { data } = useQuery({
    queryKey: ['newest', code, photos + videos],
    queryFn: () => call('GET /api/events/:ref/photos', { params: { ref: code }, query: { per_page: SHOWN, sort: 'newest' } }),
    placeholderData: (before) => before,
  });
  return data?.photos ?? null;
}

/** A row of photos that runs out at its end, as the way into the gallery; `newest` is null while they are being read. */
export function PhotoStrip({ href, counts, newest }: { href: string; counts: Counts; newest: readonly Photo[] | null }) {
  return (
    <a href={href} className={styles.strip}>
      <span className={styles.photos} aria-hidden="true">
        {newest?.map(({ id, thumbnail_url, width, height }) => (
          <img key={id} src={thumbnail_url} alt="" style={{ aspectRatio: `${shapeOf(width / height)}` }} decoding="async" />
        ))}
      </span>
      <span className={styles.all}>
        {linkText(counts)} <ArrowRight size={20} />
      </span>
    </a>
  );
}

function linkText(counts: Counts): string {
  if (counts.videos === 0) return plural(counts.photos, 'Das erste Foto ansehen', 'Alle # Fotos ansehen');
  return counts.photos + counts.videos === 1 ? 'Das erste Video ansehen' : `${photosAndVideos(counts)} ansehen`;
}

/** Panoramas and the narrowest portraits are cropped, so that others are seen too. */
function shapeOf(ratio: number): number {
  return Math.min(1.6, Math.max(0.7, ratio));
}
