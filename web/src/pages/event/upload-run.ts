import type { ErrorCode } from '@feierbild/contract/errors.ts';
import { UPLOAD_ATTEMPTS, UPLOAD_PARALLEL, UPLOAD_RETRY_PAUSE } from '@feierbild/contract/constants.ts';

/** Why a file was not stored: an error code of the server, no answer, or a file that this device can no longer read. */
export interface Failure {
  code: ErrorCode | 'no_connection' | 'unreadable';
  message: string;
}

/** How one attempt to send a file ended. */
export type Attempt<T> =
  | { kind: 'stored'; value: T }
  /** Another attempt would end the same: refused by the server, or unreadable on this device. */
  | ({ kind: 'refused' | 'lost' } & Failure)
  /** No answer, or one that may differ next time. */
  | ({ kind: 'unreached' } & Failure);

export interface RunEvents<F, T> {
  started(file: F): void;
  stored(file: F, value: T): void;
  failed(file: F, state: 'refused' | 'lost' | 'waiting', failure: Failure): void;
}

const FINAL = new Set([400, 403, 404, 413, 415, 507]);

/** Whether a repeat of the request would get this status again. */
export function isFinal(status: number): boolean {
  return FINAL.has(status);
}

/** Sends files, at most six at once: a free slot takes the next. Each gets up to four attempts with a pause between. */
export async function runUploads<F, T>(
  files: readonly F[],
  send: (file: F) => Promise<Attempt<T>>,
  events: RunEvents<F, T>,
  pause: () => Promise<void> = () => new Promise((resolve) => setTimeout(resolve, UPLOAD_RETRY_PAUSE)),
): Promise<void> {
  let next = 0;
  const slot = async (): Promise<void> => {
    for (let n = next++; n < files.length; n = next++) {
      const file = files[n] as F;
      events.started(file);
      const end = await attempts(file, send, pause);
      if (end.kind === 'stored') events.stored(file, end.value);
      else events.failed(file, end.kind === 'unreached' ? 'waiting' : end.kind, end);
    }
  };
  await Promise.all(Array.from({ length: Math.min(UPLOAD_PARALLEL, files.length) }, slot));
}

async function attempts<F, T>(file: F, send: (file: F) => Promise<Attempt<T>>, pause: () => Promise<void>): Promise<Attempt<T>> {
  for (let attempt = 1; ; attempt++) {
    const end = await send(file);
    if (end.kind !== 'unreached' || attempt === UPLOAD_ATTEMPTS) return end;
    await pause();
  }
}
