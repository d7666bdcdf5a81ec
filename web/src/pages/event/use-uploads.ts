import type { Photo } from '@feierbild/contract/entities.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { addFiles, retried, type Item } from './selection.ts';
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
}

let lastId = 0;
const newId = (): string => String(++lastId);

/** The selection and its runs. `onStored` hears of new photos when a run is over, so that nothing else loads during it. */
export function useUploads(onStored: (photos: Photo[]) => void): Uploads {
  const [items, setItems] = useState<readonly Item[]>([]);
  const [thumbnails, setThumbnails] = useState<ReadonlyMap<string, string | null>>(new Map());
  const [running, setRunning] = useState(false);
  const current = useRef<readonly Item[]>([]);
  const drawing = useRef<Thumbnails | null>(null);
  const lastSender = useRef<Sender | null>(null);

  const update = useCallback((change: (items: readonly Item[]) => readonly Item[]): void => {
    current.current = change(current.current);
    setItems(current.current);
  }, []);
  const patch = useCallback(
    (id: string, changes: Partial<Item>): void => update((all) => all.map((item) => (item.id === id ? { ...item, ...changes } : item))),
    [update],
  );

  useEffect(() => {
    const urls = new Set<string>();
    drawing.current = createThumbnails((id, url) => {
      if (url) urls.add(url);
      setThumbnails((before) => new Map(before).set(id, url));
    });
    return () => {
      drawing.current?.close();
      for (const url of urls) URL.revokeObjectURL(url);
    };
  }, []);

  const add = useCallback(
    (files: readonly File[]): void => {
      const before = new Set(current.current.map(({ id }) => id));
      update((all) => addFiles(all, files, newId));
      for (const item of current.current) if (!before.has(item.id) && !item.isHeic) drawing.current?.draw(item.id, item.file);
    },
    [update],
  );

  const remove = useCallback((id: string): void => update((all) => all.filter((item) => item.id !== id)), [update]);

  const start = useCallback(
    (sender: Sender): void => {
      lastSender.current = sender;
      update((all) => all.map((item) => (item.state === 'failed' ? retried(item) : item)));
      const waiting = current.current.filter(({ state }) => state === 'pending');
      if (waiting.length === 0) return;
      const stored: Photo[] = [];
      setRunning(true);
      const sleepAgain = keepAwake();
      void runUploads<Item, Photo>(waiting, (item) => sendFile(item.file, sender, (progress) => patch(item.id, { progress })), {
        started: (item) => patch(item.id, { state: 'uploading', progress: 0 }),
        stored: (item, photo) => {
          stored.push(photo);
          patch(item.id, { state: 'uploaded', progress: 1 });
        },
        failed: (item, failure) => patch(item.id, { state: 'failed', failure }),
      }).finally(() => {
        sleepAgain();
        setRunning(false);
        onStored(stored);
      });
    },
    [onStored, patch, update],
  );

  // Signal back, or the phone unlocked: what failed for want of a connection goes out again.
  useEffect(() => {
    const resume = (): void => {
      const lost = current.current.some(({ state, failure }) => state === 'failed' && failure?.status === 0);
      if (!running && lost && lastSender.current && navigator.onLine && document.visibilityState === 'visible') start(lastSender.current);
    };
    window.addEventListener('online', resume);
    document.addEventListener('visibilitychange', resume);
    return () => {
      window.removeEventListener('online', resume);
      document.removeEventListener('visibilitychange', resume);
    };
  }, [running, start]);

  useEffect(() => {
    if (!running) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [running]);

  return { items, thumbnails, running, add, remove, start };
}
