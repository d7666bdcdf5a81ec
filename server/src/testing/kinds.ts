/** The kinds that `npm test` runs (tools/test.mjs); undefined for a single file. */
const KINDS = process.env.TEST_KINDS?.split(',');

/** For tests: whether this run has tests of that kind, too. A file alone has all. */
export function runsKind(kind: 'process' | 'system'): boolean {
  return KINDS === undefined || KINDS.includes(kind);
}

/** All rows of a large table where the system's tests run, too; else the first of each sort. */
export function sampled<T>(rows: readonly T[], sortOf: (row: T) => string): T[] {
  return runsKind('system') ? [...rows] : [...Map.groupBy(rows, sortOf).values()].flatMap(([first]) => first as T);
}
