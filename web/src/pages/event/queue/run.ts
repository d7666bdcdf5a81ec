import { UPLOAD_ATTEMPTS, UPLOAD_PARALLEL, UPLOAD_RETRY_PAUSE } from '@feierbild/contract/constants.ts';
import type { Attempt, Failure } from '../item.ts';

/** Number of consecutive files that did not reach the server after which a run tries no further file. */
const UNREACHED_FILES = 3;

export interface Run<F, T> {
  /** Returns the next file to send; undefined if there is none now. */
  next(): F | undefined;
  /** Makes one attempt. */
  send(file: F): Promise<Attempt<T>>;
  started(file: F): void;
  /** Called when a file is stored. The file's slot is free again when this resolves. */
  stored(file: F, value: T): Promise<void> | void;
  failed(file: F, state: 'refused' | 'lost' | 'waiting', failure: Failure): void;
}

export interface RunEnd {
  /** The time that has to pass before the next run, ms. */
  pauseMs: number;
  /** Whether files may remain that were not tried. */
  gaveUp: boolean;
}

/**
 * Sends files, at most six at once: a free slot takes the next file, which gets up to four attempts with pauses between. Ends early
 * if the server cannot be reached or asks to wait, and once `signal` is aborted.
 */
export async function runUploads<F, T>(
  run: Run<F, T>,
  signal: AbortSignal,
  pause: () => Promise<void> = () => new Promise((resolve) => setTimeout(resolve, UPLOAD_RETRY_PAUSE)),
): Promise<RunEnd> {
  let unreached = 0;
  const ended: RunEnd = { pauseMs: 0, gaveUp: false };
  const slot = async (): Promise<void> => {
    for (let file = run.next(); file !== undefined; file = ended.gaveUp ? undefined : run.next()) {
      run.started(file);
      const end = await attempts(file, run.send, signal, pause);
      if (end.kind === 'stored') await run.stored(file, end.value);
      else run.failed(file, end.kind === 'unreached' ? 'waiting' : end.kind, end);
      unreached = end.kind === 'unreached' ? unreached + 1 : 0;
      if (end.kind === 'unreached') ended.pauseMs = Math.max(ended.pauseMs, end.pauseMs ?? 0);
      ended.gaveUp ||= unreached >= UNREACHED_FILES || ended.pauseMs > 0 || signal.aborted;
    }
  };
  await Promise.all(Array.from({ length: UPLOAD_PARALLEL }, slot));
  return ended;
}

async function attempts<F, T>(
  file: F,
  send: (file: F) => Promise<Attempt<T>>,
  signal: AbortSignal,
  pause: () => Promise<void>,
): Promise<Attempt<T>> {
  for (let attempt = 1; ; attempt++) {
    // A send that throws must not leave its file, and with it the page, in the middle of a run.
    const end = await send(file).catch((error: unknown): Attempt<T> => ({ kind: 'unreached', code: 'internal', message: String(error) }));
    if (end.kind !== 'unreached' || end.pauseMs !== undefined || attempt === UPLOAD_ATTEMPTS || signal.aborted) return end;
    await pause();
  }
}
