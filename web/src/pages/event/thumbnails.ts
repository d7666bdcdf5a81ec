import { PICKER_THUMBNAIL_WORKERS } from '@feierbild/contract/constants.ts';

export interface Thumbnails {
  /** Answers through `done` with an object URL, or null for the blank placeholder. */
  draw(id: string, file: File): void;
  /** Takes those out of the queue that are no longer wanted; of what is being drawn already, the picture is dropped. */
  forget(unwanted: (id: string) => boolean): void;
  close(): void;
}

/** Six workers that draw thumbnails one after the other each; started with the first file. */
export function createThumbnails(done: (id: string, url: string | null) => void): Thumbnails {
  let queue: { id: string; file: File }[] = [];
  const wanted = new Set<string>();
  let idle: Worker[] | null = null;
  const all: Worker[] = [];

  const start = (): Worker[] => {
    for (let n = 0; n < PICKER_THUMBNAIL_WORKERS; n++) {
      const worker = new Worker(new URL('./thumbnail.worker.ts', import.meta.url), { type: 'module' });
      worker.onmessage = ({ data }: MessageEvent<{ id: string; blob: Blob | null }>) => {
        if (wanted.delete(data.id)) done(data.id, data.blob ? URL.createObjectURL(data.blob) : null);
        idle?.push(worker);
        next();
      };
      all.push(worker);
    }
    return [...all];
  };

  const next = (): void => {
    idle ??= start();
    while (queue.length > 0) {
      const worker = idle.pop();
      if (!worker) return;
      worker.postMessage(queue.shift());
    }
  };

  return {
    draw(id, file) {
      wanted.add(id);
      queue.push({ id, file });
      next();
    },
    forget(unwanted) {
      for (const id of wanted) if (unwanted(id)) wanted.delete(id);
      queue = queue.filter(({ id }) => wanted.has(id));
    },
    close() {
      for (const worker of all) worker.terminate();
      queue = [];
    },
  };
}
