import type { Photo } from '@feierbild/contract/entities.ts';
import type { ErrorBody } from '@feierbild/contract/errors.ts';
import { ID_SHOWN, NO_CONNECTION } from '../../api/client.ts';
import type { Wire } from './selection.ts';
import type { Attempt } from './upload-run.ts';

export interface Sender {
  code: string;
  deviceId: string;
  deviceName: string;
  /** From the page's address; empty where there is none. */
  password: string;
  /** Largest file that the server takes; null where that is not known. */
  maxBytes: number | null;
}

/** The server's word that a photo is durable. */
export interface Receipt {
  photo: Photo;
  /** Base64 of the SHA-256 of the bytes that lie there; null where the server does not say. */
  sha256: string | null;
}

/** One attempt to send something. */
export interface Sending {
  sender: Sender;
  wire: Wire;
  /** Hears the share that has left this device, 0 to 1. */
  progress(share: number): void;
  signal: AbortSignal;
}

interface Transfer {
  method: 'POST' | 'HEAD' | 'PATCH' | 'DELETE';
  path: string;
  headers: Record<string, string>;
  body?: FormData | Blob | string;
  /** Bytes of the body that have left this device. */
  sent?(bytes: number): void;
}

const TOO_LARGE = 'Diese Datei ist zu groß.';
export const UNREADABLE = 'Diese Datei lässt sich nicht mehr lesen.';
/** A request without progress for this long is given up. */
const STALL_MS = 30_000;
/** The same after the browser says that the network is back: connections from before are mostly dead. */
const STALL_AFTER_ONLINE_MS = 5_000;
/** Statuses below 500 that may be others next time. */
const TEMPORARY = new Set([408, 425, 429]);

export const unreached = { kind: 'unreached', code: 'no_connection', message: NO_CONNECTION } as const;

/** Why a file need not be sent at all, or null. */
export function refusedBefore(size: number, { maxBytes }: Sender): Attempt<never> | null {
  // The answer to a file that is much too large does not always get through: the server closes the connection before it has read it all.
  return maxBytes !== null && size > maxBytes ? { kind: 'refused', code: 'too_large', message: TOO_LARGE } : null;
}

/** Sends one file from its beginning. */
export async function sendFile(file: Blob, name: string, sending: Sending): Promise<Attempt<Receipt>> {
  const { sender, wire, progress } = sending;
  const form = new FormData();
  form.append('file', file, name);
  form.append('eventCode', sender.code);
  form.append('deviceName', sender.deviceName);
  const request = await transfer(sending, {
    method: 'POST',
    path: '/upload',
    headers: {
      ...headersOf(sender),
      'event-code': sender.code,
      'device-name': encodeURIComponent(sender.deviceName),
      'upload-key': wire.key,
      'upload-length': String(file.size),
    },
    body: form,
    sent(bytes) {
      wire.begun = true;
      progress(Math.min(1, bytes / Math.max(1, file.size)));
    },
  });
  return request instanceof XMLHttpRequest ? outcomeOf(request) : whyUnsent(file, request);
}

/** Headers of each request about an upload. */
export function headersOf({ deviceId, password }: Sender): Record<string, string> {
  return { accept: 'application/json', 'device-id': deviceId, ...(password && { 'event-password': encodeURIComponent(password) }) };
}

/**
 * Makes one request; resolves with it once it is answered, else with why it was not. (fetch reports no upload progress, hence
 * XMLHttpRequest.)
 */
export function transfer(
  { wire, signal }: Sending,
  { method, path, headers, body, sent }: Transfer,
): Promise<XMLHttpRequest | Attempt<never>> {
  const request = new XMLHttpRequest();
  request.open(method, path);
  request.responseType = 'json';
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  return new Promise((resolve) => {
    let stalled = false;
    let timer = 0;
    const watch = (timeoutMs: number): void => {
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        stalled = true;
        wire.stalls++;
        request.abort();
      }, timeoutMs);
    };
    const networkIsBack = (): void => watch(STALL_AFTER_ONLINE_MS);
    const stop = (): void => request.abort();
    window.addEventListener('online', networkIsBack);
    signal.addEventListener('abort', stop);
    request.upload.onprogress = ({ loaded }) => {
      watch(STALL_MS);
      if (loaded > 0) sent?.(loaded);
    };
    // A busy server gets more time for its answer each time, so that it is not sent the same photo over and over.
    request.upload.onload = () => watch(STALL_MS * 2 ** wire.stalls);
    request.onload = () => resolve(request);
    request.onerror = () => resolve(unreached);
    request.onabort = () => resolve(stalled ? { ...unreached, pauseMs: 0 } : unreached);
    request.onloadend = () => {
      clearTimeout(timer);
      window.removeEventListener('online', networkIsBack);
      signal.removeEventListener('abort', stop);
    };
    watch(STALL_MS);
    if (signal.aborted) resolve(unreached);
    else request.send(body);
  });
}

/** What the answer means for the file. */
export function outcomeOf(request: XMLHttpRequest): Attempt<Receipt> {
  const { status } = request;
  const body = request.response as ({ photo?: Photo } & Partial<ErrorBody>) | null;
  if (status >= 200 && status < 300)
    return body?.photo ? { kind: 'stored', value: { photo: body.photo, sha256: digestOf(request) } } : unreached;
  // A proxy has a limit of its own, and refuses without our codes.
  const code = body?.code ?? (status === 413 ? 'too_large' : undefined);
  const id = request.getResponseHeader('x-request-id');
  const failure = code ? { code, message: body?.error ?? TOO_LARGE, ...(id && { requestId: id.slice(-ID_SHOWN) }) } : unreached;
  // Without a code it is not ours: a proxy without its server, or the sign-in page of a hotel's Wi-Fi.
  const temporary = !code || TEMPORARY.has(status) || (status >= 500 && status !== 507) || code === 'upload_incomplete';
  if (!temporary) return { ...failure, kind: 'refused' };
  const retryAfterMs = Number(request.getResponseHeader('retry-after')) * 1000;
  return { ...failure, kind: 'unreached', ...(retryAfterMs > 0 && { pauseMs: retryAfterMs }) };
}

/** RFC 9530: `Repr-Digest: sha-256=:…:`. */
function digestOf(request: XMLHttpRequest): string | null {
  return /sha-256=:([^:]+):/.exec(request.getResponseHeader('repr-digest') ?? '')?.[1] ?? null;
}

/** Browsers do not distinguish a lost connection from a file that was deleted or moved since it was chosen. */
export function whyUnsent(file: Blob, attempt: Attempt<never>): Promise<Attempt<never>> {
  // The size of a file that was gone before the page was there is 0, and no byte of such a slice would be read.
  return (file.size === 0 ? file : file.slice(0, 1)).arrayBuffer().then(
    () => attempt,
    () => ({ kind: 'lost', code: 'unreadable', message: UNREADABLE }),
  );
}
