import { setImmediate } from 'node:timers/promises';

/** Lets others have their turn within long work: awaited often, it yields to the event loop once `milliseconds` were used up. */
export function createSlices(milliseconds: number): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < milliseconds) return undefined;
    return setImmediate().then(() => {
      since = performance.now();
    });
  };
}
