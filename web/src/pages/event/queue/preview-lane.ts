import { within } from '../../../lib/time-limit.ts';

/** Number of previews in flight at a time. */
const AT_ONCE = 2;
/** Number of drawn, unsent previews, some 150 KB each, at which drawing waits for the line. */
const AHEAD = 12;
/** Time in all that a run may wait for drawings with nothing to send: a slow phone's line must not stand idle. */
const IDLE_MS = 5_000;
/** Time in all that failing previews may delay the originals of a run. */
const HELD_MS = 10_000;

export interface PreviewRun {
  tried: Set<string>;
  idleMs: number;
  heldMs: number;
}

/**
 * Sends the previews of chosen photos, which go ahead of everything else. `send` resolves with true if a preview need not be sent again.
 * `left` is called when one less remains.
 */
export function createPreviewLane(send: (id: string, picture: Blob, signal: AbortSignal) => Promise<boolean>, left: () => void) {
  /** Pictures by item id; undefined until drawn. */
  const pictures = new Map<string, Blob | undefined>();
  const waking = new Set<() => void>();
  let clearing: Promise<unknown> | null = null;

  function drop(id: string): void {
    if (pictures.delete(id)) left();
  }

  /** Sends a preview; returns whether it need not be sent again. The time of a failed one counts. */
  async function sent(id: string, run: PreviewRun, signal: AbortSignal): Promise<boolean> {
    const since = performance.now();
    const ending = new AbortController();
    const isDone = await within(HELD_MS - run.heldMs, send(id, pictures.get(id) as Blob, ending.signal), false, signal);
    ending.abort();
    if (!isDone) run.heldMs += performance.now() - since;
    return isDone;
  }

  async function slot(owed: () => readonly string[], run: PreviewRun, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && run.heldMs < HELD_MS) {
      const waiting = owed().filter((id) => pictures.has(id) && !run.tried.has(id));
      const id = waiting.find((one) => pictures.get(one));
      if (id !== undefined) {
        run.tried.add(id);
        if (await sent(id, run, signal)) drop(id);
      } else if (waiting.length === 0 || run.idleMs >= IDLE_MS) return;
      else {
        const since = performance.now();
        await within(IDLE_MS - run.idleMs, new Promise<void>((resolve) => waking.add(resolve)), undefined, signal);
        run.idleMs += performance.now() - since;
      }
    }
  }

  return {
    /** Makes runs wait for this item's preview, which is being drawn. */
    expect: (id: string): void => void pictures.set(id, undefined),
    /** Tells whether enough drawn previews wait for the line. */
    isFull: (): boolean => [...pictures.values()].reduce<number>((drawn, picture) => drawn + (picture ? 1 : 0), 0) >= AHEAD,
    /** Takes a drawn preview; null if there will be none. */
    drawn(id: string, picture: Blob | null): void {
      if (picture && pictures.has(id)) pictures.set(id, picture);
      else drop(id);
      for (const wake of waking) wake();
      waking.clear();
    },
    /** Forgets the previews of other items. */
    keep(ids: ReadonlySet<string>): void {
      for (const id of pictures.keys()) if (!ids.has(id)) drop(id);
    },
    /** Sends the previews of `owed` in this order. `run` is the same object for a whole run, so that no preview is tried twice. */
    clear: (owed: () => readonly string[], run: PreviewRun, signal: AbortSignal): Promise<unknown> =>
      (clearing ??= Promise.all(Array.from({ length: AT_ONCE }, () => slot(owed, run, signal))).finally(() => (clearing = null))),
  };
}
