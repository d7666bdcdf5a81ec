import { plural } from '../../../lib/format.ts';
import { photosAndVideos } from '../../../video/counts.ts';
import { isVideoFile, type Item } from '../selection.ts';
import type { Failure } from '../upload-run.ts';

/** `one` or `many`, by how many files they are: what they say of photos is said of photos and videos. */
export function counted(items: readonly Item[], one: string, many: string): string {
  const videos = items.filter(isVideoFile).length;
  const names = photosAndVideos({ photos: items.length - videos, videos });
  return plural(items.length, one.replace('1 Foto', names), many.replace('# Fotos', names));
}

/** What to do about a failure that photos do not have. */
export function adviceOn(code: Failure['code']): string | undefined {
  return code === 'video_unreadable' ? 'Möglich sind MP4, MOV und WebM, wie Handys sie aufnehmen.' : undefined;
}
