import type { Photo } from '@feierbild/contract/entities.ts';
import { formatList, plural } from '../lib/format.ts';

/** Number of photos, and number of videos, which are not counted among the photos. */
export interface Counts {
  photos: number;
  videos: number;
}

/** Formats counts: `3 Fotos`, or with videos `3 Fotos und 1 Video` or `2 Videos`. */
export function photosAndVideos(counts: Counts): string {
  return listOf(counts, plural(counts.photos, '1 Foto', '# Fotos'), plural(counts.videos, '1 Video', '# Videos'));
}

/** Formats counts in any language, from its words for the photos and for the videos. */
export function listOf(counts: Counts, photos: string, videos: string): string {
  return formatList([...(counts.photos > 0 || counts.videos === 0 ? [photos] : []), ...(counts.videos > 0 ? [videos] : [])]);
}

export function countsOf(photos: readonly Pick<Photo, 'video'>[]): Counts {
  const videos = photos.filter(({ video }) => video).length;
  return { photos: photos.length - videos, videos };
}

/** Returns the counts of an event, as its host and the administration see it. */
export function countsIn({ storage }: { storage: Record<'photos' | 'videos', { count: number }> }): Counts {
  return { photos: storage.photos.count, videos: storage.videos.count };
}

/** Returns `Fotos`, or `Fotos und Videos` if there are videos. */
export function kindsIn({ videos }: Counts): string {
  return videos > 0 ? 'Fotos und Videos' : 'Fotos';
}
