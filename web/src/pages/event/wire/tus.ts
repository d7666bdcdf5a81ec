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
/** Keys of uploads that a preview has just begun: the server has no byte of these, and need not be asked. */
const fresh = new Set<string>();
/** Obstacles that strangers put in the way of a file's requests. */
interface Trouble {
  /** Beginnings of which the server knows nothing. */
  lostBeginnings: number;
  /** Refusals of requests that continue an upload. */
  refused: number;
  /** The last request that was not answered: where it began, and its bytes. */
  unanswered: { from: number; bytes: number } | null;
}
const troubles = new WeakMap<Wire, Trouble>();
/** A beginning may be lost by an outage once; where the line held, it was no outage. */
const LOST_BEGINNINGS = 2;
/** Of an answer to a removal, ms. */
const TERMINATE_MS = 15_000;
/** Of an answer to a removal: removed now, not known, or removed before. */
const REMOVED_STATUSES = [204, 404, 410];
/** Once by its method, once by the header that names it. */
const BOTH_WAYS = 2;

function troubleOf(wire: Wire): Trouble {
  const trouble = troubles.get(wire) ?? { lostBeginnings: 0, refused: 0, unanswered: null };
  troubles.set(wire, trouble);
  return trouble;
}

/**
 * Sends a file by tus 1.0 (https://tus.io/protocols/resumable-upload): in one request where the line holds, else from where the last
 * attempt broke off.
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
  // Some end a connection that brings more than they take, without a word.
  if (typeof begunAt !== 'object' && trouble.unanswered?.from === begunAt) shrink(run, trouble.unanswered.bytes);
  let offset = begunAt ?? (await create(file, name, sending));
  while (typeof offset === 'number') {
    const from: number = offset;
    offset = await send(file, from, sending, { method: 'PATCH', path: pathOf(wire.key), headers: { 'upload-offset': String(from) } });
    // A server that takes nothing must not be asked in a circle.
    if (offset === from) return unreached;
  }
  return offset;
}

/** Has a photo shown by its preview, and begins its upload; the original goes on from there. */
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
  // A key that this device has used for another event becomes another one.
  wire.key = request.getResponseHeader('location')?.split('/').at(-1) ?? wire.key;
  if (numberOf(request, 'upload-offset') === 0) fresh.add(wire.key);
  return end;
}

/** Removes an unfinished upload from the server, with what its preview shows. True once our server says that nothing of it is there. */
export function terminate(key: string, sender: Pick<Sender, 'deviceId' | 'password'>, outer: AbortSignal): Promise<boolean> {
  const ask = (method: 'DELETE' | 'POST', named = {}): Promise<boolean> => {
    const request = { method, headers: { ...headersOf(sender), ...TUS, ...named }, keepalive: true };
    const isRemoved = async (signal: AbortSignal): Promise<boolean> => {
      const answer = await fetch(pathOf(key), { ...request, signal });
      if (!REMOVED_STATUSES.includes(answer.status)) return false;
      // Somebody may take the protocol's name away; the code of a refusal is ours, too.
      return answer.headers.has('tus-resumable') || GONE.includes((await answer.json()).code);
    };
    return inTime(TERMINATE_MS, isRemoved, outer).catch(() => false);
  };
  return ask('DELETE').then((isAnswered) => isAnswered || ask('POST', { 'x-http-method-override': 'DELETE' }));
}

const pathOf = (key: string): string => `/uploads/${key}`;

/** Begins the upload with the whole file (creation-with-upload). Its key is chosen here, so a lost answer leaves it known. */
function create(file: Blob, name: string, sending: Sending): Promise<number | Attempt<Receipt>> {
  const { sender, wire } = sending;
  wire.begun = true;
  return send(file, 0, sending, {
    method: 'POST',
    path: '/uploads',
    headers: { 'upload-key': wire.key, ...aboutOf({ name, size: file.size }, sender) },
  });
}

/** The headers that begin an upload. */
function aboutOf({ name, size }: Pick<Item, 'name' | 'size'>, { code, deviceName, password }: Sender): Record<string, string> {
  // The password's own header may be taken away.
  const metadata = Object.entries({ filename: name, eventCode: code, deviceName, ...(password && { eventPassword: password }) });
  return { 'upload-length': String(size), 'upload-metadata': metadata.map(([key, value]) => `${key} ${base64(value)}`).join(',') };
}

/** Sends the rest of the file. Returns the bytes that the server has then, or how the attempt ended. */
async function send(file: Blob, from: number, sending: Sending, { headers, ...rest }: Transfer): Promise<number | Attempt<Receipt>> {
  const { wire, run } = sending;
  // A beginning may be lost by its size: some end a connection that brings more than they take before the server hears of it.
  const body = sliceOf(file, from, troubleOf(wire).lostBeginnings ? LEAST_BYTES : run.mostBytes);
  const request = await transfer(sending, {
    ...rest,
    headers: { ...headersOf(sending.sender), ...TUS, 'content-type': UPLOAD_BODY_TYPE, ...headers },
    body,
    bytes: body.size,
    sent: (bytes) => sending.progress(Math.min(1, (from + bytes) / Math.max(1, file.size))),
  });
  troubleOf(wire).unanswered = request ? null : { from, bytes: body.size };
  if (!request) return whyUnsent(file);
  const { status } = request;
  // To somebody on the way it was too much.
  if (status === 413 && run.mostBytes < body.size) return send(file, from, sending, { headers, ...rest });
  if (isGone(request, sending)) return unreached;
  // A repeat, also one that the browser made by itself: the server says how far the first one came.
  if (status === 409) return (await offsetOf(sending)) ?? unreached;
  await goAround(request, rest.method, sending);
  const end = outcomeOf(request);
  if (status >= 300 || end.kind === 'stored') return end;
  return numberOf(request, 'upload-offset') ?? end;
}

/** A stranger forbade the request: the next attempt goes another way. */
async function goAround(request: XMLHttpRequest, method: Transfer['method'], { sender, wire, run, line, signal }: Sending): Promise<void> {
  const { status } = request;
  // An offset is the server's word, also without the protocol's name.
  if (isOurs(request) || numberOf(request, 'upload-offset') !== null) return;
  if (!isForbidden(status) && !(mayForbid(status) && (await line.isServer(signal)))) return;
  const trouble = troubleOf(wire);
  if (method === 'POST') {
    wire.begun = false;
    run.whole = true;
  } else if (++trouble.refused >= BOTH_WAYS) {
    // Whole in one request: that needs none of these methods.
    void terminate(wire.key, sender, signal);
    Object.assign(wire, newWire());
    trouble.refused = 0;
  }
}

/** The offset to go on from; null where the server has nothing of it. */
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

/** Codes that end an upload, after which its file begins a new one. */
const GONE = ['upload_not_found', 'upload_expired', 'upload_key_taken'];

/** Whether our server does not know this upload; a key that is another file's is replaced. */
function isGone(request: XMLHttpRequest, { wire }: Sending): boolean {
  const { status } = request;
  const { code = '' } = (request.response ?? {}) as Partial<ErrorBody>;
  // HEAD has no body, and so no code; but our answers name the protocol.
  const unnamed = code === '' && request.getResponseHeader('tus-resumable') !== null && status !== 409;
  if (![404, 409, 410].includes(status) || !(unnamed || GONE.includes(code))) return false;
  wire.begun = false;
  // An expired one begins again by its key, so that it goes on for the photo that its preview shows.
  if (status === 409) wire.key = newKey();
  return true;
}

function numberOf(request: XMLHttpRequest, header: string): number | null {
  const text = request.getResponseHeader(header);
  return text && /^\d+$/.test(text) ? Number(text) : null;
}

/** Base64 of the text's UTF-8. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
