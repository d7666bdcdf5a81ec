/** Parts of the page that hold what was typed and is nowhere else. */
const guards = new Set<object>();

/** Says that there is something typed, until the returned function is called. */
export function guardTyped(): () => void {
  const guard = {};
  guards.add(guard);
  return () => void guards.delete(guard);
}

/** Whether something was typed that would be lost with the page. */
export const holdsTyped = (): boolean => guards.size > 0;
