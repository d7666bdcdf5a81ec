import type { Photo } from '@feierbild/contract/entities.ts';
import { formatInstant } from '../../lib/format.ts';

/** „Foto von Anna, 17. Mai 2026, 21:04“, or a video. */
export function photoText(photo: Photo): string {
  return `${photo.video ? 'Video' : 'Foto'} von ${photo.device.name}, ${formatInstant(photo.created_at)}`;
}
