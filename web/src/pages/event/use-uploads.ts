import type { Photo } from '@feierbild/contract/entities.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLeaveGuard } from '../../lib/leave-guard.ts';
import { addFiles, hasLostConnection, retried, type Item } from './selection.ts';
import { sendFile, type Sender } from './send-file.ts';
import { createThumbnails, type Thumbnails } from './thumbnails.ts';
import { runUploads } from './upload-run.ts';
import { keepAwake } from './wake-lock.ts';

export interface Uploads {
  items: readonly Item[];
  /** Object URLs of drawn thumbnails; null where none can be drawn. */
  thumbnails: ReadonlyMap<string, string | null>;
  running: boolean;
  add(files: readonly File[]): void;
  remove(id: string): void;
  start(sender: Sender): void;
  /** The consent is gone: nothing is sent again until the next start. */
  withdraw(): void;
}

const LEAVE_QUESTION = 'Es werden noch Fotos hochgeladen. Möchten Sie die Seite trotzdem verlassen?';
let lastId = 0;
const newId = (): string => String(++lastId);

/** The selection and its runs. `onStored` hears of new photos when a run is over, so that nothing else loads during it. */
export function useUploads(onStored: (photos: Photo[]) => void): Uploads {
  const { items, read, update, patch } = useItems();
  const { thumbnails, draw, keepOnly } = useThumbnails();
  const [running, setRunning] = useState(false);
  const busy = useRef(false);
  /** Signal or screen came back while a run was on: what it loses is sent again right after it. */
  const cameBack = useRef(false);
  /** Who has agreed to the sending; null where nobody has, or does no longer. */
  const lastSender = useRef<Sender | null>(null);

  const add = useCallback(
    (files: readonly File[]): void => {
      const before = new Set(read().map(({ id }) => id));
      update((all) => addFiles(all, files, newId));
      keepOnly(read());
      for (const item of read()) if (!before.has(item.id) && !item.isHeic) draw(item.id, item.file);
    },
    [draw, keepOnly, read, update],
  );

  const remove = useCallback(
    (id: string): void => {
      update((all) => all.filter((item) => item.id !== id));
      keepOnly(read());
    },
    [keepOnly, read, update],
  );

  const run = useCallback(
    async (sender: Sender): Promise<void> => {
      update((all) => all.map((item) => (item.state === 'failed' ? retried(item) : item)));
      const waiting = read().filter(({ state }) => state === 'pending');
      const stored: Photo[] = [];
      await runUploads<Item, Photo>(waiting, (item) => sendFile(item.file, sender, (progress) => patch(item.id, { progress })), {
        started: (item) => patch(item.id, { state: 'uploading', progress: 0 }),
        stored: (item, photo) => {
          stored.push(photo);
          patch(item.id, { state: 'uploaded', progress: 1 });
        },
        failed: (item, failure) => patch(item.id, { state: 'failed', failure }),
      });
      onStored(stored);
    },
    [onStored, patch, read, update],
  );

  const start = useCallback(
    async (sender: Sender): Promise<void> => {
      if (busy.current) return;
      busy.current = true;
      lastSender.current = sender;
      setRunning(true);
      const sleepAgain = keepAwake();
      do {
        cameBack.current = false;
        await run(sender);
      } while (cameBack.current && lastSender.current && hasLostConnection(read()));
      sleepAgain();
      busy.current = false;
      setRunning(false);
    },
    [read, run],
  );

  // Signal back, or the phone unlocked: what failed for want of a connection goes out again.
  useEffect(() => {
    const resume = (): void => {
      if (!navigator.onLine || document.visibilityState !== 'visible') return;
      cameBack.current = true;
      if (lastSender.current && hasLostConnection(read())) void start(lastSender.current);
    };
    window.addEventListener('online', resume);
    document.addEventListener('visibilitychange', resume);
    return () => {
      window.removeEventListener('online', resume);
      document.removeEventListener('visibilitychange', resume);
    };
  }, [read, start]);

  const withdraw = useCallback((): void => {
    lastSender.current = null;
  }, []);

  useLeaveGuard(running, LEAVE_QUESTION);

  return { items, thumbnails, running, add, remove, start: useCallback((sender) => void start(sender), [start]), withdraw };
}

/** The items, readable at once by what runs outside of React; six progress bars redraw the page at most once a frame. */
function useItems() {
  const [items, setItems] = useState<readonly Item[]>([]);
  const current = useRef<readonly Item[]>([]);
  const frame = useRef(0);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);

  const read = useCallback((): readonly Item[] => current.current, []);
  const update = useCallback((change: (items: readonly Item[]) => readonly Item[]): void => {
    current.current = change(current.current);
    setItems(current.current);
  }, []);
  const patch = useCallback((id: string, changes: Partial<Item>): void => {
    current.current = current.current.map((item) => (item.id === id ? { ...item, ...changes } : item));
    if (changes.state) setItems(current.current);
    else {
      cancelAnimationFrame(frame.current);
      frame.current = requestAnimationFrame(() => setItems(current.current));
    }
  }, []);
  return { items, read, update, patch };
}

/** Thumbnails of the items; their object URLs live as long as their items. */
function useThumbnails() {
  const [thumbnails, setThumbnails] = useState<ReadonlyMap<string, string | null>>(new Map());
  const drawing = useRef<Thumbnails | null>(null);
  const urls = useRef(new Map<string, string | null>());

  useEffect(() => {
    const drawn = urls.current;
    drawing.current = createThumbnails((id, url) => {
      drawn.set(id, url);
      setThumbnails(new Map(drawn));
    });
    return () => {
      drawing.current?.close();
      for (const url of drawn.values()) if (url) URL.revokeObjectURL(url);
      drawn.clear();
    };
  }, []);

  const draw = useCallback((id: string, file: File): void => drawing.current?.draw(id, file), []);
  const keepOnly = useCallback((items: readonly Item[]): void => {
    const kept = new Set(items.map(({ id }) => id));
    drawing.current?.forget((id) => !kept.has(id));
    for (const [id, url] of urls.current) {
      if (kept.has(id)) continue;
      if (url) URL.revokeObjectURL(url);
      urls.current.delete(id);
    }
    setThumbnails(new Map(urls.current));
  }, []);
  return { thumbnails, draw, keepOnly };
}
