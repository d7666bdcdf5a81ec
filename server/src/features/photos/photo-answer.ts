import { PREVIEW_SIZE } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import type { PhotoRow } from '../../database/rows.ts';
import { iso } from '../../lib/clock.ts';
import type { PhotoDescription } from '../../vault/vault.ts';
import type { ShownPhoto } from './photos.store.ts';

/** Tells whether the preview was drawn by the phone or made with the upload, and the stored original would give a larger one. */
export const isSmall = ({ drawn_by, state }: Pick<PhotoRow, 'drawn_by' | 'state'>): boolean =>
  (drawn_by === 'phone' || drawn_by === 'upload') && state === 'stored';

/** Tells whether the original, which is known to be the same picture, has more pixels than the preview. */
export const isLarge = ({ state, codecs, width, height }: Pick<PhotoRow, 'state' | 'codecs' | 'width' | 'height'>): boolean =>
  state === 'stored' && codecs === null && Math.max(width, height) > PREVIEW_SIZE;

/** Suffix of a small preview's address: pages on wide screens then ask for a larger one. */
const SMALL: Partial<Record<PhotoRow['drawn_by'], string>> = { phone: '?drawn', upload: '?small' };

/** Makes a photo's answer as the contract shows it. */
export function photoAnswer(row: Omit<ShownPhoto, 'sealed_guest_key'>, { deviceName, filename, takenAt }: PhotoDescription): Photo {
  const path = `/api/photos/${row.id}`;
  // Until the replacement is settled, the old picture is shown.
  const replaced = row.drawn_by === 'replaced' && row.state === 'stored';
  // A real poster, or a replaced picture, has another address than the picture that a page may still show.
  const poster = replaced ? '?replaced' : row.codecs !== null && row.preview_type !== null ? '?poster' : '';
  return {
    id: row.id,
    thumbnail_url: `${path}/thumbnail${poster}`,
    preview_url: `${path}/preview${isSmall(row) ? SMALL[row.drawn_by] : poster}`,
    original_url: `${path}/download`,
    width: row.width,
    height: row.height,
    created_at: iso(row.created_at),
    taken_at: takenAt,
    filename,
    size: row.size,
    slideshow: row.slideshow === 1,
    state: row.state,
    ...(replaced && { replaced }),
    device: { name: deviceName },
    ...(row.codecs !== null && {
      video: { url: `${path}/video`, type: row.type, codecs: row.codecs, duration_ms: row.duration_ms },
    }),
  };
}
