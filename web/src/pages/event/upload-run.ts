import type { ErrorCode } from '@feierbild/contract/errors.ts';
import { UPLOAD_ATTEMPTS, UPLOAD_PARALLEL, UPLOAD_RETRY_PAUSE } from '@feierbild/contract/constants.ts';

/** After so many files in a row that did not reach the server, a run tries no further file. */
const UNREACHED_FILES = 3;

/** Why a file was not stored: an error code of the server, no answer, a file that this device can no longer read, or other bytes on the server. */
export interface Failure {
  code: ErrorCode | 'no_connection' | 'unreadable' | 'altered';
  message: string;
  /** The end of the request's id, by which the server's log names it. */
  requestId?: string;
}

/** How one attempt to send a file ended. */
export type Attempt<T> =
  | { kind: 'stored'; value: T }
  /** Another attempt would end the same: refused by the server, or unreadable on this device. */
  | ({ kind: 'refused' | 'lost' } & Failure)
  /** No answer, or one that may differ next time. `pauseMs`: no further attempt in this run, and the next run after this time at the earliest. */
  | ({ kind: 'unreached'; pauseMs?: number } & Failure);

export interface RunEvents<F, T> {
  started(file: F): void;
  stored(file: F, value: T): void;
  failed(file: F, state: 'refused' | 'lost' | 'waiting', failure: Failure): void;
}

/**
 * Sends files, at most six at once: a free slot takes the next. Each gets up to four attempts with a pause between. Ends early
 * where the server cannot be reached or asks to wait, and once `signal` is aborted. Returns the time that has to pass before the
 * next run, ms.
 */
export async function runUploads<F, T>(
  files: readonly F[],
  send: (file: F) => Promise<Attempt<T>>,
  events: RunEvents<F, T>,
  signal: AbortSignal = new AbortController().signal,
  pause: () => Promise<void> = () => new Promise((resolve) => setTimeout(resolve, UPLOAD_RETRY_PAUSE)),
): Promise<number> {
  const queue = [...files];
  let unreached = 0;
  let pauseMs = 0;
  const slot = async (): Promise<void> => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      events.started(file);
      const end = await attempts(file, send, signal, pause);
      if (end.kind === 'stored') events.stored(file, end.value);
      else events.failed(file, end.kind === 'unreached' ? 'waiting' : end.kind, failureOf(end));
      unreached = end.kind === 'unreached' ? unreached + 1 : 0;
      if (end.kind === 'unreached') pauseMs = Math.max(pauseMs, end.pauseMs ?? 0);
      if (unreached >= UNREACHED_FILES || pauseMs > 0 || signal.aborted) queue.length = 0;
    }
  };
  await Promise.all(Array.from({ length: Math.min(UPLOAD_PARALLEL, files.length) }, slot));
  return pauseMs;
}

function failureOf({ code, message, requestId }: Failure): Failure {
  return { code, message, ...(requestId && { requestId }) };
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
