import type { ErrorCode } from '@feierbild/contract/errors.ts';
import { t } from '../../texts/guest/guest.ts';

/**
 * Why a file was not stored: an error code of the server, no answer, a file that this device can no longer read, or does not give for now,
 * or other bytes on the server.
 */
export interface Failure {
  code: ErrorCode | 'no_connection' | 'unreadable' | 'device_silent' | 'altered';
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

/** This device can no longer read the file. */
export const UNREADABLE: Failure = { code: 'unreadable', message: t.failed.unreadable };
