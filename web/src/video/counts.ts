import type { Photo } from '@feierbild/contract/entities.ts';
import { formatList, plural } from '../lib/format.ts';

/** How many photos there are, and how many videos besides. */
export interface Counts {
  photos: number;
  videos: number;
}

/** `3 Fotos`; where there are videos, `3 Fotos und 1 Video` or `2 Videos`. */
export function photosAndVideos(counts: Counts): string {
  return listOf(
    counts,
    (photos) => plural(photos, '1 Foto', '# Fotos'),
    (videos) => plural(videos, '1 Video', '# Videos'),
  );
}

/** The same in any language, from how it counts photos and videos. */
export function listOf({ photos, videos }: Counts, countPhotos: (n: number) => string, countVideos: (n: number) => string): string {
  return formatList([...(photos > 0 || videos === 0 ? [countPhotos(photos)] : []), ...(videos > 0 ? [countVideos(videos)] : [])]);
}

export function countsOf(photos: readonly Pick<Photo, 'video'>[]): Counts {
  const videos = photos.filter(({ video }) => video).length;
  return { photos: photos.length - videos, videos };
}

/** Of an event, as its host and the administration see it. */
export function countsIn({ storage }: { storage: Record<'photos' | 'videos', { count: number }> }): Counts {
  return { photos: storage.photos.count, videos: storage.videos.count };
}

/** `Fotos`, or `Fotos und Videos` where there are some. */
export function kindsIn({ videos }: Counts): string {
  return videos > 0 ? 'Fotos und Videos' : 'Fotos';
}
