/**
 * What guests see of each other's photos. `drop`: nothing; `reveal`: all shown photos, from a moment on; `open`: all shown photos, as they
 * come.
 */
export const GALLERY_MODES = ['drop', 'reveal', 'open'] as const;
export type GalleryMode = (typeof GALLERY_MODES)[number];

/** Of an event, instants in ms. */
export interface GalleryTimes {
  gallery_mode: GalleryMode;
  gallery_opens_at: number | null;
  gallery_revealed_at: number | null;
}

/**
 * Whether guests see photos now. The time of a reveal alone opens nothing: the server reveals then, once it trusts its clock, and notes that
 * time; a clock that was set back behind it closes the gallery again.
 */
export function isGalleryOpen({ gallery_mode, gallery_opens_at, gallery_revealed_at }: GalleryTimes, now: number): boolean {
  if (gallery_mode !== 'reveal') return gallery_mode === 'open';
  return gallery_revealed_at !== null && (gallery_revealed_at !== gallery_opens_at || now >= gallery_opens_at);
}

/** Whether guests have to wait for the reveal. */
export const isGalleryWaiting = (times: GalleryTimes, now: number): boolean =>
  times.gallery_mode === 'reveal' && !isGalleryOpen(times, now);

/** Whether walls have to wait for it, too. */
export const isWallWaiting = (event: GalleryTimes & { gallery_wall_meanwhile: number }, now: number): boolean =>
  event.gallery_wall_meanwhile === 0 && isGalleryWaiting(event, now);

/** Whether shown photos have keys for guests: with a time for the reveal before it, without one from the reveal on. */
export function hasGalleryKeys({ gallery_mode, gallery_opens_at, gallery_revealed_at }: GalleryTimes): boolean {
  return gallery_mode === 'open' || (gallery_mode === 'reveal' && (gallery_opens_at !== null || gallery_revealed_at !== null));
}
