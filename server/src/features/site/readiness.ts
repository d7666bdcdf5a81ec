/** What was found is true for so long, ms: the check writes to the photo store, and anybody may ask. */
const KEPT = 3000;

/** Answers what `check` finds, asking it once for all who ask at about the same time. */
export function createReadiness(check: () => Promise<void>, kept = KEPT): () => Promise<void> {
  let found: Promise<void> | undefined;
  return () => {
    if (!found) {
      found = check();
      const forget = (): void => void setTimeout(() => (found = undefined), kept).unref();
      found.then(forget, forget);
    }
    return found;
  };
}
