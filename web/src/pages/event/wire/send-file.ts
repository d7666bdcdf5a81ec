import type { Photo } from '@feierbild/contract/entities.ts';
import { call } from '../../../api/client.ts';
import { within } from '../../../lib/time-limit.ts';
import { newWire, type Attempt, type Item } from '../item.ts';
import { SILENCES, type QueueEvent } from '../machine.ts';
import type { createDuplicates } from './duplicates.ts';
import { sendForm, unreached, unreadable, type Sending } from './transfer.ts';
import type { sendResumable } from './tus.ts';

/** For the question what the server takes: nothing of a file is sent before its answer. */
const LIMITS_MS = 15_000;
/** A file that is slow to read, as from a cloud, is sent without asking whether the server has it. Longer than a request may stall. */
const KNOWN_MS = 45_000;
/** A copy that does not come by then is read again later: after a sleep, storage of some phones answers nothing. */
const READ_MS = 10_000;
/** After so many requests that nothing answered on a line that holds, the browser may refuse to send the file: its bytes are read, and sent from memory. */
const UNANSWERED = 3;
/** Larger files have no place in memory. */
const MEMORY_BYTES = 100 * 1024 * 1024;
/** Larger files are resumable from their start; smaller ones go as a form while the line holds. */
const FORM_BYTES = 4_000_000;

const ALTERED = { kind: 'refused', code: 'altered', message: '' } as const;
const TOO_LARGE = { kind: 'refused', code: 'too_large', message: '' } as const;

type Limits = Awaited<ReturnType<typeof call<'GET /event/:code/max'>>>;

/** What this device keeps of the files. */
interface Copies {
  /** Null where it is not known; false: the copy is damaged. */
  fingerprint(item: Item, file: File, deviceId: string, eventId: string | null): Promise<string | null | false>;
  read(item: Item): Promise<File | null | 'late'>;
}

interface Queue {
  itemOf(id: string): Item | undefined;
  dispatch(event: QueueEvent): void;
  /** Nothing of the upload stays on the server. */
  terminate(key: string): void;
  /** Code that comes after the page; null until then. */
  loaded(): {
    tus: { sendResumable: typeof sendResumable } | null;
    outbox: Copies | null;
    duplicates: ReturnType<typeof createDuplicates> | null;
  };
}

/** Sends one file of an event once: by which way, from which copy of its bytes, and what its end means. */
export function createFileSender(code: string, { itemOf, dispatch, terminate, loaded }: Queue) {
  let limits: Promise<Limits | null> | null = null;
  let isLimitless = false;

  /** The server's limits for the event; null where it could not be asked, which is tried once a run. */
  function askLimits(): Promise<Limits | null> {
    limits ??= call('GET /event/:code/max', { params: { code }, limitMs: LIMITS_MS }).catch(() => {
      isLimitless = true;
      return null;
    });
    return limits;
  }

  /** The kept bytes; null where there are none. */
  async function read(item: Item, signal?: AbortSignal): Promise<File | null | 'late'> {
    const { outbox } = loaded();
    return outbox ? within(READ_MS, outbox.read(item), 'late', signal) : null;
  }

  /** The file's bytes, where this device gives them: those of its copy, else of the file itself. */
  async function inMemory(item: Item, file: File, signal: AbortSignal): Promise<Blob> {
    if (item.size > MEMORY_BYTES || item.file === null) return file;
    const copy = item.kept ? await read(item, signal) : null;
    if (copy instanceof File) return copy;
    const bytes = await within(
      KNOWN_MS,
      file.arrayBuffer().catch(() => null),
      null,
      signal,
    );
    return bytes ? new Blob([bytes], { type: file.type }) : file;
  }

  /** How the attempt ends without sending: the server has the file from this device already, or its copy is damaged. Null: it has to be sent. */
  async function askDuplicate(item: Item, file: File, eventId: string | null, sending: Sending): Promise<Attempt<Photo> | null> {
    const fingerprint = (await loaded().outbox?.fingerprint(item, file, sending.sender.deviceId, eventId)) ?? null;
    if (fingerprint === false) return unreadable;
    const { duplicates } = loaded();
    // The server stored other bytes under this fingerprint once: it is not asked again.
    return fingerprint === null || !duplicates || item.wire.resent ? null : duplicates.ask(fingerprint, sending);
  }

  async function send(id: string, inRun: Omit<Sending, 'wire' | 'progress'>): Promise<Attempt<Photo>> {
    const item = itemOf(id);
    if (!item) return unreached;
    const { wire } = item;
    const { signal, run: way } = inRun;
    const sending = { ...inRun, wire, progress: (progress: number) => dispatch({ type: 'progressed', id, progress }) };
    const taken = await within(KNOWN_MS, askLimits(), null, signal);
    // The answer to a file that is much too large does not always get through: the server closes the connection before it has read it all.
    if (taken && item.size > (taken.max_video_bytes ?? taken.max_file_bytes)) return TOO_LARGE;
    const file = item.file ?? (await read(item, signal));
    if (file === 'late') {
      // It may give it at the next visit; until then the guest can choose the photo again.
      if (++wire.silences >= SILENCES) return unreadable;
      return { kind: 'unreached', code: 'device_silent', message: '', pauseMs: 0 };
    }
    if (!file) return unreadable;
    const before = await within(KNOWN_MS, askDuplicate(item, file, taken?.event_id ?? null, sending), null, signal);
    if (before?.kind === 'stored' && item.announced) terminate(wire.key);
    if (before) return before;
    if (signal.aborted) return unreached;
    // Whether it is the file that was begun could not be found out: two files must not become one.
    if (wire.chosenAgain) {
      terminate(wire.key);
      Object.assign(wire, newWire());
    }
    const isSmall = file.size <= FORM_BYTES && !way.broken;
    const isForm = !taken || file.size <= taken.max_file_bytes;
    const { tus } = loaded();
    // The code that sends in parts did not come.
    if (!tus && !isForm) return unreached;
    const asForm = !tus || (isForm && !wire.begun && file.size <= way.mostBytes && (isSmall || way.whole));
    const body = wire.unanswered < UNANSWERED ? file : await inMemory(item, file, signal);
    const end = await (asForm ? sendForm : tus.sendResumable)(body, item.name, sending);
    if (asForm && end.kind === 'unreached') Object.assign(way, { broken: true, whole: false });
    // A file that was gone before the page was there has the size 0, and so has its copy.
    if (end.kind === 'lost' && item.file) {
      const copy = await read(item, signal);
      if (copy !== 'late' && copy?.size) {
        dispatch({ type: 'copyOnly', id });
        return send(id, inRun);
      }
    }
    if (end.kind !== 'stored') return end;
    const { photo, sha256 } = end.value;
    if (sha256 === null || wire.sha256 === null || sha256 === wire.sha256) return { kind: 'stored', value: photo };
    if (wire.resent) return ALTERED;
    // Once more from the beginning: the file may have been changed since it was hashed.
    Object.assign(wire, { ...newWire(), resent: true });
    return unreached;
  }

  return {
    /** One attempt. */
    send,
    read,
    askLimits,
    /** A run begins: what could not be asked is asked again. */
    begin(): void {
      if (isLimitless) limits = null;
      isLimitless = false;
    },
  };
}
