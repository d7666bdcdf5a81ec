import type { Photo } from '@feierbild/contract/entities.ts';
import type { ErrorBody } from '@feierbild/contract/errors.ts';
import { NO_CONNECTION } from '../../api/client.ts';
import { isFinal, type Attempt } from './upload-run.ts';

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

/** Sends one file; `progress` hears the share that has left this device. (fetch tells nothing of it, hence XMLHttpRequest.) */
export function sendFile(file: File, sender: Sender, progress: (share: number) => void): Promise<Attempt<Photo>> {
  // The answer to a file that is much too large does not always get through: the server hangs up before it has read it all.
  if (sender.maxBytes !== null && file.size > sender.maxBytes) {
    return Promise.resolve({ kind: 'refused', code: 'too_large', message: TOO_LARGE });
  }
  const form = new FormData();
  form.append('file', file);
  form.append('eventCode', sender.code);
  form.append('deviceName', sender.deviceName);
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('POST', '/upload');
    request.responseType = 'json';
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader('device-id', sender.deviceId);
    request.setRequestHeader('event-code', sender.code);
    request.setRequestHeader('device-name', encodeURIComponent(sender.deviceName));
    if (sender.password) request.setRequestHeader('event-password', encodeURIComponent(sender.password));
    request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const { status } = request;
      const body = request.response as ({ photo?: Photo } & Partial<ErrorBody>) | null;
      const ok = status >= 200 && status < 300;
      if (ok && body?.photo) resolve({ kind: 'stored', value: body.photo });
      // The sign-in page of a hotel's Wi-Fi answers everything with 200 and HTML.
      else if (ok) resolve(unreached);
      else {
        // A proxy that refuses by itself knows none of our codes.
        const code = body?.code ?? (status === 413 ? 'too_large' : 'internal');
        resolve({ kind: isFinal(status) ? 'refused' : 'unreached', code, message: body?.error ?? `Status ${status}` });
      }
    };
    request.onerror = () => void whyUnsent(file).then(resolve);
    request.onabort = request.onerror;
    request.send(form);
  });
}

const unreached: Attempt<never> = { kind: 'unreached', code: 'no_connection', message: NO_CONNECTION };

/** Browsers don't tell a lost connection from a file that was deleted or moved since it was chosen. */
async function whyUnsent(file: File): Promise<Attempt<never>> {
  const readable = await file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
  return readable ? unreached : { kind: 'lost', code: 'unreadable', message: UNREADABLE };
}
