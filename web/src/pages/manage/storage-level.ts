/** How full an event's storage is, by the share of its bytes that is used: below 80 % `fine`, then `filling`, from 95 % `nearly`, and `full`. */
export function storageLevel(share: number): 'fine' | 'filling' | 'nearly' | 'full' {
  if (share >= 1) return 'full';
  if (share >= 0.95) return 'nearly';
  return share >= 0.8 ? 'filling' : 'fine';
}
