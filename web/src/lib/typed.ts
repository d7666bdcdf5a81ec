/** Parts of the page that hold what was typed and is nowhere else, with what they say where the session has ended. */
const guards = new Set<{ ended: string }>();

/** Says that there is something typed, until the returned function is called. */
export function guardTyped(ended: string): () => void {
  const guard = { ended };
  guards.add(guard);
  return () => void guards.delete(guard);
}

/** Whether something was typed that would be lost with the page. */
export const holdsTyped = (): boolean => guards.size > 0;

/** What to say where the session has ended and something is typed. */
export const endedTyping = (): string | undefined => [...guards][0]?.ended;
