/** Lets at most `slots` in at once; the others wait in order. `enter` resolves to the function that leaves again; `waiting` says how many wait. */
export function createGate(slots: number): { enter(): Promise<() => void>; waiting(): number } {
  const waiting: (() => void)[] = [];
  let free = slots;
  const leave = (): void => {
    const next = waiting.shift();
    // The place is handed on, so that nobody overtakes.
    if (next) next();
    else free += 1;
  };
  return {
    waiting: () => waiting.length,
    async enter() {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      let left = false;
      return () => {
        if (!left) leave();
        left = true;
      };
    },
  };
}
