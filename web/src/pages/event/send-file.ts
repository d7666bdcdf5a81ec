import type { Photo } from '@feierbild/contract/entities.ts';
import { within } from '../../lib/time-limit.ts';
import { newWire, type Attempt, type Item, type Wire } from './item.ts';
import { SILENCES } from './machine.ts';
import { sendForm, unreached, unreadable, type Sender, type Sending } from './wire/transfer.ts';
import type { QueueContext } from './queue-context.ts';

/** Limit for the question whether the server has a file, which needs its bytes; longer than a request may stall. */
const KNOWN_MS = 45_000;
/** Limit for reading a copy, after which it is read again later: after a sleep, some phones' storage does not answer. */
const READ_MS = 10_000;
/** Limit for the still of a video, after which the video stays without one. */
const POSTER_MS = 20_000;
/**
 * Number of unanswered requests on a working line after which the file's bytes are sent from memory: the browser may refuse to send the
 * file itself.
 */
const UNANSWERED = 3;
/** Largest file that is read into memory. */
const MEMORY_BYTES = 100 * 1024 * 1024;
/** Largest file that is sent as a form while the line holds; larger ones are resumable from their start. */
const FORM_BYTES = 4_000_000;

const ALTERED = { kind: 'refused', code: 'altered', message: '' } as const;
const TOO_LARGE = { kind: 'refused', code: 'too_large', message: '' } as const;

export const loadPosters = () => import('./pictures/poster.ts').catch(() => null);

/** Tells whether the event's password has changed. */
export const isPasswordRefused = (end: Attempt<unknown>): end is Attempt<never> =>
  end.kind === 'refused' && end.code === 'wrong_event_password';

/** Makes one attempt to send one file. */
export async function sendFile(context: QueueContext, id: string, sender: Sender, signal: AbortSignal): Promise<Attempt<Photo>> {
  const { line, way, dispatch, terminate } = context;
  const item = context.itemOf(id);
  if (!item) return unreached;
  const { wire } = item;
  const progress = (share: number) => dispatch({ type: 'progressed', id, progress: share });
  const sending: Sending = { sender, line, run: way, wire, progress, signal };
  const taken = context.limits && (await within(KNOWN_MS, context.limits, null, signal));
  // A file that is much too large is not sent: the server closes the connection before it has read it, and its answer may be lost.
  if (taken && item.size > (taken.max_video_bytes ?? taken.max_file_bytes)) return TOO_LARGE;
  const file = item.file ?? (await readCopy(context, item, signal));
  if (file === 'late') return silent(wire);
  if (!file) return unreadable;
  const before = await within(KNOWN_MS, askDuplicate(context, item, file, taken?.event_id ?? null, sending), null, signal);
  // Its preview may be there although the answer was lost; a photo that the upload became stays.
  if (before?.kind === 'stored' && wire.begun) void terminate(wire.key);
  if (before) return before;
  if (signal.aborted) return unreached;
  // An upload that has begun needs no password.
  if (way.passwordRefusal && !wire.begun) return way.passwordRefusal;
  // It is unknown whether this is the file whose upload had begun, and two files must not become one.
  if (wire.chosenAgain) {
    void terminate(wire.key);
    Object.assign(wire, newWire());
  }

  const { tus } = context;
  const isSmall = file.size <= FORM_BYTES && !way.broken;
  const isForm = !taken || file.size <= taken.max_file_bytes;
  // The file needs the code that sends in parts, which did not come.
  if (!tus && !isForm) return unreached;
  const asForm = !tus || (isForm && !wire.begun && file.size <= way.mostBytes && (isSmall || way.whole));
  const body = wire.unanswered < UNANSWERED ? file : await inMemory(context, item, file, signal);
  const end = await (asForm ? sendForm : tus!.sendResumable)(body, item.name, sending);
  if (asForm && end.kind === 'unreached') Object.assign(way, { broken: true, whole: false });
  // A file that was gone before the page was opened has the size 0, and so has its copy.
  if (end.kind === 'lost' && item.file) {
    const copy = await readCopy(context, item, signal);
    const isKept = context.itemOf(id)?.kept;
    if (copy === 'late' && isKept) return silent(wire);
    if (copy instanceof File && copy.size) {
      dispatch({ type: 'copyOnly', id });
      return sendFile(context, id, sender, signal);
    }
  }
  if (isPasswordRefused(end)) way.passwordRefusal = end;
  if (end.kind !== 'stored') return end;
  const { photo, sha256 } = end.value;
  // The hash of a larger file is of its ends.
  if (item.size > MEMORY_BYTES || !sha256 || !wire.sha256 || sha256 === wire.sha256) return { kind: 'stored', value: photo };
  if (wire.resent) return ALTERED;
  // The file is sent once more from the beginning, because it may have been changed since it was hashed.
  Object.assign(wire, { ...newWire(), resent: true });
  return unreached;
}

/** Gives a stored video its still picture, and returns the changed photo. */
export async function givePoster(
  context: QueueContext,
  item: Item,
  photo: Photo,
  { deviceId }: Sender,
  signal: AbortSignal,
): Promise<Photo> {
  const given = Promise.all([loadPosters(), item.file ?? readCopy(context, item)]).then(([posters, file]) =>
    posters && file instanceof File ? posters.sendPoster(file, photo, deviceId) : photo,
  );
  return within(POSTER_MS, given, photo, signal);
}

/** Ends an attempt because the device does not give its copy. It may do so at the next visit; the guest can also choose the photo again. */
function silent(wire: Wire): Attempt<never> {
  return ++wire.silences >= SILENCES ? unreadable : { kind: 'unreached', code: 'device_silent', message: '', pauseMs: 0 };
}

/** Ends the attempt without sending if the server has the file from this device already, or its copy is damaged; null if not. */
async function askDuplicate(
  { deviceStore, duplicates }: QueueContext,
  item: Item,
  file: File,
  eventId: string | null,
  sending: Sending,
): Promise<Attempt<Photo> | null> {
  const fingerprint = await deviceStore?.fingerprint(item, file, sending.sender.deviceId, eventId);
  if (fingerprint === false) return unreadable;
  // The server once stored other bytes for this file, so it is not asked again.
  return !fingerprint || !duplicates || item.wire.resent ? null : duplicates.ask(fingerprint, sending);
}

/** Reads the kept bytes; null if there are none, `late` if they do not come in time. */
async function readCopy({ deviceStore }: QueueContext, item: Item, signal?: AbortSignal): Promise<File | null | 'late'> {
  return deviceStore ? within(READ_MS, deviceStore.read(item), 'late', signal) : null;
}

/** Reads the file's bytes into memory, from its copy or the file itself; returns the file if neither can be read. */
async function inMemory(context: QueueContext, item: Item, file: File, signal: AbortSignal): Promise<Blob> {
  if (item.size > MEMORY_BYTES || !item.file) return file;
  const copy = item.kept ? await readCopy(context, item, signal) : null;
  if (copy instanceof File) return copy;
  const bytes = await within(
    KNOWN_MS,
    file.arrayBuffer().catch(() => null),
    null,
    signal,
  );
  return bytes ? new Blob([bytes], { type: file.type }) : file;
}
