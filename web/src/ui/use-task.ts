import { useCallback, useRef, useState } from 'react';
import { messageOf } from '../api/client.ts';

/** Something that a person starts, and that may fail. */
export function useTask() {
  const running = useRef(false);
  const [{ busy, error }, set] = useState<{ busy: boolean; error: unknown }>({ busy: false, error: null });

  /** Starts it, where it does not run already. What `work` throws becomes `error`. */
  const run = useCallback(async (work: () => Promise<unknown>): Promise<void> => {
    if (running.current) return;
    running.current = true;
    set({ busy: true, error: null });
    const failed = await work().then(
      () => null,
      (caught: unknown) => caught,
    );
    running.current = false;
    set({ busy: false, error: failed });
  }, []);
  /** Takes `error` back. */
  const forget = useCallback(() => set((before) => ({ ...before, error: null })), []);
  /** `failure` is `error` as a German sentence, or empty. */
  return { busy, error, failure: error === null ? '' : messageOf(error), run, forget };
}
