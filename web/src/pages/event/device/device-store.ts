import { onReturn } from '../../../lib/backoff.ts';
import { eventsIn, hasLocks } from '../../../lib/storage.ts';
import { throttle } from '../../../lib/throttle.ts';
import { within } from '../../../lib/time-limit.ts';
import { createWork, type Failed } from '../../../lib/work.ts';
import { isHopeless, isMissing, isOwed, isStored, isUnsent, newWire, type Item } from '../item.ts';
import type { QueueEvent } from '../machine.ts';
import { bytesOf, removeBytes } from './database.ts';
import { drop, noteOf, restore, save } from './descriptors.ts';
import type { Done, Job } from './keep.worker.ts';
import { createLeader } from './leader.ts';

/** Limits of the copies on this device: bytes, and share of the quota that the browser grants. */
const COPIED_BYTES = 300_000_000;
const SHARE_OF_QUOTA = 1 / 5;
/** Largest file that is copied and hashed as a whole, because both need it in memory. */
const READ_BYTES = 100 * 1024 * 1024;
/** Part of a larger file, at each of its ends, whose hash tells whether the guest has chosen the same file again. */
const END_BYTES = 1_000_000;
/** The quota assumed if the browser does not tell it within QUOTA_MS. */
const QUOTA_BYTES = 250_000_000;
const QUOTA_MS = 2_000;
/** Minimum time between two writes of rows; changes between them are written together. */
const WRITE_MS = 250;
/** Limit for the removal of rows that another page must not find. */
const FORGET_MS = 1_000;
/** Pause before a device that did not give its copies is read again. */
const AGAIN_MS = 5_000;

const WORK_LIMITS = { startMs: 3_000, jobMs: 30_000 };
const makeWorker = (): Worker => new Worker(new URL('./keep.worker.ts', import.meta.url), { type: 'module' });

/** Errors that concern one file only, so that others may be copied. */
const CANNOT_READ = ['NotReadableError', 'NotFoundError', 'TooLate'];
/** Passing errors: the code that copies did not come, or the device is silent. */
const FOR_NOW = ['NotStarted', 'TimeoutError'];
const ignore = (): void => undefined;

interface DeviceStoreHooks {
  /** Receives events about kept photos and other pages. */
  dispatch(event: QueueEvent): void;
  /** Stops the sending because another page sends from now on; resolves with this page's files. */
  lost(): Promise<ReadonlyMap<string, File>>;
  /** Called when the fingerprint of a file is known. */
  hashed(fingerprint: string): void;
  /** Called when another file was chosen in place of the one whose upload had begun under this key. */
  replaced(key: string): void;
}

/**
 * Keeps the photos to be sent on the device beyond the page's life, and agrees with other pages of the event on the one that sends. Null if
 * the browser has no locks.
 */
export function createDeviceStore(event: string, { dispatch, lost, hashed, replaced }: DeviceStoreHooks) {
  if (!hasLocks()) return null;
  const hasher = createWork<Job, Done>(makeWorker, WORK_LIMITS);
  const copier = createWork<Job, Done>(makeWorker, WORK_LIMITS);
  const fingerprints = new Map<string, Promise<string | null | false>>();
  let all: readonly Item[] = [];
  /** Whether this page is the one that sends. */
  let leads = false;
  /** Whether this page sends, and has read all rows. */
  let ready = false;
  /** Files of another page that came while this one was not yet the one that sends. */
  const early = new Map<string, File>();
  let copying: Promise<void> | null = null;
  /** Whether the device refused a copy, for lack of room or permission. */
  let refused = false;
  let limit: Promise<number> | null = null;
  /** The noted states of rows (`noteOf`), by id. */
  const noted = new Map<string, string>();
  /** Ids of rows that are to be written. */
  const unwritten = new Set<string>();
  let writing: Promise<void> | null = null;
  /** Ids of files that could not be read. */
  const unread = new Set<string>();
  // Their time may have been over only because the device slept.
  const ignoreReturn = onReturn(() => unread.clear());

  const needsCopy = (item: Item): boolean =>
    item.file !== null && !item.kept && !item.ended && item.size <= READ_BYTES && !unread.has(item.id) && isUnsent(item);

  async function gained(reign: AbortSignal): Promise<void> {
    const items = await restore(event, reign).catch(() => null);
    if (reign.aborted) return;
    // A store that cannot be read may not be empty, so nothing is kept or removed then.
    ready = items !== null;
    leads = true;
    noted.clear();
    for (const item of items ?? []) noted.set(item.id, noteOf(item));
    const isNoted = eventsIn('kept').includes(event);
    // A browser that is short of room removes the whole database, but not the note.
    dispatch({ type: 'led', kept: items ?? (isNoted ? null : []), gone: isNoted && items?.length === 0 });
    if (early.size > 0) dispatch({ type: 'given', files: new Map(early) });
    early.clear();
    if (!items) setTimeout(() => reign.aborted || void gained(reign), AGAIN_MS);
  }

  const leader = createLeader(`uploads:${event}`, {
    gained,
    async lost() {
      const chosen = ready ? all.flatMap(({ id, submitted, earlier }) => (submitted || earlier ? [] : [id])) : [];
      ready = leads = false;
      all = [];
      // Photos that were chosen here and not submitted concern this page alone; the next page would offer to send them.
      await within(FORGET_MS, forget(chosen), undefined);
      leader.post({ type: 'given', files: await lost() });
    },
    heard(message) {
      if (message.type === 'hello') tell([]);
      else if (message.type === 'given' && !leads) for (const [id, file] of message.files) early.set(id, file);
      else if (message.type === 'given') dispatch(message);
      else if (message.type === 'elsewhere' && !leads) {
        // The page that sends has these files.
        early.clear();
        dispatch(message);
      }
    },
  });

  function tell(done: readonly string[]): void {
    if (!leads) return;
    leader.post({ type: 'elsewhere', progress: { stored: all.filter(isStored).length, total: all.length }, done });
  }

  /** Removes the rows and copies of these ids. */
  async function forget(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      noted.delete(id);
      unwritten.delete(id);
    }
    if (ids.length > 0) await drop(event, ids, noted.size === 0).catch(ignore);
  }

  /** Writes the changed rows, and removes copies of stored files; resolves when all rows are durable. */
  async function write(): Promise<void> {
    while (writing) await writing.catch(ignore);
    const items = ready ? all.filter(({ id }) => unwritten.has(id)) : [];
    unwritten.clear();
    if (items.length === 0) return;
    writing = save(event, items, all)
      .catch((error: unknown) => {
        // A copy without its row would not be found again, so the row is written with the next ones.
        for (const { id } of items) if (noted.has(id)) unwritten.add(id);
        throw error;
      })
      .finally(() => (writing = null));
    await writing;
    for (const item of items) {
      // The removed copy has made room again.
      if (isStored(item) && item.kept) refused = false;
      const now = all.find(({ id }) => id === item.id);
      // A photo that is stored by now needs no note, and its row may be gone.
      if (item.submitted && now && isUnsent(now)) dispatch({ type: 'noted', id: item.id });
    }
  }
  const writeSoon = throttle(() => void write().catch(ignore), WRITE_MS);

  /** Copies files one after the other, the newest first, as far as there is room. */
  async function copy(): Promise<void> {
    for (;;) {
      limit ??= room();
      let free = await limit;
      for (const { kept, state, size } of all) if (kept && state !== 'stored') free -= size;
      const [next] = all.filter((item) => needsCopy(item) && item.size <= free).sort((a, b) => b.modified - a.modified);
      if (!next || !ready || refused) return;
      // The row is written first, because without it the next page does not know of the copy.
      const done = await write().then(
        () => copier.do({ kind: 'copy', file: next.file as File, id: next.id }),
        ({ name }: DOMException): Failed => ({ failed: name }),
      );
      // Another page sends from now on, and reads the copy.
      if (!ready) return;
      const now = all.find(({ id }) => id === next.id);
      if (!('failed' in done)) {
        // The photo was stored or removed meanwhile.
        if (!now || isStored(now) || now.ended) await removeBytes(next.id).catch(ignore);
        else dispatch({ type: 'copied', id: next.id });
      } else if (CANNOT_READ.includes(done.failed)) unread.add(next.id);
      else {
        // A passing failure is tried again with the next change.
        refused = !FOR_NOW.includes(done.failed);
        return;
      }
    }
  }

  /** Computes a file's fingerprint, once for each upload. */
  function hash({ id, wire, file: chosen }: Item, file: File, deviceId: string, eventId: string | null): Promise<string | null | false> {
    const { key } = wire;
    const before = fingerprints.get(key);
    if (before) return before;
    const read = file.size > READ_BYTES ? new Blob([file.slice(0, END_BYTES), file.slice(-END_BYTES)]) : file;
    const asked = hasher.do({ kind: 'hash', file: read, deviceId, eventId: read === file ? eventId : null });
    const made: Promise<string | null | false> = asked.then((done) => {
      if (!('sha256' in done)) return null;
      // The file has only name and size in common with the one whose upload had begun.
      if (wire.chosenAgain && wire.sha256 !== done.sha256) {
        replaced(key);
        fingerprints.set(Object.assign(wire, newWire()).key, made);
      }
      if (!chosen && wire.sha256 && wire.sha256 !== done.sha256) {
        // The guest may choose the file itself again.
        fingerprints.delete(key);
        return false;
      }
      Object.assign(wire, { sha256: done.sha256, chosenAgain: false });
      // The next page needs the hash, and nothing else may change before this one ends.
      if (noted.has(id)) unwritten.add(id);
      writeSoon();
      if (done.fingerprint) hashed(done.fingerprint);
      return done.fingerprint;
    });
    fingerprints.set(key, made);
    return made;
  }

  return {
    /** Makes this page the one that sends. */
    take: leader.take,
    /**
     * If this page sends, writes the rows of changed items in the order of sending, removes rows without an item, and copies bytes as far
     * as there is room.
     */
    follow(items: readonly Item[]): void {
      const changed = items.filter((item) => noted.get(item.id) !== noteOf(item));
      all = items;
      tell(changed.filter(isStored).map(({ id }) => id));
      if (!ready) return;
      const owed = new Set(items.flatMap((item) => (isHopeless(item) && !isMissing(item) ? [] : [item.id])));
      void forget([...noted.keys()].filter((id) => !owed.has(id)));
      for (const item of changed) {
        if (!owed.has(item.id) || item.ended) continue;
        noted.set(item.id, noteOf(item));
        unwritten.add(item.id);
      }
      if (unwritten.size > 0) writeSoon();
      copying ??= copy().finally(() => (copying = null));
    },
    /** Removes all noted rows if this page is the one that sends. */
    async clear(): Promise<void> {
      const ids = ready ? [...noted.keys()] : [];
      // A page that was frozen may have lost the lock to another page, which owns these rows now.
      if (ids.length > 0 && (await leader.holds())) await forget(ids);
    },
    /** Tells the other pages, if this page sends, not to send these ids any more. */
    tell,
    /** Reads the kept bytes; null if they are gone, `late` if the device does not give them now. */
    async read({ id, name, type, modified }: Item): Promise<File | null | 'late'> {
      try {
        const bytes = await bytesOf(id);
        return bytes && new File([bytes], name, { type, lastModified: modified });
      } catch {
        return 'late';
      }
    },
    /**
     * Computes the file's fingerprint for this device, and writes its hash into `wire`. Null: it cannot be computed, `eventId` is null, or
     * the file is too large. False: the copy differs from the chosen file. The next files are hashed while this one is being sent.
     */
    fingerprint(item: Item, file: File, deviceId: string, eventId: string | null): Promise<string | null | false> {
      const asked = hash(item, file, deviceId, eventId);
      for (const next of all) if (next.file && isOwed(next)) void hash(next, next.file, deviceId, eventId);
      return asked;
    },
    close(): void {
      ignoreReturn();
      writeSoon.cancel();
      void write().catch(ignore);
      leader.close();
      hasher.close();
      copier.close();
    },
  };
}

/** Returns the bytes that copies may take on this device. */
async function room(): Promise<number> {
  const asked = navigator.storage?.estimate?.().catch(() => null) ?? Promise.resolve(null);
  const { quota = QUOTA_BYTES } = (await within(QUOTA_MS, asked, null)) ?? {};
  return Math.min(COPIED_BYTES, quota * SHARE_OF_QUOTA);
}
