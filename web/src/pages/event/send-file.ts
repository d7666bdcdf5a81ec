import type { Photo } from '@feierbild/contract/entities.ts';
import type { ErrorBody } from '@feierbild/contract/errors.ts';
import { NO_CONNECTION } from '../../api/client.ts';
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

const TOO_LARGE = 'Diese Datei ist zu groß.';
const UNREADABLE = 'Diese Datei lässt sich nicht mehr lesen.';
/** A request without progress for this long is given up. */
const STALL_MS = 30_000;
/** The same after the browser says that the network is back: connections from before are mostly dead. */
const STALL_AFTER_ONLINE_MS = 5_000;
/** Statuses below 500 that may be others next time. */
const TEMPORARY = new Set([408, 425, 429]);
/** How often a file stalled: a busy server gets more time for its answer, so that it is not sent the same photo over and over. */
const stalls = new WeakMap<File, number>();

/** Sends one file; `progress` hears the share that has left this device. (fetch does not tell upload progress, hence XMLHttpRequest.) */
export async function sendFile(file: File, sender: Sender, progress: (share: number) => void): Promise<Attempt<Photo>> {
  // The answer to a file that is much too large does not always get through: the server hangs up before it has read it all.
  if (sender.maxBytes !== null && file.size > sender.maxBytes) return { kind: 'refused', code: 'too_large', message: TOO_LARGE };
  const form = new FormData();
  form.append('file', file);
  form.append('eventCode', sender.code);
  form.append('deviceName', sender.deviceName);
  const request = new XMLHttpRequest();
  request.open('POST', '/upload');
  request.responseType = 'json';
  request.setRequestHeader('accept', 'application/json');
  request.setRequestHeader('device-id', sender.deviceId);
  request.setRequestHeader('event-code', sender.code);
  request.setRequestHeader('device-name', encodeURIComponent(sender.deviceName));
  if (sender.password) request.setRequestHeader('event-password', encodeURIComponent(sender.password));
  return new Promise((resolve) => {
    let stalled = false;
    let timer = 0;
    const watch = (patienceMs: number): void => {
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        stalled = true;
        stalls.set(file, (stalls.get(file) ?? 0) + 1);
        request.abort();
      }, patienceMs);
    };
    const networkIsBack = (): void => watch(STALL_AFTER_ONLINE_MS);
    window.addEventListener('online', networkIsBack);
    request.upload.onprogress = ({ loaded, total }) => {
      watch(STALL_MS);
      progress(total > 0 ? loaded / total : 0);
    };
    request.upload.onload = () => watch(STALL_MS * 2 ** (stalls.get(file) ?? 0));
    request.onload = () => resolve(sorted(request));
    request.onerror = () => void whyUnsent(file).then(resolve);
    request.onabort = () => resolve(stalled ? { ...unreached, pauseMs: 0 } : unreached);
    request.onloadend = () => {
      clearTimeout(timer);
      window.removeEventListener('online', networkIsBack);
    };
    watch(STALL_MS);
    request.send(form);
  });
}

const unreached = { kind: 'unreached', code: 'no_connection', message: NO_CONNECTION } as const;

/** What the answer means for the file. */
function sorted(request: XMLHttpRequest): Attempt<Photo> {
  const { status } = request;
  const body = request.response as ({ photo?: Photo } & Partial<ErrorBody>) | null;
  if (status >= 200 && status < 300) return body?.photo ? { kind: 'stored', value: body.photo } : unreached;
  // A proxy has a limit of its own, and refuses without our codes.
  const code = body?.code ?? (status === 413 ? 'too_large' : undefined);
  const failure = code ? { code, message: body?.error ?? TOO_LARGE } : unreached;
  // Without a code it is not ours: a proxy without its server, or the sign-in page of a hotel's Wi-Fi.
  const temporary = !code || TEMPORARY.has(status) || (status >= 500 && status !== 507) || code === 'upload_incomplete';
  if (!temporary) return { ...failure, kind: 'refused' };
  const retryAfterMs = Number(request.getResponseHeader('retry-after')) * 1000;
  return { ...failure, kind: 'unreached', ...(retryAfterMs > 0 && { pauseMs: retryAfterMs }) };
}

/** Browsers don't tell a lost connection from a file that was deleted or moved since it was chosen. */
function whyUnsent(file: File): Promise<Attempt<never>> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => unreached,
      () => ({ kind: 'lost', code: 'unreadable', message: UNREADABLE }),
    );
}
