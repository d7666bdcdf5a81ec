/** Rates an event's storage by the used share of its bytes: below 80 % `fine`, then `filling`, from 95 % `nearly`, then `full`. */
export function storageLevel(share: number): 'fine' | 'filling' | 'nearly' | 'full' {
  if (share >= 1) return 'full';
  if (share >= 0.95) return 'nearly';
  return share >= 0.8 ? 'filling' : 'fine';
}
