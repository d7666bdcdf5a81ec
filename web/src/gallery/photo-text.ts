import { ANONYMOUS } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { photoTexts } from '../texts/guest/photo.ts';

/** Words for a photo that waits, lacks its original, or whose picture was replaced; null: nothing to say. */
export function stateText({ state, replaced, waiting, slideshow }: Photo): string | null {
  const { states } = photoTexts;
  if (waiting && !slideshow) return states.waiting;
  if (state === 'announced' || state === 'unreadable') return states[state];
  return replaced ? states.replaced : null;
}

/** „Foto von Anna, 17. Mai 2026, 21:04“, or a video. */
export function photoText(photo: Photo): string {
  return photoTexts.of(photo.video !== undefined, guestName(photo), photo.created_at);
}

/** The guest's name; for a guest without one, the page's word for that. */
export function guestName({ device: { name } }: Pick<Photo, 'device'>): string {
  return name === ANONYMOUS ? photoTexts.anonymous : name;
}
