import { isGalleryOpen, isGalleryWaiting, isWallWaiting, type GalleryTimes } from '@feierbild/contract/gallery.ts';
import type { EventRow, PhotoRow } from '../../database/rows.ts';

/** The roles in which a visitor looks at a photo, in order: the first role that sees the photo counts. */
export const VIEWERS = ['host', 'device', 'projector', 'helper', 'guest'] as const;
export type Viewer = (typeof VIEWERS)[number];

/** `closed`: hidden until the reveal. */
type Sight = 'seen' | 'hidden' | 'closed';

/** The columns of a photo and its event that decide who sees it. */
export type Seen = GalleryTimes &
  Pick<PhotoRow, 'slideshow' | 'release_state' | 'sample'> &
  Pick<EventRow, 'demo' | 'with_slideshow' | 'gallery_own_meanwhile' | 'gallery_wall_meanwhile'> & { sealed_for_gallery: unknown };

const seenIf = (seen: boolean): Sight => (seen ? 'seen' : 'hidden');
/** In the demo everybody has the host's login: it shows the samples alone, so that visitors' photos stay private. */
const inDemo = ({ demo, sample }: Seen): boolean => demo === 1 && sample === 0;

/**
 * Decides who sees a photo when: the event's host, the device that sent it, a wall, the host's helper, guests of the gallery. The photo's
 * state has no influence; `photo-states.ts` says which of its bytes are handed out.
 */
const SIGHT: Record<Viewer, (photo: Seen, now: number) => Sight> = {
  host: (photo) => seenIf(!inDemo(photo)),
  device: (photo, now) => (photo.gallery_own_meanwhile === 0 && isGalleryWaiting(photo, now) ? 'closed' : 'seen'),
  projector: (photo, now) => seenIf(photo.slideshow === 1 && photo.with_slideshow === 1 && !inDemo(photo) && !isWallWaiting(photo, now)),
  helper: (photo) => seenIf(photo.release_state > 0 && !inDemo(photo)),
  guest: (photo, now) => (isGalleryOpen(photo, now) ? seenIf(photo.slideshow === 1 && photo.sealed_for_gallery !== null) : 'closed'),
};

export const sightOf = (viewer: Viewer, photo: Seen, now: number): Sight => SIGHT[viewer](photo, now);
