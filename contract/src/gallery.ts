/**
 * Ways in which guests see each other's photos. `drop`: not at all; `reveal`: all shown photos, from a moment on; `open`: all shown photos,
 * as they come.
 */
export const GALLERY_MODES = ['drop', 'reveal', 'open'] as const;
export type GalleryMode = (typeof GALLERY_MODES)[number];

/** An event's gallery mode and times, ms since 1970. */
export interface GalleryTimes {
  gallery_mode: GalleryMode;
  gallery_opens_at: number | null;
  gallery_revealed_at: number | null;
}

/**
 * Tells whether guests see photos now. A due reveal time alone opens nothing: once the server trusts its clock, it reveals and stores that
 * time. If the clock is set back behind it, the gallery closes again.
 */
export function isGalleryOpen({ gallery_mode, gallery_opens_at, gallery_revealed_at }: GalleryTimes, now: number): boolean {
  if (gallery_mode !== 'reveal') return gallery_mode === 'open';
  return gallery_revealed_at !== null && (gallery_revealed_at !== gallery_opens_at || now >= gallery_opens_at);
}

/** Tells whether guests have to wait for the reveal. */
export const isGalleryWaiting = (times: GalleryTimes, now: number): boolean =>
  times.gallery_mode === 'reveal' && !isGalleryOpen(times, now);

/** Tells whether walls have to wait for the reveal, too. */
export const isWallWaiting = (event: GalleryTimes & { gallery_wall_meanwhile: number }, now: number): boolean =>
  event.gallery_wall_meanwhile === 0 && isGalleryWaiting(event, now);

/** Tells whether shown photos have keys for guests: before the reveal if it has a time, else from the reveal on. */
export function hasGalleryKeys({ gallery_mode, gallery_opens_at, gallery_revealed_at }: GalleryTimes): boolean {
  return gallery_mode === 'open' || (gallery_mode === 'reveal' && (gallery_opens_at !== null || gallery_revealed_at !== null));
}
