import type { Photo } from '@feierbild/contract/entities.ts';
import { formatInstant } from '../lib/format.ts';

/** What is there of a photo, where that is not all, or not what was shown first; null: nothing to say. */
export function stateText({ state, replaced, waiting, slideshow }: Photo): string | null {
  if (waiting && !slideshow) return 'Wartet auf Freigabe';
  if (state === 'announced') return 'Original folgt';
  if (state === 'unreadable') return 'Original unlesbar';
  return replaced ? 'Vorschau ersetzt' : null;
}

/** „Foto von Anna, 17. Mai 2026, 21:04“, or a video. */
export function photoText(photo: Photo): string {
  const kind = photo.video ? 'Video' : 'Foto';
  return `${photo.device.name ? `${kind} von ${photo.device.name}` : kind}, ${formatInstant(photo.created_at)}`;
}
