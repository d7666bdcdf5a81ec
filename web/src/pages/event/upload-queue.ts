import type { Photo } from '@feierbild/contract/entities.ts';
import { addFiles, isOwed, release, type Item } from './selection.ts';
import { sendFile, type Sender } from './send-file.ts';
import { createThumbnails, type Thumbnails } from './thumbnails.ts';
import { runUploads } from './upload-run.ts';
import { keepAwake } from '../../lib/wake-lock.ts';

/** Pause before a run that starts by itself: doubles from the first to the longest, ms. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

export interface QueueState {
  items: readonly Item[];
  /** Files are being sent. */
  running: boolean;
  /** Files that did not reach the server are sent again by themselves; stays true during such a run until it has stored one. */
  waiting: boolean;
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
  /** The consent is withdrawn: nothing is sent by itself until the next start. */
  withdraw(): void;
}

/** The selected files and their way to the server. `onStored` is told of new photos at the end of a run, so that nothing else loads during it. */
export function createUploadQueue(onStored: (photos: Photo[]) => void): UploadQueue {
  let state: QueueState = { items: [], running: false, waiting: false };
  const listeners = new Set<() => void>();
  let thumbnails: Thumbnails | null = null;
  let frame = 0;
  let lastId = 0;
  /** Who agreed to the sending; null where nobody did, or no longer does. */
  let sender: Sender | null = null;
  /** The network or the page came back during a run: what that run fails to send is tried again at its end. */
  let cameBack = false;
  let timer = 0;
  let nextPauseMs = FIRST_PAUSE_MS;
  /** The server asked for no request before this instant, ms since 1970. */
  let notBefore = 0;

  const notify = (): void => listeners.forEach((listener) => listener());
  function set(changes: Partial<QueueState>): void {
    state = { ...state, ...changes };
    state.waiting &&= state.items.some(isOwed);
    notify();
  }

  /** Progress and thumbnails redraw the page at most once a frame. */
  function patch(id: string, changes: Partial<Item>): void {
    state = { ...state, items: state.items.map((item) => (item.id === id ? { ...item, ...changes } : item)) };
    cancelAnimationFrame(frame);
    if (changes.state) notify();
    else frame = requestAnimationFrame(notify);
  }

  /** Sets the items, and frees the thumbnails of those that left. */
  function setItems(items: readonly Item[]): void {
    const kept = new Set(items.map(({ id }) => id));
    thumbnails?.forget((id) => !kept.has(id));
    for (const { id, thumbnail } of state.items) if (thumbnail && !kept.has(id)) URL.revokeObjectURL(thumbnail);
    set({ items });
  }

  async function run(to: Sender): Promise<void> {
    const stored: Photo[] = [];
    const pauseMs = await runUploads<Item, Photo>(
      state.items.filter(isOwed),
      (item) => sendFile(item.file, to, (progress) => patch(item.id, { progress })),
      {
        started: ({ id }) => patch(id, { state: 'sending', progress: 0, failure: null }),
        stored({ id }, photo) {
          stored.push(photo);
          if (state.waiting) set({ waiting: false });
          patch(id, { state: 'stored', progress: 1 });
        },
        failed: ({ id }, outcome, failure) => patch(id, { state: outcome, failure }),
      },
    );
    notBefore = Date.now() + pauseMs;
    if (stored.length > 0) nextPauseMs = FIRST_PAUSE_MS;
    onStored(stored);
  }

  /** Sends what is owed, and again after a pause what did not reach the server. */
  async function sendOwed(): Promise<void> {
    clearTimeout(timer);
    if (!sender || state.running || !state.items.some(isOwed)) return;
    if (Date.now() < notBefore) {
      set({ waiting: true });
      sendLater(notBefore - Date.now());
      return;
    }
    set({ running: true });
    const letSleep = keepAwake();
    cameBack = false;
    try {
      await run(sender);
    } finally {
      letSleep();
      const waiting = sender !== null && state.items.some(isOwed);
      set({ running: false, waiting });
      if (waiting) sendLater(cameBack ? 0 : nextPauseMs);
      nextPauseMs = waiting ? Math.min(nextPauseMs * 2, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS;
    }
  }

  /** A hidden page waits until it is seen again. */
  function sendLater(pauseMs: number): void {
    clearTimeout(timer);
    if (document.visibilityState === 'visible') timer = window.setTimeout(() => void sendOwed(), pauseMs);
  }

  function resume(): void {
    if (!navigator.onLine || document.visibilityState !== 'visible') return;
    cameBack = true;
    nextPauseMs = FIRST_PAUSE_MS;
    void sendOwed();
  }

  return {
    current: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    open() {
      thumbnails = createThumbnails((id, thumbnail) => patch(id, { thumbnail }));
      window.addEventListener('online', resume);
      window.addEventListener('pageshow', resume);
      document.addEventListener('visibilitychange', resume);
      return () => {
        window.removeEventListener('online', resume);
        window.removeEventListener('pageshow', resume);
        document.removeEventListener('visibilitychange', resume);
        cancelAnimationFrame(frame);
        clearTimeout(timer);
        thumbnails?.close();
        setItems([]);
      };
    },
    add(files) {
      const before = new Set(state.items.map(({ id }) => id));
      setItems(addFiles(state.items, files, () => String(++lastId)));
      for (const { id, file, isHeic } of state.items) if (!before.has(id) && !isHeic) thumbnails?.draw(id, file);
    },
    remove: (id) => setItems(state.items.filter((item) => item.id !== id)),
    start(to) {
      if (state.running) return;
      sender = to;
      setItems(release(state.items));
      set({ waiting: false });
      void sendOwed();
    },
    withdraw() {
      sender = null;
      clearTimeout(timer);
      set({ waiting: false });
    },
  };
}
