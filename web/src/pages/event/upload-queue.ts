import type { Photo } from '@feierbild/contract/entities.ts';
import { addFiles, lostConnection, retried, type Item } from './selection.ts';
import { sendFile, type Sender } from './send-file.ts';
import { createThumbnails, type Thumbnails } from './thumbnails.ts';
import { runUploads } from './upload-run.ts';
import { keepAwake } from './wake-lock.ts';

export interface QueueState {
  items: readonly Item[];
  /** Files are being sent. */
  running: boolean;
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
  let state: QueueState = { items: [], running: false };
  const listeners = new Set<() => void>();
  let thumbnails: Thumbnails | null = null;
  let frame = 0;
  let lastId = 0;
  /** Who agreed to the sending; null where nobody did, or no longer does. */
  let sender: Sender | null = null;
  /** The network or the page came back during a run: what that run fails to send is tried again at its end. */
  let cameBack = false;

  const notify = (): void => listeners.forEach((listener) => listener());
  function set(changes: Partial<QueueState>): void {
    state = { ...state, ...changes };
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
    set({ items: state.items.map((item) => (item.failure ? retried(item) : item)) });
    const stored: Photo[] = [];
    await runUploads<Item, Photo>(
      state.items.filter((item) => item.state === 'waiting'),
      (item) => sendFile(item.file, to, (progress) => patch(item.id, { progress })),
      {
        started: ({ id }) => patch(id, { state: 'sending', progress: 0 }),
        stored({ id }, photo) {
          stored.push(photo);
          patch(id, { state: 'stored', progress: 1 });
        },
        failed: ({ id }, outcome, failure) => patch(id, { state: outcome, failure }),
      },
    );
    onStored(stored);
  }

  async function start(to: Sender): Promise<void> {
    if (state.running) return;
    sender = to;
    set({ running: true });
    const letSleep = keepAwake();
    do {
      cameBack = false;
      await run(to);
    } while (cameBack && sender && lostConnection(state.items));
    letSleep();
    set({ running: false });
  }

  function resume(): void {
    if (!navigator.onLine || document.visibilityState !== 'visible') return;
    cameBack = true;
    if (sender && lostConnection(state.items)) void start(sender);
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
      document.addEventListener('visibilitychange', resume);
      return () => {
        window.removeEventListener('online', resume);
        document.removeEventListener('visibilitychange', resume);
        cancelAnimationFrame(frame);
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
    start: (to) => void start(to),
    withdraw() {
      sender = null;
    },
  };
}
