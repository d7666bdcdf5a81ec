import type { Attempt } from '../item.ts';
import { headersOf, outcomeOf, transfer, whyUnsent, type Receipt, type Sending } from './transfer.ts';

/** Sends one file as a whole, or nothing of it. */
export async function sendForm(file: Blob, name: string, sending: Sending): Promise<Attempt<Receipt>> {
  const { sender, progress } = sending;
  const form = new FormData();
  form.append('file', file, name);
  form.append('eventCode', sender.code);
  form.append('deviceName', sender.deviceName);
  const request = await transfer(sending, {
    method: 'POST',
    path: '/upload',
    headers: { ...headersOf(sender), 'event-code': sender.code, 'device-name': encodeURIComponent(sender.deviceName) },
    body: form,
    sent: (bytes) => progress(Math.min(1, bytes / Math.max(1, file.size))),
  });
  return request ? outcomeOf(request) : whyUnsent(file);
}
