import type { PhotoRow } from '../../../database/rows.ts';

/** Returns the version in the names of a photo's new blobs; null for a form, whose blobs have the photo's id alone. */
export function versionOf({ state, preview_attempt, original_attempt }: PhotoRow) {
  return state === 'announced'
    ? ({ column: 'preview_attempt', value: preview_attempt } as const)
    : ({ column: 'original_attempt', value: original_attempt } as const);
}

/** Tells whether `row` came from writing `photo`: two nodes may place the same upload at once, each with its own keys and blobs. */
export function isTheSame(row: PhotoRow, photo: PhotoRow): boolean {
  const { column, value } = versionOf(photo);
  return row.id === photo.id && row[column] === value;
}
