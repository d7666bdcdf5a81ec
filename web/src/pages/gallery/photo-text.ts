import type { Photo } from '@feierbild/contract/entities.ts';
import { formatInstant } from '../../lib/format.ts';

/** „Foto von Anna, 17. Mai 2026, 21:04“ */
export function photoText(photo: Photo): string {
  return `Foto von ${photo.device.name}, ${formatInstant(photo.created_at)}`;
}
