import { within } from '../../../lib/time-limit.ts';

/** Previews on their way at a time. */
const AT_ONCE = 2;
/** Previews that are drawn and not sent, some 150 KB each: further ones are drawn as the line takes them. */
const AHEAD = 12;
/** How long those of a run may wait for drawings with nothing to send, in all, ms: a slow phone's line must not stand idle. */
const IDLE_MS = 5_000;
/** How long previews that do not arrive may hold originals up, in all of a run, ms. */
const HELD_MS = 10_000;

export interface PreviewRun {
  tried: Set<string>;
  idleMs: number;
  heldMs: number;
}

/**
 * The previews of chosen photos, which go ahead of everything else. `send`: whether one need not be sent again. `left` hears that there is
 * one less.
 */
export function createPreviewLane(send: (id: string, picture: Blob, signal: AbortSignal) => Promise<boolean>, left: () => void) {
  /** Undefined until it is drawn. */
  const pictures = new Map<string, Blob | undefined>();
  const waking = new Set<() => void>();
  let clearing: Promise<unknown> | null = null;

  function drop(id: string): void {
    if (pictures.delete(id)) left();
  }

  /** Whether it need not be sent again. The time of one that comes to nothing counts. */
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
    /** A preview of this one comes: it is waited for. */
    expect: (id: string): void => void pictures.set(id, undefined),
    /** Whether what is drawn waits for the line. */
    isFull: (): boolean => [...pictures.values()].reduce<number>((drawn, picture) => drawn + (picture ? 1 : 0), 0) >= AHEAD,
    /** It has come; null: it will not. */
    drawn(id: string, picture: Blob | null): void {
      if (picture && pictures.has(id)) pictures.set(id, picture);
      else drop(id);
      for (const wake of waking) wake();
      waking.clear();
    },
    /** Forgets those of other items. */
    keep(ids: ReadonlySet<string>): void {
      for (const id of pictures.keys()) if (!ids.has(id)) drop(id);
    },
    /** Resolves when the previews of `owed` are sent, the first of them first. `run` is the same for a whole run: it tries none twice. */
    clear: (owed: () => readonly string[], run: PreviewRun, signal: AbortSignal): Promise<unknown> =>
      (clearing ??= Promise.all(Array.from({ length: AT_ONCE }, () => slot(owed, run, signal))).finally(() => (clearing = null))),
  };
}
