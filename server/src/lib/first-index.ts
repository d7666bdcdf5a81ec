/**
 * Finds by bisection the first index below `length` for which `is` holds, as it then does for all later ones; `length` if there is none.
 */
export function firstIndex(length: number, is: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (is(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
