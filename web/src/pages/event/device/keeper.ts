import { within } from '../../../lib/time-limit.ts';
import { isHopeless, isMissing, isOwed, isStored, isUnsent, newWire, type Item } from '../item.ts';
import { readBytes, removeBytes } from './bytes.ts';
import { drop, forgetEvent, restore, save } from './descriptors.ts';
import type { Done, Job } from './keep.worker.ts';
import { canLead, createLeader } from './leader.ts';
import { createWork } from './work.ts';

/** Copies on this device: at most so many bytes, and this share of what the browser grants. */
const COPIED_BYTES = 300_000_000;
const SHARE_OF_QUOTA = 1 / 5;
/** Larger files are neither hashed nor copied: both need them in memory. */
const READ_BYTES = 100 * 1024 * 1024;
/** Where the browser does not tell what it grants. */
const QUOTA_BYTES = 250_000_000;

/** After a sleep, storage of some phones answers nothing. */
const RESTORE_MS = 10_000;

const CANNOT_READ = ['NotReadableError', 'NotFoundError', 'TimeoutError'];
const ignore = (): void => undefined;

/** Whose photos fingerprints are of. */
export interface Owner {
  deviceId: string;
  /** Null where the event's id could not be asked for. */
  eventId: Promise<string | null>;
}

export interface KeeperEvents {
  /** This page sends from now on; `items` are all that was kept. */
  gained(items: Item[]): void;
  /** Another page sends from now on: stops, and resolves with the files that this page was given. */
  lost(): Promise<Map<string, File>>;
  /** Another page was given these. */
  given(files: Map<string, File>): void;
  /** What the page that sends has stored; `done`: ids of those that it has stored just now. */
  elsewhere(progress: { stored: number; total: number }, done: readonly string[]): void;
  /** This device has a copy of its bytes now. */
  copied(id: string): void;
  /** The fingerprint of a file is known. */
  hashed(fingerprint: string): void;
}

/** Keeps what is to be sent beyond the page's life, and agrees with other pages of the event on who sends it. */
export interface Keeper {
  /** Makes this page the one that sends. */
  take(): Promise<void>;
  /** Notes how things stand with these; copies bytes as far as there is room. `all`: everything that is waiting, in the order of sending. */
  note(changed: readonly Item[], all: readonly Item[]): void;
  /** Removes these, where this page is the one that sends. */
  drop(items: readonly Item[]): void;
  /** Removes all that is kept of the event, where this page is the one that sends. */
  clear(): void;
  /** The kept bytes; null where they are gone. */
  read(item: Item): Promise<File | null>;
  /**
   * The file's fingerprint, and its hash into its `wire`; null where it cannot be told, false where its copy is not what was chosen.
   * The next files are hashed, too, while this one is on its way.
   */
  fingerprint(item: Item, file: File, owner: Owner): Promise<string | null | false>;
  close(): void;
}

/** Null where the browser can keep nothing. */
export function createKeeper(event: string, on: KeeperEvents): Keeper | null {
  if (!canLead() || !('indexedDB' in window)) return null;
  const hasher = createWork();
  const copier = createWork();
  const fingerprints = new Map<string, Promise<string | null>>();
  let all: readonly Item[] = [];
  /** This page is the one that sends. */
  let leads = false;
  /** So it is, and knows all that was kept. */
  let ready = false;
  /** Files of another page that came before this one knew what was kept. */
  const early = new Map<string, File>();
  let copying = false;
  /** No room, or not allowed. */
  let refused = false;
  let limit: Promise<number> | null = null;
  /** Ids of those that are noted. */
  const saved = new Set<string>();
  /** Ids of files that could not be read. */
  const unread = new Set<string>();
  /** Keys of uploads whose copy is not what was chosen. */
  const damaged = new Set<string>();

  const needsCopy = (item: Item): boolean =>
    item.file !== null && !item.kept && item.released && item.size <= READ_BYTES && !unread.has(item.id) && isUnsent(item);

  const leader = createLeader(`uploads:${event}`, {
    async gained(reign) {
      const items = await within(RESTORE_MS, restore(event, reign), null, reign).catch(() => null);
      if (reign.aborted) return;
      // What cannot be read must not be taken for empty: nothing is kept or removed then.
      ready = items !== null;
      leads = true;
      for (const { id } of items ?? []) saved.add(id);
      on.gained(items ?? []);
      if (early.size > 0) on.given(early);
      early.clear();
    },
    async lost() {
      ready = leads = false;
      all = [];
      const files = await on.lost();
      leader.post({ type: 'files', files: [...files] });
    },
    heard(message) {
      if (message.type === 'hello') tell([]);
      else if (message.type === 'state' && !leads) {
        // The page that sends has them.
        early.clear();
        on.elsewhere(message, message.done);
      } else if (message.type === 'files' && leads) on.given(new Map(message.files));
      else if (message.type === 'files') for (const [id, file] of message.files) early.set(id, file);
    },
  });

  function tell(changed: readonly Item[]): void {
    if (!leads) return;
    const done = changed.filter(isStored).map(({ id }) => id);
    leader.post({ type: 'state', stored: all.filter(isStored).length, total: all.length, done });
  }

  /** One after the other, newest first, as far as there is room. */
  async function copy(): Promise<void> {
    if (copying || refused) return;
    copying = true;
    try {
      for (;;) {
        limit ??= room();
        let free = await limit;
        for (const { kept, state, size } of all) if (kept && state !== 'stored') free -= size;
        const [next] = all.filter((item) => needsCopy(item) && item.size <= free).sort((a, b) => b.modified - a.modified);
        if (!next?.file || !ready) return;
        const job: Job = { kind: 'copy', file: next.file, event, id: next.id };
        // Its row first: without one the next page knows of no copy.
        const done = await save(event, next, all.indexOf(next)).then(
          () => copier.do(job),
          ({ name }: DOMException): Done => ({ failed: name }),
        );
        // The code that copies did not come: tried again with the next note.
        if (!done) return;
        const now = all.find(({ id }) => id === next.id);
        if ('copied' in done) {
          // Stored or removed meanwhile.
          if (!now || isStored(now)) await removeBytes(event, next.id);
          else on.copied(next.id);
        } else if ('failed' in done && CANNOT_READ.includes(done.failed)) unread.add(next.id);
        else {
          refused = true;
          return;
        }
      }
    } finally {
      copying = false;
    }
  }

  /** The file's fingerprint, made once for each upload; null where it cannot be told. */
  function hash({ wire, file: chosen }: Item, file: File, { deviceId, eventId }: Owner): Promise<string | null> {
    const { key } = wire;
    const before = fingerprints.get(key);
    if (before) return before;
    const made: Promise<string | null> = eventId.then(async (id) => {
      const done = await hasher.do({ kind: 'hash', file, deviceId, eventId: id });
      if (!done || !('sha256' in done)) return null;
      // By its name and size alone it looked like the file that was begun.
      if (wire.chosenAgain && wire.sha256 !== done.sha256) fingerprints.set(Object.assign(wire, newWire()).key, made);
      if (chosen === null && wire.sha256 !== null && wire.sha256 !== done.sha256) damaged.add(key);
      Object.assign(wire, { sha256: done.sha256, chosenAgain: false });
      if (done.fingerprint) on.hashed(done.fingerprint);
      return done.fingerprint;
    });
    fingerprints.set(key, made);
    return made;
  }

  return {
    take: leader.take,
    note(changed, items) {
      all = items;
      tell(changed);
      if (!ready) return;
      for (const item of changed) {
        if (!item.released && !saved.has(item.id)) continue;
        saved.add(item.id);
        if (isHopeless(item) && !isMissing(item)) void drop(event, item.id).catch(ignore);
        else void save(event, item, items.indexOf(item)).catch(ignore);
        if (!isStored(item)) continue;
        void removeBytes(event, item.id);
        // There is room again.
        refused &&= !item.kept;
      }
      void copy();
    },
    drop(items) {
      if (!ready) return;
      for (const { id } of items) {
        saved.delete(id);
        void drop(event, id).catch(ignore);
      }
    },
    clear() {
      if (!ready || saved.size === 0) return;
      saved.clear();
      void forgetEvent(event).catch(ignore);
    },
    async read({ id, name, type, size, modified }) {
      const bytes = await readBytes(event, id, size);
      return bytes && new File([bytes], name, { type, lastModified: modified });
    },
    async fingerprint(item, file, owner) {
      if (file.size > READ_BYTES) return null;
      const hashed = hash(item, file, owner);
      for (const next of all) if (next.file && isOwed(next) && next.size <= READ_BYTES) void hash(next, next.file, owner);
      const fingerprint = await hashed;
      return damaged.has(item.wire.key) ? false : fingerprint;
    },
    close() {
      leader.close();
      hasher.close();
      copier.close();
    },
  };
}

/** Bytes that copies may take on this device. */
async function room(): Promise<number> {
  const { quota = QUOTA_BYTES } = (await navigator.storage?.estimate?.().catch(() => null)) ?? {};
  return Math.min(COPIED_BYTES, quota * SHARE_OF_QUOTA);
}
