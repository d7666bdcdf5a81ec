/** Does work on every item, a few at once; answers the items that failed with what they threw. */
export async function inParallel<T>(items: readonly T[], limit: number, work: (item: T) => Promise<void>): Promise<Map<T, unknown>> {
  const failed = new Map<T, unknown>();
  const rest = items.values();
  async function next(): Promise<void> {
    // All share one iterator: each item is taken once.
    for (const item of rest) await work(item).catch((error: unknown) => failed.set(item, error));
  }
  await Promise.all(Array.from({ length: limit }, next));
  return failed;
}
