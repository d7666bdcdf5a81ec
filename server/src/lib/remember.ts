/** Adds a value to a set of at most `max`; removes the oldest if the set is full. */
export function remember(set: Set<string>, value: string, max: number): void {
  const [oldest] = set;
  if (set.size >= max && oldest !== undefined) set.delete(oldest);
  set.add(value);
}
