import type { Photo } from '@feierbild/contract/entities.ts';
import { galleryTexts } from '../texts/guest/gallery.ts';

const { states, of } = galleryTexts.photo;

/** What is there of a photo, where that is not all, or not what was shown first; null: nothing to say. */
export function stateText({ state, replaced, waiting, slideshow }: Photo): string | null {
  if (waiting && !slideshow) return states.waiting;
  if (state === 'announced' || state === 'unreadable') return states[state];
  return replaced ? states.replaced : null;
}

/** „Foto von Anna, 17. Mai 2026, 21:04“, or a video. */
export function photoText({ video, device, created_at }: Photo): string {
  return of(video !== undefined, device.name, created_at);
}
