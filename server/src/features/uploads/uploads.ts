import type { Connection } from '../../http/body.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { isDiskFull } from '../../lib/disk-full.ts';
import { Refusal } from '../../lib/errors.ts';
import type { UploadContext } from './context.ts';
import { createAdmission } from './intake/admission.ts';
import { createFormIntake, type IncomingUpload } from './intake/form-intake.ts';
import { createUploadSlots } from './intake/slots.ts';
import { createSender } from './intake/sender.ts';
import { createTusIntake } from './intake/tus-intake.ts';
import { createResumable } from './resumable/resumable.ts';
import { createOriginals } from './storing/original.ts';
import { createUploadStore } from './storing/photos-in.store.ts';
import { createPlainMemory, type PlainMemory } from './storing/plain-memory.ts';
import type { StoredUpload } from './storing/answering.ts';
import { createPlacing } from './storing/placing.ts';

/** Memory for all plain bytes that wait for a decoder: some twenty photos of phones. */
const PLAIN_MEMORY_BYTES = 80 * 1024 * 1024;
/** Silence after which a sender loses the connection. */
const STALL_MS = 20_000;

export type { StoredUpload } from './storing/answering.ts';

export type Uploads = ReturnType<typeof createUploads>;

interface Options extends Omit<UploadContext, 'stallMs'> {
  /** Uploads that are processed at the same time. */
  atOnce: number;
  /** Replaced in tests. */
  stallMs?: number;
  memory?: PlainMemory;
}

/** Takes photos in (docs/architecture.md, „The way of an upload“): after the answer a photo is stored whole, or nothing of it is. */
export function createUploads({ atOnce, memory = createPlainMemory(PLAIN_MEMORY_BYTES), ...given }: Options) {
  const context = { stallMs: STALL_MS, ...given };
  const { maxBytes, maxVideoBytes } = context;
  const store = createUploadStore(context);
  const originals = createOriginals(context, memory);
  const placing = createPlacing(context, store, originals);
  const resumable = createResumable(context, originals, placing);
  const slots = createUploadSlots({ atOnce, graceMs: context.stallMs / 10 });
  const admission = createAdmission(context, store, slots);
  const receive = createFormIntake(context, { slots, admission, originals, placing });
  const tus = createTusIntake(context, { resumable, slots, admission });
  const underWay = new Set<Promise<unknown>>();

  function track<T>(work: Promise<T>): Promise<T> {
    const ended: Promise<unknown> = work.catch(() => undefined).finally(() => underWay.delete(ended));
    underWay.add(ended);
    return work.catch((error: unknown) => {
      throw isDiskFull(error) ? new Refusal('disk_full', { cause: error }) : error;
    });
  }

  const append = (...args: Parameters<typeof tus.append>) => track(tus.append(...args));
  const announce = (...args: Parameters<typeof tus.announce>) => track(tus.announce(...args));
  const { list, endedForRoom, endExpired, stopAll, remove: end } = resumable;
  return {
    /** Longest single file, and longest video that comes by `resumable`, bytes. */
    maxBytes,
    maxVideoBytes,
    /** Counts the uploads that wait for a slot. */
    waiting: slots.waiting,
    /** Stores one photo durably. Throws Refusal as listed in the contract; then nothing is stored. */
    receive: (upload: IncomingUpload): Promise<StoredUpload> => track(receive(upload)),
    /**
     * Reads a file and drops it, within the limits of senders; returns its length in bytes. Throws Refusal upload_incomplete, too_large.
     */
    async drop(bytes: AsyncIterable<Bytes>, { hangUp }: Connection, mostBytes: number): Promise<number> {
      let size = 0;
      for await (const piece of createSender({ stallMs: context.stallMs, hangUp }).pieces(bytes, mostBytes)) size += piece.length;
      return size;
    },
    /** Uploads that can be resumed after a break. */
    resumable: { ...tus, append, announce, list, end, endedForRoom, endExpired, stopAll },
    /** Waits for work that goes on after its sender has left: it still needs database and stores. */
    async ended(): Promise<void> {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
