/** How full an event's storage is: `fine` below 80 %, then `filling`, from 95 % `nearly`, and `full`. */
export type StorageLevel = 'fine' | 'filling' | 'nearly' | 'full';

/** `share` is used bytes by allowed bytes. */
export function storageLevel(share: number): StorageLevel {
  if (share >= 1) return 'full';
  if (share >= 0.95) return 'nearly';
  return share >= 0.8 ? 'filling' : 'fine';
}
