import type { ErrorCode } from '@feierbild/contract/errors.ts';
import { t } from '../../texts/guest/guest.ts';
import { refusalText } from '../../texts/speech.ts';

/** The reason why a file was not stored. */
export interface Failure {
  code: ErrorCode | 'no_connection' | 'not_ours' | 'unreadable' | 'device_silent' | 'altered';
  /** The server's sentence, in German; empty if the code suffices. */
  message: string;
  /** The end of the request's id, by which the server's log names it. */
  requestId?: string;
}

/** The end of one attempt to send a file. */
export type Attempt<T> =
  | { kind: 'stored'; value: T }
  /** The server refuses the file, or this device cannot read it; another attempt would end the same. */
  | ({ kind: 'refused' | 'lost' } & Failure)
  /** No answer, or one that may differ next time. `pauseMs`: this run makes no further attempt, and the next run waits at least so long. */
  | ({ kind: 'unreached'; pauseMs?: number } & Failure);

/** A proxy or firewall answers in the server's place, or lets only other requests through. */
export const HELD_UP: Failure = { code: 'not_ours', message: '' };
/** This device can no longer read the file. */
export const UNREADABLE: Failure = { code: 'unreadable', message: '' };

/** Returns the reason of a failure as a sentence in the page's language. */
export function sentenceOf({ code, message }: Failure): string {
  return (t.failed as Partial<Record<string, string>>)[code] ?? refusalText(code, message);
}

/** A file's state on the wire. One object for the item's whole life; it is changed in place, because nothing of it is shown. */
export interface Wire {
  /** Names the upload on the server: 22 base64url characters of 128 random bits. */
  key: string;
  /** Whether the server may have a part of the file. */
  begun: boolean;
  /** Number of requests that stalled. */
  stalls: number;
  /** Whether a request was given up although the line held: a proxy may hold it, or it is slow. */
  swallowed?: boolean;
  /** Number of consecutive requests with the file's bytes that had no answer, although the server was reachable. */
  unanswered: number;
  /** Number of times that the device did not give its copy. */
  silences: number;
  /** Base64 of the file's SHA-256, of a very large file's ends; null if it is unknown. */
  sha256: string | null;
  /** Whether the file was sent again because the server had stored other bytes. */
  resent: boolean;
  /** Whether the guest chose a file of the same name and size again, which may differ from the one whose upload had begun. */
  chosenAgain: boolean;
}

export interface Item {
  /** Unique in this browser. */
  id: string;
  name: string;
  type: string;
  /** Bytes. */
  size: number;
  /** The file's own time, ms since 1970. */
  modified: number;
  /** The file; null if this page does not have it. `kept` says whether this device has its bytes. */
  file: File | null;
  /** Whether the file was chosen before this page was opened, or in another tab; it is counted, but not shown. */
  earlier: boolean;
  /** `refused`: the server refused the file for good; `lost`: this device can no longer read it. */
  state: 'waiting' | 'sending' | 'stored' | 'refused' | 'lost';
  /** Share sent, 0 to 1. */
  progress: number;
  /** The reason why the last attempts to send the file failed. */
  failure: Failure | null;
  /** Whether the guest pressed the button for this file. */
  submitted: boolean;
  /** Whether this device has noted the press, so that it outlives the page. */
  noted?: boolean;
  /** Whether the guest ended its sending, so that the device keeps nothing of it until the next press. */
  ended: boolean;
  /** Whether this device has a copy of the bytes, which outlives the page. */
  kept: boolean;
  wire: Wire;
  /** Object URL; undefined until it is drawn, null if it cannot be drawn. */
  thumbnail?: string | null;
  /** Whether the server shows its preview. */
  announced: boolean;
}

/** Makes a key: 22 base64url characters of 128 random bits. */
export function newKey(): string {
  const bytes = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16)));
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').slice(0, 22);
}

export function newWire(): Wire {
  return { key: newKey(), begun: false, stalls: 0, unanswered: 0, silences: 0, sha256: null, resent: false, chosenAgain: false };
}

export function isHeic(file: { name: string; type: string }): boolean {
  return file.type === 'image/heic' || file.name.toLowerCase().endsWith('.heic');
}

/** Tells whether a file is a video, by the browser's type. */
export function isVideoFile({ type }: Pick<Item, 'type'>): boolean {
  return type.startsWith('video/');
}

export const WAITING = { state: 'waiting', progress: 0, failure: null } as const;

/** Makes the item of a newly chosen file. */
export function createItem(file: File, id = newKey()): Item {
  const { name, type, size, lastModified: modified } = file;
  return {
    id,
    name,
    type,
    size,
    modified,
    file,
    earlier: false,
    submitted: false,
    ended: false,
    kept: false,
    announced: false,
    wire: newWire(),
    ...WAITING,
  };
}

/** Refusals of the file itself, which would be refused again. Other refusals depend on the event and may be lifted. */
const OF_THE_FILE: readonly Failure['code'][] = [
  'too_large',
  'not_a_photo',
  'too_many_pixels',
  'video_refused',
  'video_unreadable',
  'unreadable',
  'altered',
  'photo_removed',
];

/** Tells whether the next run has to send an item. */
export function isOwed(item: Item): boolean {
  return item.state === 'waiting' && item.submitted;
}

/** Tells whether an item was chosen on an earlier page, which ended before the button was pressed. It may exist nowhere else. */
export function isLeft({ earlier, submitted }: Item): boolean {
  return earlier && !submitted;
}

/** Tells whether the device does not give the bytes of an earlier or kept item any more; the next page may find its copy. */
export function isMissing({ state, earlier, kept }: Item): boolean {
  return state === 'lost' && (earlier || kept);
}

/** Tells whether an item must never be sent again. */
export function isHopeless({ failure }: Item): boolean {
  return failure !== null && OF_THE_FILE.includes(failure.code);
}

/** Tells whether an item is being sent, or was not sent yet. */
export function isUnsent({ state }: Item): boolean {
  return state === 'waiting' || state === 'sending';
}

export function isStored({ state }: Item): boolean {
  return state === 'stored';
}

/** Tells whether an item would be lost with the page: neither stored nor refused, nor kept for the next page. */
export function isAtRisk(item: Item): boolean {
  return isUnsent(item) && !(item.noted && item.kept);
}
