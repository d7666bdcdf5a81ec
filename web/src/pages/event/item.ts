import type { ErrorCode } from '@feierbild/contract/errors.ts';
import { t } from '../../texts/guest/guest.ts';
import { refusalText } from '../../texts/speech.ts';

/** Why a file was not stored. */
export interface Failure {
  code: ErrorCode | 'no_connection' | 'not_ours' | 'unreadable' | 'device_silent' | 'altered';
  /** The server's sentence, in German; empty where the code says it all. */
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

/** Somebody on the way answers, or lets other things through. */
export const HELD_UP: Failure = { code: 'not_ours', message: '' };
/** This device can no longer read the file. */
export const UNREADABLE: Failure = { code: 'unreadable', message: '' };

/** Why a file failed, as a sentence in the page's language. */
export function sentenceOf({ code, message }: Failure): string {
  return (t.failed as Partial<Record<string, string>>)[code] ?? refusalText(code, message);
}

/** A file's state on the wire. One object for the item's whole life, changed in place: nothing of it is shown. */
export interface Wire {
  /** Names the upload on the server: 22 base64url characters of 128 random bits. */
  key: string;
  /** The server may have a part of it. */
  begun: boolean;
  /** How often a request stalled. */
  stalls: number;
  /** A request of it was given up although the line held: somebody keeps it, or it takes its time. */
  swallowed?: boolean;
  /** How often in a row a request with its bytes had no answer, although the server was there. */
  unanswered: number;
  /** How often the device did not give its copy. */
  silences: number;
  /** Base64 of the file's SHA-256, or null where it is not known. */
  sha256: string | null;
  /** It was sent again because other bytes than these were stored. */
  resent: boolean;
  /** The guest chose the file anew, by its name and size: whether it is the one that was begun is not known yet. */
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
  /** Null where this page was not given the file; `kept` says whether this device has its bytes. */
  file: File | null;
  /** Chosen before this page was opened, or in another tab: counted, but not shown. */
  earlier: boolean;
  /** `refused`: by the server, for good; `lost`: this device can no longer read the file. */
  state: 'waiting' | 'sending' | 'stored' | 'refused' | 'lost';
  /** Share sent, 0 to 1. */
  progress: number;
  /** Why the last attempts to send it failed. */
  failure: Failure | null;
  /** The guest pressed the button for it. */
  submitted: boolean;
  /** This device has noted the press, which outlives the page. */
  noted?: boolean;
  /** The guest ended its sending: nothing of it is kept on this device until the next press. */
  ended: boolean;
  /** This device holds a copy of its bytes, which outlives the page. */
  kept: boolean;
  wire: Wire;
  /** Object URL; undefined until it is drawn, null where it cannot be. */
  thumbnail?: string | null;
  /** Its preview is shown by the server. */
  announced: boolean;
}

/** 22 base64url characters of 128 random bits. */
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

/** Whether a file is a video, by the browser's type. */
export function isVideoFile({ type }: Pick<Item, 'type'>): boolean {
  return type.startsWith('video/');
}

export const WAITING = { state: 'waiting', progress: 0, failure: null } as const;

/** A chosen file that was not sent yet. */
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

/** Refusals of the file itself: the same file would be refused again. Others depend on the event and may be lifted. */
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

/** To be sent by the next run. */
export function isOwed(item: Item): boolean {
  return item.state === 'waiting' && item.submitted;
}

/** Chosen on an earlier page, which ended before the button was pressed. */
export function isLeft({ earlier, submitted }: Item): boolean {
  return earlier && !submitted;
}

/** Chosen on an earlier page, or kept by this one, and this device does not give its bytes any more: the next page may find its copy. */
export function isMissing({ state, earlier, kept }: Item): boolean {
  return state === 'lost' && (earlier || kept);
}

/** Never to be sent again. */
export function isHopeless({ failure }: Item): boolean {
  return failure !== null && OF_THE_FILE.includes(failure.code);
}

/** On its way, or not sent yet. */
export function isUnsent({ state }: Item): boolean {
  return state === 'waiting' || state === 'sending';
}

export function isStored({ state }: Item): boolean {
  return state === 'stored';
}

/** Would be lost with the page: neither stored nor refused, and not kept for the next one. */
export function isAtRisk(item: Item): boolean {
  return isUnsent(item) && !(item.noted && item.kept);
}
