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
}

/** Sends one file; `progress` hears the share that has left this device. (fetch tells nothing of it, hence XMLHttpRequest.) */
export function sendFile(file: File, sender: Sender, progress: (share: number) => void): Promise<Attempt<Photo>> {
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
      const body = request.response as { photo?: Photo } & Partial<ErrorBody>;
      if ((status === 200 || status === 201) && body?.photo) return resolve({ kind: 'stored', value: body.photo });
      resolve({ kind: isFinal(status) ? 'refused' : 'failed', status, message: body?.error ?? NO_CONNECTION });
    };
    request.onerror = () => resolve({ kind: 'failed', status: 0, message: NO_CONNECTION });
    request.onabort = request.onerror;
    request.send(form);
  });
}
