import type { Photo } from '@feierbild/contract/entities.ts';
import { formatList, plural } from '../lib/format.ts';

/** How many photos there are, and how many videos besides. */
export interface Counts {
  photos: number;
  videos: number;
}

/** `3 Fotos`; where there are videos, `3 Fotos und 1 Video` or `2 Videos`. */
export function photosAndVideos({ photos, videos }: Counts): string {
  const all = [
    ...(photos > 0 || videos === 0 ? [plural(photos, '1 Foto', '# Fotos')] : []),
    ...(videos > 0 ? [plural(videos, '1 Video', '# Videos')] : []),
  ];
  return formatList(all);
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
