import type { Change } from '../../database/changes.ts';

/**
 * JSON for pages: `{gone, slideshow}` of the photos that went and those put into the slideshow or taken out; others may have
 * come. `null` if not all changes are known.
 */
export function digest(changes: readonly Change[] | null): string {
  if (changes === null) return 'null';
  const gone = changes.filter(({ kind }) => kind === 'gone').map(({ photo_id }) => photo_id);
  const flags = changes.filter(({ kind }) => kind === 'shown' || kind === 'hidden');
  return JSON.stringify({ gone, slideshow: Object.fromEntries(flags.map(({ kind, photo_id }) => [photo_id, kind === 'shown'])) });
}
