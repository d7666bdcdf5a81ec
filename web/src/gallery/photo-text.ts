import { ANONYMOUS } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { photoTexts } from '../texts/guest/photo.ts';

/** Returns the words for a photo that waits, lacks its original, or has a replaced picture; null if none of these holds. */
export function stateText({ state, replaced, waiting, slideshow }: Photo): string | null {
  const { states } = photoTexts;
  if (waiting && !slideshow) return states.waiting;
  if (state === 'announced' || state === 'unreadable') return states[state];
  return replaced ? states.replaced : null;
}

/** Describes a photo or video: „Foto von Anna, 17. Mai 2026, 21:04“. */
export function photoText(photo: Photo): string {
  return photoTexts.of(photo.video !== undefined, guestName(photo), photo.created_at);
}

/** Letters of alphabets that are written from right to left. */
const FROM_RIGHT = /[\u0590-\u08ff]/;

/**
 * Returns the guest's name, or the page's word for a guest without one. A right-to-left name is isolated (as by <bdi>), because it would
 * move the numbers beside it to its other side.
 */
export function guestName({ device: { name } }: Pick<Photo, 'device'>): string {
  if (name === ANONYMOUS) return photoTexts.anonymous;
  return FROM_RIGHT.test(name) ? `\u2068${name}\u2069` : name;
}
