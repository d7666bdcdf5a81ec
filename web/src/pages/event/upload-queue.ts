import type { Photo } from '@feierbild/contract/entities.ts';
import { recall } from '../../lib/storage.ts';
import { keepAwake } from '../../lib/wake-lock.ts';
import type { Keeper } from './keep/keeper.ts';
import { watchLine } from './line-watch.ts';
import { addFiles, isHopeless, isMissing, isOwed, isUnsent, newKey, newWire, release, unrelease, type Item } from './selection.ts';
import { refusedBefore, sendFile, unreached, UNREADABLE, type Sender, type Sending } from './send-file.ts';
import { createThumbnails, type Thumbnails } from './thumbnails.ts';
import { isKept } from './forget-kept.ts';
import { runUploads, type Attempt } from './upload-run.ts';

/** Pause before a run that starts by itself: doubles from the first to the longest, ms. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

/** The page comes first. */
const LOOK_MS = 1_500;
/** The sending does not wait longer for what keeps the files. */
const PREPARE_MS = 2_000;

const ALTERED = 'Dieses Foto kam verändert an.';

export interface QueueState {
  items: readonly Item[];
  /** Files are being sent. */
  running: boolean;
  /** Files that did not reach the server are sent again by themselves; stays true during such a run until it has stored one. */
  waiting: boolean;
  /** What another page of this browser has stored, while it is the one that sends. */
  elsewhere: { stored: number; total: number } | null;
  /** The device still loads a chosen file from a cloud. */
  cloud: boolean;
}

export interface UploadQueue {
  /** The same object until something changes. */
  current(): QueueState;
  /** Calls back after each change; returns what ends that. */
  subscribe(listener: () => void): () => void;
  /** Starts drawing thumbnails and watching the network; returns what ends both. */
  open(): () => void;
  add(files: readonly File[]): void;
  remove(id: string): void;
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
  let state: QueueState = { items: [], running: false, waiting: false, elsewhere: null, cloud: false };
  const listeners = new Set<() => void>();
  let thumbnails: Thumbnails | null = null;
  let keeping: Promise<unknown> | null = null;
  let keeper: Keeper | null = null;
  let resume: Resume | null = null;
  /** What this page was given, while another one sends it. */
  let handed = new Map<string, Item>();
  let frame = 0;
  /** Who agreed to the sending; null where nobody did, or no longer does. */
  let sender: Sender | null = null;
  let run: Promise<void> | null = null;
  let ending = new AbortController();
  /** The network or the page came back during a run: what that run fails to send is tried again at its end. */
  let cameBack = false;
  let timer = 0;
  let stopWatching = (): void => undefined;
  let lookTimer = 0;
  let nextPauseMs = FIRST_PAUSE_MS;
  /** The server asked for no request before this instant, ms since 1970. */
  let notBefore = 0;

  const notify = (): void => listeners.forEach((listener) => listener());
  function set(changes: Partial<QueueState>): void {
    state = { ...state, ...changes };
    state.waiting &&= state.items.some(isOwed);
    notify();
  }

  /** Redraws the page at most once a frame. A hidden page has no frames, but its title tells how many are left. */
  function redraw(): void {
    if (document.visibilityState !== 'visible') notify();
    else
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        notify();
      });
  }

  function patch(id: string, changes: Partial<Item>): void {
    state = { ...state, items: state.items.map((item) => (item.id === id ? { ...item, ...changes } : item)) };
    redraw();
    if (!changes.state && !changes.kept) return;
    keeper?.note(
      state.items.filter((item) => item.id === id),
      state.items,
    );
  }

  /** Sets the items, and frees the thumbnails and copies of those that left. */
  function setItems(items: readonly Item[]): void {
    const stay = new Set(items.map(({ id }) => id));
    const left = state.items.filter(({ id }) => !stay.has(id) && !handed.has(id));
    thumbnails?.forget((id) => !stay.has(id));
    for (const { thumbnail } of left) if (thumbnail) URL.revokeObjectURL(thumbnail);
    const before = new Set(state.items);
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
          given: (files) => setItems(state.items.map((item) => withFile(item, files.get(item.id)))),
          elsewhere: (elsewhere) => set({ elsewhere }),
          copied: (id) => patch(id, { kept: true }),
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
    const here = new Set(state.items.map(({ id }) => id));
    const restored = kept.filter(({ id }) => !here.has(id)).map((item) => handed.get(item.id) ?? item);
    handed = new Map();
    setItems([...restored, ...state.items]);
    keeper?.note(state.items, state.items);
    void sendOwed();
  }

  /** Another page sends from now on. */
  async function lost(): Promise<Map<string, File>> {
    const files = new Map(state.items.flatMap(({ id, file, state: at }) => (file && at !== 'stored' ? [[id, file]] : [])));
    endPause();
    ending.abort();
    await run;
    handed = new Map(state.items.filter(({ released, file }) => released && file).map((item) => [item.id, item]));
    setItems(state.items.filter(({ released }) => !released));
    set({ waiting: false });
    return files;
  }

  /** One attempt to send one file. */
  async function send(item: Item, to: Sender, signal: AbortSignal): Promise<Attempt<Photo>> {
    const tooLarge = refusedBefore(item.size, to);
    if (tooLarge) return tooLarge;
    const file = item.file ?? (await keeper?.read(item)) ?? null;
    if (!file) return { kind: 'lost', code: 'unreadable', message: UNREADABLE };
    const { wire } = item;
    const sending: Sending = { sender: to, wire, signal, progress: (progress) => patch(item.id, { progress }) };
    const known = await keeper?.known(item, file, sending);
    if (known) return known;
    if (signal.aborted) return unreached;
    const end = await (resume?.resumeFile ?? sendFile)(file, item.name, sending);
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
      state.items.filter(isOwed),
      // As it is now: it may have been given its file by another page.
      (item) => send(state.items.find(({ id }) => id === item.id) ?? item, to, signal),
      {
        started: ({ id }) => patch(id, { state: 'sending', progress: 0, failure: null }),
        stored({ id, file }, photo) {
          if (photo.video && file)
            void import('./video/poster.ts').then(
              ({ sendPoster }) => sendPoster(file, photo, to.deviceId),
              () => undefined,
            );
          stored.push(photo);
          if (state.waiting) set({ waiting: false });
          patch(id, { state: 'stored', progress: 1 });
        },
        failed: ({ id }, outcome, failure) => patch(id, signal.aborted ? { state: 'waiting', progress: 0 } : { state: outcome, failure }),
      },
      signal,
    );
    notBefore = Date.now() + pauseMs;
    if (stored.length > 0) nextPauseMs = FIRST_PAUSE_MS;
    onStored(stored);
  }

  /** Sends what is owed, and again after a pause what did not reach the server. */
  async function sendOwed(): Promise<void> {
    endPause();
    if (!sender || state.running || !state.items.some(isOwed)) return;
    if (Date.now() < notBefore) {
      set({ waiting: true });
      sendLater(notBefore - Date.now());
      return;
    }
    void keep();
    set({ running: true });
    const letSleep = keepAwake();
    cameBack = false;
    run = sendAll(sender);
    try {
      await run;
    } finally {
      run = null;
      letSleep();
      const waiting = sender !== null && !ending.signal.aborted && state.items.some(isOwed);
      set({ running: false, waiting });
      if (waiting) sendLater(cameBack ? 0 : nextPauseMs);
      nextPauseMs = waiting ? Math.min(nextPauseMs * 2, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS;
      forgetSettled();
    }
  }

  /** Nothing stays on the device where nothing can follow any more: all is stored or refused for good, or the event is over. */
  function forgetSettled(): void {
    const over = state.items.some(({ failure }) => failure?.code === 'event_inactive' || failure?.code === 'event_not_found');
    const settled = state.items.every((item) => item.state === 'stored' || (isHopeless(item) && !isMissing(item)));
    if (keeper?.owns() && (over || settled)) void keeper.clear();
  }

  /** A hidden page waits until it is seen again; one that is seen goes on as soon as the server answers again. */
  function sendLater(pauseMs: number): void {
    endPause();
    if (document.visibilityState !== 'visible') return;
    timer = window.setTimeout(() => void sendOwed(), pauseMs);
    if (pauseMs > 0) stopWatching = watchLine(goOnNow);
  }

  function endPause(): void {
    clearTimeout(timer);
    stopWatching();
  }

  function goOnNow(): void {
    nextPauseMs = FIRST_PAUSE_MS;
    void sendOwed();
  }

  function comeBack(): void {
    if (!navigator.onLine || document.visibilityState !== 'visible') return;
    cameBack = true;
    goOnNow();
  }

  return {
    current: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    open() {
      thumbnails = createThumbnails({
        drawn: (id, thumbnail) => patch(id, { thumbnail }),
        cloud: (cloud) => state.cloud !== cloud && set({ cloud }),
      });
      window.addEventListener('online', comeBack);
      window.addEventListener('pageshow', comeBack);
      document.addEventListener('visibilitychange', comeBack);
      if (recall('kept')) void keep();
      // Where a browser was killed, it may have forgotten the mark: looked for once the page is there.
      else lookTimer = window.setTimeout(() => void isKept(code).then((any) => any && keep()), LOOK_MS);
      return () => {
        window.removeEventListener('online', comeBack);
        window.removeEventListener('pageshow', comeBack);
        document.removeEventListener('visibilitychange', comeBack);
        cancelAnimationFrame(frame);
        endPause();
        clearTimeout(lookTimer);
        ending.abort();
        thumbnails?.close();
        // Before the items go: what is kept stays.
        keeper?.close();
        keeper = keeping = null;
        setItems([]);
      };
    },
    add(files) {
      const before = new Set(state.items.map(({ file }) => file));
      setItems(addFiles(state.items, files, newKey));
      for (const { id, file, isHeic } of state.items) if (file && !before.has(file)) thumbnails?.add(id, file, !isHeic);
      void keep();
    },
    remove: (id) => setItems(state.items.filter((item) => item.id !== id)),
    start(to) {
      if (state.running) return;
      sender = to;
      setItems(release(state.items));
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
      endPause();
      setItems(state.items.map((item) => (isUnsent(item) ? { ...item, released: false } : item)));
      set({ waiting: false });
    },
    async stop() {
      const from = sender;
      sender = null;
      endPause();
      ending.abort();
      await run;
      const unsent = state.items.filter((item) => item.state !== 'stored');
      if (from) for (const { wire } of unsent) if (wire.begun) resume?.terminate(wire.key, from);
      if (keeper?.owns()) keeper.drop(unsent);
      setItems(unrelease(state.items));
      set({ waiting: false });
      forgetSettled();
    },
  };
}

function withFile(item: Item, file: File | undefined): Item {
  if (!file || item.file || !(isMissing(item) || isUnsent(item))) return item;
  return isMissing(item) ? { ...item, file, state: 'waiting', failure: null } : { ...item, file };
}
