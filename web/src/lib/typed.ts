/** Parts of the page that hold unsaved text, each with its message for an ended session. */
const guards = new Set<{ ended: string }>();

/** Registers unsaved text, until the returned function is called. */
export function guardTyped(ended: string): () => void {
  const guard = { ended };
  guards.add(guard);
  return () => void guards.delete(guard);
}

/** Tells whether the page holds unsaved text. */
export const holdsTyped = (): boolean => guards.size > 0;

/** Returns the message for a session that ended while text is unsaved; undefined if none is. */
export const endedTyping = (): string | undefined => [...guards][0]?.ended;
