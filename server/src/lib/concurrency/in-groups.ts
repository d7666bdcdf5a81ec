/** Does `work` on items, `limit` at the same time; yields each item with its result, in order. Throws the first error. */
export async function* inGroups<T, R>(items: readonly T[], limit: number, work: (item: T) => Promise<R>): AsyncGenerator<[T, R]> {
  for (let from = 0; from < items.length; from += limit) {
    const group = items.slice(from, from + limit);
    const results = await Promise.all(group.map(work));
    yield* group.map((item, n): [T, R] => [item, results[n] as R]);
  }
}
