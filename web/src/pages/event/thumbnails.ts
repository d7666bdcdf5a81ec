import { PICKER_THUMBNAIL_WORKERS } from '@feierbild/contract/constants.ts';

export interface Thumbnails {
  /** Answers through `done` with an object URL, or null for the blank placeholder. */
  draw(id: string, file: File): void;
  /** Takes those out of the queue that are no longer wanted; of what is being drawn already, the picture is dropped. */
  forget(unwanted: (id: string) => boolean): void;
  close(): void;
}

/** Up to six workers that draw thumbnails one after the other each; started when there are files for them. */
export function createThumbnails(done: (id: string, url: string | null) => void): Thumbnails {
  let queue: { id: string; file: File }[] = [];
  const wanted = new Set<string>();
  const idle: Worker[] = [];
  /** All that run, each with the id of what it draws. */
  const all = new Map<Worker, string>();

  const finish = (id: string, blob: Blob | null): void => {
    if (wanted.delete(id)) done(id, blob ? URL.createObjectURL(blob) : null);
    next();
  };

  const start = (): Worker => {
    const worker = new Worker(new URL('./thumbnail.worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<{ id: string; blob: Blob | null }>) => {
      idle.push(worker);
      finish(data.id, data.blob);
    };
    // Its code did not come, or it broke: another one takes the next file.
    worker.onerror = () => {
      const id = all.get(worker) ?? '';
      worker.terminate();
      all.delete(worker);
      finish(id, null);
    };
    return worker;
  };

  const next = (): void => {
    while (queue.length > 0) {
      const worker = idle.pop() ?? (all.size < PICKER_THUMBNAIL_WORKERS ? start() : null);
      const job = worker && queue.shift();
      if (!job) return;
      all.set(worker, job.id);
      worker.postMessage(job);
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
      for (const worker of all.keys()) worker.terminate();
      queue = [];
    },
  };
}
