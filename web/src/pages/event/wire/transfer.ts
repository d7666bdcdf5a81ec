import type { Photo } from '@feierbild/contract/entities.ts';
import type { ErrorBody } from '@feierbild/contract/errors.ts';
import { ID_SHOWN } from '../../../api/client.ts';
import { backoffMs } from '../../../lib/backoff.ts';
import { within } from '../../../lib/time-limit.ts';
import { HELD_UP, UNREADABLE, type Attempt, type Failure, type Wire } from '../item.ts';
import type { Line } from './line.ts';
import { shrink, TEMPORARY, type Way } from './way.ts';

export interface Sender {
  code: string;
  deviceId: string;
  deviceName: string;
  /** The password in the page's address, or empty. */
  password: string;
}

/** The server's confirmation that a photo is durable. */
export interface Receipt {
  photo: Photo;
  /** Base64 of the stored bytes' SHA-256; null if the server does not say it. */
  sha256: string | null;
}

/** One attempt to send something. */
export interface Sending {
  sender: Sender;
  wire: Wire;
  line: Line;
  /** Shared by all transfers of a run. */
  run: Way;
  /** Receives the share that has left this device, 0 to 1. */
  progress(share: number): void;
  signal: AbortSignal;
}

export interface Transfer {
  method: 'POST' | 'PUT' | 'HEAD' | 'PATCH';
  path: string;
  headers: Record<string, string>;
  body?: FormData | Blob | string;
  /** Number of bytes of a file in the body. */
  bytes?: number;
  /** Receives the number of bytes of the body that have left this device. */
  sent?(bytes: number): void;
}

/** Time without a byte after which the server is asked, over another connection, whether it is reachable. */
const SILENT_MS = 5_000;
/** Silences granted to a request whose bytes have all left, because the server may be slow; doubled each time that it was given up. */
const SILENCES_OUT = 2;
/** Time without a byte after which a request is given up in any case. It doubles with each such end for this file, up to the longest. */
const STALL_MS = 30_000;
const LONGEST_STALL_MS = 240_000;
/** Silence after which a file that was given up before counts as held up by a proxy. */
const HELD_MS = 20_000;
/** Limit for reading a file's first byte; a slower file is being loaded from a cloud. */
const READ_MS = 10_000;
/** Longest pause that is obeyed: our server asks for seconds, so a longer one is a mistake, or a proxy's. */
const LONGEST_PAUSE_MS = 5 * 60_000;

export const unreached = { kind: 'unreached', code: 'no_connection', message: '' } as const;
const foreign: Attempt<never> = { kind: 'unreached', ...HELD_UP };
export const unreadable: Attempt<never> = { kind: 'lost', ...UNREADABLE };

/** Returns the headers of each request about an upload. */
export function headersOf({ deviceId, password }: Pick<Sender, 'deviceId' | 'password'>): Record<string, string> {
  return { accept: 'application/json', 'device-id': deviceId, ...(password && { 'event-password': encodeURIComponent(password) }) };
}

/**
 * Makes one request as soon as the server is not in doubt. Resolves with it when it is answered, with null if it is not. When no byte comes
 * for a while, the server is asked over another connection; if the line was lost meanwhile, the request is dead, and is given up.
 * (fetch reports no upload progress, hence XMLHttpRequest.)
 */
export async function transfer(
  { wire, line, run, signal }: Sending,
  { method, path, headers, body, bytes = 0, sent }: Transfer,
): Promise<XMLHttpRequest | null> {
  await line.there(signal);
  if (signal.aborted) return null;
  const request = new XMLHttpRequest();
  const asPost = run.asPost && method !== 'POST';
  request.open(asPost ? 'POST' : method, path);
  request.responseType = 'json';
  if (asPost) request.setRequestHeader('x-http-method-override', method);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  const ended = line.use();
  return new Promise((resolve) => {
    let silent = 0;
    let stalled = 0;
    let silences = 0;
    let trust = (): void => undefined;
    const giveUp = (): void => {
      wire.stalls++;
      request.abort();
    };
    /** Whether all bytes have left. A busy server then gets more time at each attempt, so that the same photo is not sent over and over. */
    let isOut = body === undefined;
    const doubt = (surelyDead: boolean): void => {
      clearTimeout(silent);
      trust();
      const quietMs = line.quietMs();
      if (!surelyDead && quietMs < SILENT_MS) {
        silent = window.setTimeout(doubt, SILENT_MS - quietMs, false);
        return;
      }
      silences++;
      const isLong = silences >= (isOut ? SILENCES_OUT * 2 ** wire.stalls : 1);
      if (line.isCrowded() && !surelyDead && (!isLong || !line.mayTry())) {
        // All connections are in use, so the question would wait for one of them and seem lost.
        silent = window.setTimeout(doubt, SILENT_MS, false);
        return;
      }
      trust = line.doubt((wasLost) => {
        const isDead = wasLost || surelyDead;
        // If the server is reachable and the line always held, another connection is tried once.
        if (isDead || (isLong && wire.stalls === 0 && line.mayTry())) {
          wire.swallowed ||= !isDead;
          giveUp();
        } else {
          if (wire.stalls > 0 && silences * SILENT_MS >= HELD_MS) line.held();
          silent = window.setTimeout(doubt, SILENT_MS, false);
        }
      });
      if (line.isCrowded()) giveUp();
    };
    const watch = (): void => {
      clearTimeout(silent);
      clearTimeout(stalled);
      silences = 0;
      silent = window.setTimeout(doubt, SILENT_MS, false);
      stalled = window.setTimeout(giveUp, backoffMs(isOut ? wire.stalls : 0, STALL_MS, LONGEST_STALL_MS));
    };
    const hear = (): void => {
      line.hear();
      trust();
      watch();
    };
    const over = new AbortController();
    // Earlier connections are mostly dead.
    window.addEventListener('online', () => doubt(true), { signal: over.signal });
    signal.addEventListener('abort', () => request.abort(), { signal: over.signal });
    request.upload.onprogress = ({ loaded }) => {
      hear();
      if (loaded > 0) sent?.(loaded);
    };
    request.upload.onload = () => {
      isOut = true;
      hear();
    };
    request.onloadend = () => {
      ended();
      trust();
      clearTimeout(silent);
      clearTimeout(stalled);
      over.abort();
      const isAnswered = request.status !== 0;
      if (isAnswered) wire.unanswered = 0;
      if (!signal.aborted) {
        if (!isAnswered) {
          run.broken = true;
          if (body !== undefined && !line.isLost()) wire.unanswered++;
        }
        const isForeign = !isOurs(request);
        if (isForeign && request.status === 413) shrink(run, bytes);
        // The next request uses the other form: some proxies refuse the method, some the header that names it.
        else if (isForeign && method !== 'POST') run.asPost = !asPost;
      }
      resolve(isAnswered ? request : null);
    };
    watch();
    request.send(body);
  });
}

/** Tells whether our server has answered this page's request: with a code or photo of ours, or the protocol's name. */
export function isOurs(request: XMLHttpRequest): boolean {
  const { code, photo, photos } = (request.response ?? {}) as Partial<ErrorBody> & { photo?: unknown; photos?: unknown };
  // A proxy removed the header that names the method, or the one that names the protocol.
  if (code === 'not_found' || request.status === 412) return false;
  return !!(code ?? photo ?? photos ?? request.getResponseHeader('tus-resumable'));
}

/** Reads the answer's meaning for the file. Only an answer with one of our codes is ours. */
export function outcomeOf(request: XMLHttpRequest): Attempt<Receipt> {
  const { status } = request;
  const body = request.response as ({ photo?: Photo } & Partial<ErrorBody>) | null;
  if (status >= 200 && status < 300)
    return body?.photo ? { kind: 'stored', value: { photo: body.photo, sha256: digestOf(request) } } : foreign;
  // A proxy refuses without our codes: by its own limit, or while the server behind it is away.
  const code = (isOurs(request) ? body?.code : undefined) ?? (status >= 500 ? 'unavailable' : undefined);
  const id = request.getResponseHeader('x-request-id');
  const failure: Failure = code ? { code, message: body?.error ?? '', ...(id && { requestId: id.slice(-ID_SHOWN) }) } : HELD_UP;
  // An answer without a code is not ours, such as the sign-in page of a hotel's Wi-Fi.
  const temporary = !code || TEMPORARY.has(status) || (status >= 500 && status !== 507) || code === 'upload_incomplete';
  if (!temporary) return { ...failure, kind: 'refused' };
  const retryAfterMs = Number(request.getResponseHeader('retry-after')) * 1000;
  return { ...failure, kind: 'unreached', ...(retryAfterMs > 0 && { pauseMs: Math.min(retryAfterMs, LONGEST_PAUSE_MS) }) };
}

/** Reads the stored bytes' digest (RFC 9530): `Repr-Digest: sha-256=:…:`. */
function digestOf(request: XMLHttpRequest): string | null {
  return /sha-256=:([^:]+):/.exec(request.getResponseHeader('repr-digest') ?? '')?.[1] ?? null;
}

/**
 * Finds out whether a request had no answer because its file was deleted or moved since it was chosen; browsers do not tell. A run that
 * ends does not wait for this.
 */
export function whyUnsent(file: Blob, signal: AbortSignal): Promise<Attempt<never>> {
  // A file that was gone before the page was opened has the size 0, and a slice of it would read no byte.
  const read = (file.size === 0 ? file : file.slice(0, 1)).arrayBuffer().then(
    () => unreached,
    () => unreadable,
  );
  return within(READ_MS, read, unreached, signal);
}

/**
 * Returns the rest of a file, at most `most` bytes. A slice, because Chromium refuses to send a file that was given to a page of another
 * process (net::ERR_ACCESS_DENIED), but sends its slices. A file that was gone before the page was opened has the size 0 and no slices.
 */
export function sliceOf(file: Blob, from = 0, most = Infinity): Blob {
  return file.size === 0 ? file : file.slice(from, Math.min(file.size, from + most), file.type);
}

/** Sends one file as a whole, or nothing of it. */
export async function sendForm(file: Blob, name: string, sending: Sending): Promise<Attempt<Receipt>> {
  const { sender, progress } = sending;
  const form = new FormData();
  // These fields come before the file, because a proxy may remove the headers.
  if (sender.password) form.append('eventPassword', sender.password);
  form.append('eventCode', sender.code);
  form.append('deviceName', sender.deviceName);
  form.append('file', sliceOf(file), name);
  const request = await transfer(sending, {
    method: 'POST',
    path: '/upload',
    headers: { ...headersOf(sender), 'event-code': sender.code, 'device-name': encodeURIComponent(sender.deviceName) },
    body: form,
    bytes: file.size,
    sent: (bytes) => progress(Math.min(1, bytes / Math.max(1, file.size))),
  });
  return request ? outcomeOf(request) : whyUnsent(file, sending.signal);
}
