/** The pause after so many attempts that each had a pause, ms: it doubles from `firstMs` up to `longestMs`. */
export function backoffMs(attempts: number, firstMs: number, longestMs: number): number {
  return Math.min(firstMs * 2 ** attempts, longestMs);
}
