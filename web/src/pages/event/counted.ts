import { plural } from '../../lib/format.ts';
import type { Item } from './selection.ts';
import type { Videos } from './video/use-videos.ts';

/** `1 Foto …` or `# Fotos …`, by how many files they are; where videos are among them, these are named, too. */
export function counted(videos: Videos | null, items: readonly Item[], one: string, many: string): string {
  return videos ? videos.counted(items, one, many) : plural(items.length, one, many);
}
