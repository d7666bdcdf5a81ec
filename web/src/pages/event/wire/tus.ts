import { PREVIEW_TYPE, TUS_VERSION, UPLOAD_BODY_TYPE } from '@feierbild/contract/constants.ts';
import type { ErrorBody } from '@feierbild/contract/errors.ts';
import { inTime } from '../../../api/client.ts';
import { newKey, newWire, type Attempt, type Item, type Wire } from '../item.ts';
import {
  headersOf,
  isOurs,
  outcomeOf,
  sliceOf,
  transfer,
  unreached,
  whyUnsent,
  type Receipt,
  type Sender,
  type Sending,
  type Transfer,
} from './transfer.ts';
import { LEAST_BYTES, isForbidden, mayForbid, shrink } from './way.ts';

const TUS = { 'tus-resumable': TUS_VERSION };
/** Keys of uploads that a preview has just begun. The server has no byte of them and need not be asked. */
const fresh = new Set<string>();
/** Obstacles of a file's requests by proxies and firewalls. */
interface Trouble {
  /** Number of beginnings that the server does not know. */
  lostBeginnings: number;
  /** Number of refused requests that continue an upload. */
  refused: number;
  /** Offset and bytes of the last request, if it was not answered. */
  unanswered: { from: number; bytes: number } | null;
}
const troubles = new WeakMap<Wire, Trouble>();
/** Number of lost beginnings after which the file is sent whole: an outage may lose one, unless the line held. */
const LOST_BEGINNINGS = 2;
/** Limit of a removal. */
const TERMINATE_MS = 15_000;
/** Answers to a removal: removed now, unknown, or removed before. */
const REMOVED_STATUSES = [204, 404, 410];
/** Number of forms of a request: with its method, and as a POST that names it. */
const BOTH_WAYS = 2;

function troubleOf(wire: Wire): Trouble {
  const trouble = troubles.get(wire) ?? { lostBeginnings: 0, refused: 0, unanswered: null };
  troubles.set(wire, trouble);
  return trouble;
}

/**
 * Sends a file by tus 1.0 (https://tus.io/protocols/resumable-upload): in one request if the line holds, else from the offset of the last
 * attempt.
 */
export async function sendResumable(file: Blob, name: string, sending: Sending): Promise<Attempt<Receipt>> {
  const { wire, run } = sending;
  const trouble = troubleOf(wire);
  const wasBegun = wire.begun;
  const begunAt = fresh.delete(wire.key) ? 0 : wasBegun ? await offsetOf(sending) : null;
  if (begunAt === null && wasBegun && ++trouble.lostBeginnings >= (wire.swallowed ? 1 : LOST_BEGINNINGS)) {
    run.whole = true;
    return unreached;
  }
  // Some proxies silently end a connection that exceeds their limit.
  if (typeof begunAt !== 'object' && trouble.unanswered?.from === begunAt) shrink(run, trouble.unanswered.bytes);
  let offset = begunAt ?? (await create(file, name, sending));
  while (typeof offset === 'number') {
    const from: number = offset;
    offset = await send(file, from, sending, { method: 'PATCH', path: pathOf(wire.key), headers: { 'upload-offset': String(from) } });
    // A server that takes no byte must not be asked in a circle.
    if (offset === from) return unreached;
  }
  return offset;
}

/** Sends a photo's preview, which the server shows, and begins its upload, which the original continues. */
export async function sendPreview(picture: Blob, file: Pick<Item, 'name' | 'size'>, sending: Sending): Promise<Attempt<Receipt>> {
  const { sender, wire } = sending;
  const { begun } = wire;
  wire.begun = true;
  const request = await transfer(sending, {
    method: 'PUT',
    path: `${pathOf(wire.key)}/preview`,
    headers: { ...headersOf(sender), ...TUS, 'content-type': PREVIEW_TYPE, ...aboutOf(file, sender) },
    body: picture,
  });
  if (!request) return unreached;
  const end = outcomeOf(request);
  if (end.kind === 'refused') wire.begun = begun;
  if (end.kind !== 'stored') return end;
  // The server replaces a key that this device has used for another event.
  wire.key = request.getResponseHeader('location')?.split('/').at(-1) ?? wire.key;
  if (numberOf(request, 'upload-offset') === 0) fresh.add(wire.key);
  return end;
}

/** Removes an unfinished upload and its preview from the server. True if our server confirms that it has nothing of it. */
export function terminate(key: string, sender: Pick<Sender, 'deviceId' | 'password'>, outer: AbortSignal): Promise<boolean> {
  const ask = (method: 'DELETE' | 'POST', named = {}): Promise<boolean> => {
    const request = { method, headers: { ...headersOf(sender), ...TUS, ...named }, keepalive: true };
    const isRemoved = async (signal: AbortSignal): Promise<boolean> => {
      const answer = await fetch(pathOf(key), { ...request, signal });
      if (!REMOVED_STATUSES.includes(answer.status)) return false;
      // A proxy may remove the protocol's name; a refusal's code also proves that the answer is ours.
      return answer.headers.has('tus-resumable') || GONE.includes((await answer.json()).code);
    };
    return inTime(TERMINATE_MS, isRemoved, outer).catch(() => false);
  };
  return ask('DELETE').then((isAnswered) => isAnswered || ask('POST', { 'x-http-method-override': 'DELETE' }));
}

const pathOf = (key: string): string => `/uploads/${key}`;

/** Begins the upload with the whole file (creation-with-upload). The page chooses the key, so it knows it even if the answer is lost. */
function create(file: Blob, name: string, sending: Sending): Promise<number | Attempt<Receipt>> {
  const { sender, wire } = sending;
  wire.begun = true;
  return send(file, 0, sending, {
    method: 'POST',
    path: '/uploads',
    headers: { 'upload-key': wire.key, ...aboutOf({ name, size: file.size }, sender) },
  });
}

/** Returns the headers that begin an upload. */
function aboutOf({ name, size }: Pick<Item, 'name' | 'size'>, { code, deviceName, password }: Sender): Record<string, string> {
  // A proxy may remove the password's own header.
  const metadata = Object.entries({ filename: name, eventCode: code, deviceName, ...(password && { eventPassword: password }) });
  return { 'upload-length': String(size), 'upload-metadata': metadata.map(([key, value]) => `${key} ${base64(value)}`).join(',') };
}

/** Sends the rest of the file. Returns the number of bytes that the server has then, or the end of the attempt. */
async function send(file: Blob, from: number, sending: Sending, { headers, ...rest }: Transfer): Promise<number | Attempt<Receipt>> {
  const { wire, run } = sending;
  // A beginning may be lost by its size: some proxies end a connection that exceeds their limit before the server hears of it.
  const body = sliceOf(file, from, troubleOf(wire).lostBeginnings ? LEAST_BYTES : run.mostBytes);
  const request = await transfer(sending, {
    ...rest,
    headers: { ...headersOf(sending.sender), ...TUS, 'content-type': UPLOAD_BODY_TYPE, ...headers },
    body,
    bytes: body.size,
    sent: (bytes) => sending.progress(Math.min(1, (from + bytes) / Math.max(1, file.size))),
  });
  troubleOf(wire).unanswered = request ? null : { from, bytes: body.size };
  if (!request) return whyUnsent(file, sending.signal);
  const { status } = request;
  // The request was too large for a proxy.
  if (status === 413 && run.mostBytes < body.size) return send(file, from, sending, { headers, ...rest });
  if (isGone(request, sending)) return unreached;
  // The request was repeated, maybe by the browser itself; the server says how far the first one came.
  if (status === 409) return (await offsetOf(sending)) ?? unreached;
  await goAround(request, rest.method, sending);
  const end = outcomeOf(request);
  if (status >= 300 || end.kind === 'stored') return end;
  return numberOf(request, 'upload-offset') ?? end;
}

/** Lets the next attempt use another way if a proxy forbade the request. */
async function goAround(request: XMLHttpRequest, method: Transfer['method'], { sender, wire, run, line, signal }: Sending): Promise<void> {
  const { status } = request;
  // An offset is the server's answer, even without the protocol's name.
  if (isOurs(request) || numberOf(request, 'upload-offset') !== null) return;
  if (!isForbidden(status) && !(mayForbid(status) && (await line.isServer(signal)))) return;
  const trouble = troubleOf(wire);
  if (method === 'POST') {
    wire.begun = false;
    run.whole = true;
  } else if (++trouble.refused >= BOTH_WAYS) {
    // The file is sent whole in one request, which needs none of these methods.
    void terminate(wire.key, sender, signal);
    Object.assign(wire, newWire());
    trouble.refused = 0;
  }
}

/** Asks for the offset at which the upload continues; null if the server does not know it. */
async function offsetOf(sending: Sending): Promise<number | null | Attempt<never>> {
  const { sender, wire } = sending;
  const request = await transfer(sending, { method: 'HEAD', path: pathOf(wire.key), headers: { ...headersOf(sender), ...TUS } });
  if (!request) return unreached;
  if (isGone(request, sending)) return null;
  await goAround(request, 'HEAD', sending);
  const end = outcomeOf(request);
  const offset = request.status < 300 ? numberOf(request, 'upload-offset') : null;
  return offset ?? (end.kind === 'stored' ? unreached : end);
}

/** Codes that end an upload; its file then begins a new one. */
const GONE = ['upload_not_found', 'upload_expired', 'upload_key_taken'];

/** Tells whether our server does not know this upload; replaces a key that belongs to another file. */
function isGone(request: XMLHttpRequest, { wire }: Sending): boolean {
  const { status } = request;
  const { code = '' } = (request.response ?? {}) as Partial<ErrorBody>;
  // HEAD has no body and so no code, but our answers name the protocol.
  const unnamed = code === '' && request.getResponseHeader('tus-resumable') !== null && status !== 409;
  if (![404, 409, 410].includes(status) || !(unnamed || GONE.includes(code))) return false;
  wire.begun = false;
  // An expired upload begins again with its key, so that it belongs to the photo that its preview shows.
  if (status === 409) wire.key = newKey();
  return true;
}

function numberOf(request: XMLHttpRequest, header: string): number | null {
  const text = request.getResponseHeader(header);
  return text && /^\d+$/.test(text) ? Number(text) : null;
}

/** Encodes the text's UTF-8 as base64. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
