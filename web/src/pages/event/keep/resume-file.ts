import { TUS_VERSION, UPLOAD_BODY_TYPE } from '@feierbild/contract/constants.ts';
import type { ErrorBody } from '@feierbild/contract/errors.ts';
import { newKey } from '../selection.ts';
import { headersOf, outcomeOf, sendFile, transfer, unreached, whyUnsent, type Receipt, type Sender, type Sending } from '../send-file.ts';
import type { Attempt } from '../upload-run.ts';

/** Larger files are announced first, and go in pieces from the start. */
const LARGE_BYTES = 16 * 1024 * 1024;
const PIECE_BYTES = 8 * 1024 * 1024;
const TUS = { 'tus-resumable': TUS_VERSION };

/**
 * Sends a file by tus 1.0 (https://tus.io/protocols/resumable-upload): goes on where the last attempt broke off. What the server
 * knows nothing of begins again: in pieces where it is large, else in one.
 */
export async function resumeFile(file: Blob, name: string, sending: Sending): Promise<Attempt<Receipt>> {
  const { wire, progress } = sending;
  let offset = wire.begun ? await offsetOf(sending) : null;
  if (offset === null) {
    if (file.size <= LARGE_BYTES) return sendFile(file, name, sending);
    offset = await announce(file, name, sending);
  }
  while (typeof offset === 'number') {
    const from: number = offset;
    const piece = file.slice(from, from + PIECE_BYTES);
    const request = await transfer(sending, {
      method: 'PATCH',
      path: pathOf(wire.key),
      headers: {
        ...headersOf(sending.sender),
        ...TUS,
        'upload-offset': String(from),
        'content-type': UPLOAD_BODY_TYPE,
      },
      body: piece,
      sent: (bytes) => progress(Math.min(1, (from + bytes) / Math.max(1, file.size))),
    });
    if (!(request instanceof XMLHttpRequest)) return whyUnsent(file, request);
    const { status } = request;
    if (status === 204) offset = numberOf(request, 'upload-offset') ?? unreached;
    else if (isGone(request, sending)) return unreached;
    else if (status === 409) offset = (await offsetOf(sending)) ?? unreached;
    else return outcomeOf(request);
    // A server that takes nothing must not be asked in a circle.
    if (offset === from) return unreached;
  }
  return offset;
}

/** Frees what the server has of an upload that will not be finished. */
export function terminate(key: string, sender: Sender): void {
  void fetch(pathOf(key), { method: 'DELETE', headers: { ...headersOf(sender), ...TUS }, keepalive: true }).catch(() => undefined);
}

const pathOf = (key: string): string => `/uploads/${key}`;

/** Where to go on; null where the server has nothing of it. */
async function offsetOf(sending: Sending): Promise<number | null | Attempt<never>> {
  const request = await transfer(sending, {
    method: 'HEAD',
    path: pathOf(sending.wire.key),
    headers: { ...headersOf(sending.sender), ...TUS },
  });
  if (!(request instanceof XMLHttpRequest)) return request;
  if (isGone(request, sending)) return null;
  return request.status < 300 ? (numberOf(request, 'upload-offset') ?? unreached) : notStored(outcomeOf(request));
}

async function announce(file: Blob, name: string, sending: Sending): Promise<number | Attempt<never>> {
  const { sender, wire } = sending;
  const metadata = { filename: name, eventCode: sender.code, deviceName: sender.deviceName };
  const request = await transfer(sending, {
    method: 'POST',
    path: '/uploads',
    headers: {
      ...headersOf(sender),
      ...TUS,
      'upload-length': String(file.size),
      'upload-key': wire.key,
      'upload-metadata': Object.entries(metadata)
        .map(([key, value]) => `${key} ${base64(value)}`)
        .join(','),
    },
  });
  if (!(request instanceof XMLHttpRequest)) return request;
  const { status } = request;
  if (isGone(request, sending)) return unreached;
  if (status !== 200 && status !== 201) return notStored(outcomeOf(request));
  wire.begun = true;
  // 200: announced before, and the answer was lost.
  return status === 201 ? 0 : ((await offsetOf(sending)) ?? unreached);
}

/** Codes that end an upload, but not its file: it begins again. HEAD has no body, and so no code. */
const GONE = ['upload_not_found', 'upload_expired', 'upload_key_taken', undefined];

/** Whether the server no longer knows this upload, or never did; what is expired or another file's gets another key. */
function isGone(request: XMLHttpRequest, { wire }: Sending): boolean {
  const { status } = request;
  const { code } = (request.response ?? {}) as Partial<ErrorBody>;
  if (![404, 409, 410].includes(status) || !GONE.includes(code)) return false;
  wire.begun = false;
  if (status !== 404) wire.key = newKey();
  return true;
}

/** An answer that can hold no photo. */
function notStored(attempt: Attempt<Receipt>): Attempt<never> {
  return attempt.kind === 'stored' ? unreached : attempt;
}

function numberOf(request: XMLHttpRequest, header: string): number | null {
  const text = request.getResponseHeader(header);
  return text && /^\d+$/.test(text) ? Number(text) : null;
}

/** Base64 of the text's UTF-8. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
