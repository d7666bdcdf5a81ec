import type { ErrorCode } from '@feierbild/contract/errors.ts';
import { UPLOAD_ATTEMPTS, UPLOAD_PARALLEL, UPLOAD_RETRY_PAUSE } from '@feierbild/contract/constants.ts';

/** Why a file was not stored: what the server says, or that no answer came, or that this device can't read the file any more. */
export interface Failure {
  code: ErrorCode | 'no_connection' | 'unreadable';
  message: string;
}

/** How one attempt to send a file ended. */
export type Attempt<T> =
  | { kind: 'stored'; value: T }
  /** For good: another attempt would end like this one. */
  | ({ kind: 'refused' } & Failure)
  /** No answer, or one that may differ next time. */
  | ({ kind: 'failed' } & Failure);

export interface RunEvents<F, T> {
  started(file: F): void;
  stored(file: F, value: T): void;
  failed(file: F, failure: Failure): void;
}

const FINAL = new Set([400, 403, 404, 413, 415, 507]);

/** Sorts an answer by its status. */
export function isFinal(status: number): boolean {
  return FINAL.has(status);
}

/**
 * Sends files, never more than six at once: a free slot takes the next. Each gets up to four attempts with a pause between;
 * what fails for good does not stop the others.
 */
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
      else events.failed(file, end);
    }
  };
  await Promise.all(Array.from({ length: Math.min(UPLOAD_PARALLEL, files.length) }, slot));
}

async function attempts<F, T>(file: F, send: (file: F) => Promise<Attempt<T>>, pause: () => Promise<void>): Promise<Attempt<T>> {
  for (let attempt = 1; ; attempt++) {
    const end = await send(file);
    if (end.kind !== 'failed' || attempt === UPLOAD_ATTEMPTS) return end;
    await pause();
  }
}
