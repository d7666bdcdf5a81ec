import type { Photo } from '@feierbild/contract/entities.ts';
import { recall } from '../../lib/storage.ts';
import type { Watched } from '../../lib/store.ts';
import { nullAfter } from '../../lib/time-limit.ts';
import { keepAwake } from '../../lib/wake-lock.ts';
import type { Keeper } from './keep/keeper.ts';
import { filesOf, takeBack, withFiles } from './handover.ts';
import { createNextRun } from './next-run.ts';
import { createQueueStore, type QueueState } from './queue-state.ts';
import type { Item } from './selection.ts';
import { addFiles, isHopeless, isMissing, isOwed, isUnsent, isVideoFile, newKey, newWire, release, unrelease } from './selection.ts';
import { refusedBefore, sendFile, unreached, UNREADABLE, type Sender, type Sending } from './send-file.ts';
import { createThumbnails, type Thumbnails } from './thumbnails.ts';
import { isKept } from './forget-kept.ts';
import { runUploads, type Attempt } from './upload-run.ts';

/** Delay of the check for kept files, so that it does not delay the page. */
const KEPT_CHECK_MS = 1_500;
/** Longest wait until the code that keeps files is loaded and this page has its lock; then sending begins without them. */
const PREPARE_MS = 2_000;
/** A file that is slow to read, as from a cloud, is sent without asking whether the server has it. Longer than a request may stall. */
const KNOWN_MS = 45_000;

const ALTERED = 'Dieses Foto kam verändert an.';

export interface UploadQueue extends Watched<QueueState> {
  /** Starts drawing thumbnails and watching the network; returns what ends both. */
  open(): () => void;
  add(files: readonly File[]): void;
  remove(id: string): void;
  /** Shows a picture that was drawn elsewhere: of a video. */
  show(id: string, picture: Blob | null): void;
  start(sender: Sender): void;
  /** There is consent already: what an earlier page was told to send goes on. */
  goOn(sender: Sender): void;
  /** The consent is withdrawn: nothing is sent by itself until the next start. */
  withdraw(): void;
  /** Ends the sending; nothing of what was not sent stays on the device or the server. */
  stop(): void;
}

/** What comes later than the page: it is needed from the first choice on, or where an earlier page left something. */
const loadKeeping = () => Promise.all([import('./keep/keeper.ts'), import('./keep/resume-file.ts')]);
type Resume = Pick<Awaited<ReturnType<typeof loadKeeping>>[1], 'resumeFile' | 'terminate'>;

/**
 * The selected files of an event and their way to the server. `onStored` is told of new photos at the end of a run, so that nothing
 * else loads during it.
 */
export function createUploadQueue(code: string, onStored: (photos: Photo[]) => void): UploadQueue {
  const { current, subscribe, set, patch, close } = createQueueStore();
  const all = (): readonly Item[] => current().items;
  const nextRun = createNextRun(() => void sendOwed());
  let thumbnails: Thumbnails | null = null;
  let keeping: Promise<unknown> | null = null;
  let keeper: Keeper | null = null;
  let resume: Resume | null = null;
  /** What this page was given, while another one sends it. */
  let handed = new Map<string, Item>();
  /** Who agreed to the sending; null where nobody did, or no longer does. */
  let sender: Sender | null = null;
  let run: Promise<void> | null = null;
  let ending = new AbortController();
  let keptCheckTimer = 0;

  /** Changes an item, and notes that for later pages. */
  function change(id: string, changes: Partial<Item>): void {
    patch(id, changes);
    keeper?.note(
      all().filter((item) => item.id === id),
      all(),
    );
  }

  /** Sets the items, and frees the thumbnails and copies of those that left. */
  function setItems(items: readonly Item[]): void {
    const stay = new Set(items.map(({ id }) => id));
    const left = all().filter(({ id }) => !stay.has(id) && !handed.has(id));
    thumbnails?.forget((id) => !stay.has(id));
    for (const { thumbnail } of left) if (thumbnail) URL.revokeObjectURL(thumbnail);
    const before = new Set(all());
    set({ items });
    if (keeper?.owns()) keeper.drop(left);
    keeper?.note(
      items.filter((item) => !before.has(item)),
      items,
    );
  }

  /** Loads what keeps files beyond the page's life. */
  function keep(): Promise<unknown> {
    if (keeping) return keeping;
    const loading = loadKeeping()
      .then(([{ createKeeper }, { resumeFile, terminate }]) => {
        // The page was left meanwhile.
        if (keeping !== loading) return;
        resume = { resumeFile, terminate };
        keeper = createKeeper(code, {
          gained,
          lost,
          given,
          elsewhere: (elsewhere) => set({ elsewhere }),
          copied: (id) => change(id, { kept: true }),
        });
      })
      // Did not come: tried again at the next occasion.
      .catch(() => void (keeping = null));
    keeping = loading;
    return loading;
  }

  async function prepare(): Promise<void> {
    await keep();
    await keeper?.take();
  }

  /** This page sends from now on what was kept. */
  function gained(kept: Item[]): void {
    const here = new Set(all().map(({ id }) => id));
    const restored = kept.filter(({ id }) => !here.has(id)).map((item) => takeBack(item, handed.get(item.id)));
    handed = new Map();
    setItems([...restored, ...all()]);
    keeper?.note(all(), all());
    void sendOwed();
  }

  /** Another page was given these. */
  function given(files: Map<string, File>): void {
    setItems(withFiles(all(), files));
    void sendOwed();
  }

  /** Another page sends from now on. */
  async function lost(): Promise<Map<string, File>> {
    nextRun.cancel();
    ending.abort();
    await run;
    const mine = all().filter(({ released, file }) => released && file);
    handed = new Map(mine.map((item) => [item.id, item]));
    setItems(all().filter(({ released }) => !released));
    set({ waiting: false });
    return filesOf(mine);
  }

  /** One attempt to send one file. */
  async function send(item: Item, to: Sender, signal: AbortSignal): Promise<Attempt<Photo>> {
    const tooLarge = refusedBefore(item.size, to);
    if (tooLarge) return tooLarge;
    const file = item.file ?? (await keeper?.read(item)) ?? null;
    if (!file) return { kind: 'lost', code: 'unreadable', message: UNREADABLE };
    const { wire } = item;
    const sending: Sending = { sender: to, wire, signal, progress: (progress) => patch(item.id, { progress }) };
    const known = await Promise.race([keeper?.known(item, file, sending), nullAfter(KNOWN_MS, signal)]);
    if (known) return known;
    if (signal.aborted) return unreached;
    const end = await (resume?.resumeFile ?? sendFile)(file, item.name, sending);
    // A file that was gone before the page was there has the size 0, and so has its copy.
    if (end.kind === 'lost' && item.file && (await keeper?.read(item))?.size) {
      patch(item.id, { file: null });
      return send({ ...item, file: null }, to, signal);
    }
    if (end.kind !== 'stored') return end;
    const { photo, sha256 } = end.value;
    if (sha256 === null || wire.sha256 === null || sha256 === wire.sha256) return { kind: 'stored', value: photo };
    if (wire.resent) return { kind: 'refused', code: 'altered', message: ALTERED };
    // Once more from the beginning: the file may have been changed since it was hashed.
    Object.assign(wire, { ...newWire(), resent: true });
    return unreached;
  }

  async function sendAll(to: Sender): Promise<void> {
    const stored: Photo[] = [];
    ending = new AbortController();
    const { signal } = ending;
    const pauseMs = await runUploads<Item, Photo>(
      all().filter(isOwed),
      // As it is now: it may have been given its file by another page.
      (item) => send(all().find(({ id }) => id === item.id) ?? item, to, signal),
      {
        started: ({ id }) => change(id, { state: 'sending', progress: 0, failure: null }),
        stored({ id }, photo) {
          stored.push(photo);
          if (current().waiting) set({ waiting: false });
          change(id, { state: 'stored', progress: 1, photo });
        },
        failed: ({ id }, outcome, failure) => change(id, signal.aborted ? { state: 'waiting', progress: 0 } : { state: outcome, failure }),
      },
      signal,
    );
    nextRun.holdOff(pauseMs);
    if (stored.length > 0) nextRun.reset();
    onStored(stored);
  }

  /** Sends what is owed, and again after a pause what did not reach the server. */
  async function sendOwed(): Promise<void> {
    nextRun.cancel();
    if (!sender || current().running || !all().some(isOwed)) return;
    if (!nextRun.begin()) return set({ waiting: true });
    void keep();
    set({ running: true });
    const letSleep = keepAwake();
    run = sendAll(sender);
    try {
      await run;
    } finally {
      run = null;
      letSleep();
      const waiting = sender !== null && !ending.signal.aborted && all().some(isOwed);
      set({ running: false, waiting });
      nextRun.end(waiting);
      forgetSettled();
    }
  }

  /** Nothing stays on the device where nothing can follow any more: all is stored or refused for good. */
  function forgetSettled(): void {
    const settled = all().every((item) => item.state === 'stored' || (isHopeless(item) && !isMissing(item)));
    if (keeper?.owns() && settled) void keeper.clear();
  }

  return {
    current,
    subscribe,
    open() {
      thumbnails = createThumbnails({
        drawn: (id, thumbnail) => patch(id, { thumbnail }),
        cloud: (cloud) => current().cloud !== cloud && set({ cloud }),
      });
      const stopWatching = nextRun.open();
      if (recall('kept')) void keep();
      // Where a browser was killed, it may have forgotten the note: looked for once the page is there.
      else keptCheckTimer = window.setTimeout(() => void isKept(code).then((any) => any && keep()), KEPT_CHECK_MS);
      return () => {
        stopWatching();
        close();
        clearTimeout(keptCheckTimer);
        ending.abort();
        thumbnails?.close();
        // Before the items go: what is kept stays.
        keeper?.close();
        keeper = keeping = null;
        setItems([]);
      };
    },
    add(files) {
      const before = new Set(all().map(({ file }) => file));
      setItems(addFiles(all(), files, newKey));
      for (const item of all()) {
        const { id, file, isHeic } = item;
        if (file && !before.has(file)) thumbnails?.add(id, file, !isHeic && !isVideoFile(item));
      }
      void keep();
    },
    remove: (id) => setItems(all().filter((item) => item.id !== id)),
    show(id, picture) {
      if (all().some((item) => item.id === id)) change(id, { thumbnail: picture && URL.createObjectURL(picture) });
    },
    start(to) {
      if (current().running) return;
      sender = to;
      setItems(release(all()));
      set({ waiting: false, running: true });
      void Promise.race([prepare(), new Promise((resolve) => setTimeout(resolve, PREPARE_MS))]).then(() => {
        set({ running: false });
        void sendOwed();
      });
    },
    goOn(to) {
      sender = to;
      void sendOwed();
    },
    withdraw() {
      sender = null;
      nextRun.cancel();
      ending.abort();
      setItems(all().map((item) => (isUnsent(item) ? { ...item, released: false } : item)));
      set({ waiting: false });
    },
    async stop() {
      const from = sender;
      sender = null;
      nextRun.cancel();
      ending.abort();
      await run;
      const unsent = all().filter((item) => item.state !== 'stored');
      if (from) for (const { wire } of unsent) if (wire.begun) resume?.terminate(wire.key, from);
      if (keeper?.owns()) keeper.drop(unsent);
      setItems(unrelease(all()));
      set({ waiting: false });
      forgetSettled();
    },
  };
}
