import type { PhotoRow } from '../../../database/schema.ts';

/** The version in the names of a photo's new blobs; null for a form, whose blobs have the photo's id alone. */
export function versionOf({ state, preview_attempt, original_attempt }: PhotoRow) {
  return state === 'announced'
    ? ({ column: 'preview_attempt', value: preview_attempt } as const)
    : ({ column: 'original_attempt', value: original_attempt } as const);
}

/** Whether a row is the one that was to be written: two nodes may place the same upload at once, each with keys and blobs of its own. */
export function isTheSame(row: PhotoRow, photo: PhotoRow): boolean {
  const { column, value } = versionOf(photo);
  return row.id === photo.id && row[column] === value;
}
