import type { Change, ChangeKind } from '../../database/changes.ts';

/**
 * JSON for pages: `{gone, slideshow, posters}` of the photos that went, those put into the slideshow or taken out, and the videos
 * that got their poster; others may have come. `null` if not all changes are known.
 */
export function digest(changes: readonly Change[] | null): string {
  if (changes === null) return 'null';
  const idsOf = (wanted: ChangeKind) => changes.filter(({ kind }) => kind === wanted).map(({ photo_id }) => photo_id);
  const flags = changes.filter(({ kind }) => kind === 'shown' || kind === 'hidden');
  const slideshow = Object.fromEntries(flags.map(({ kind, photo_id }) => [photo_id, kind === 'shown']));
  return JSON.stringify({ gone: idsOf('gone'), slideshow, posters: idsOf('poster') });
}
