import { PICKER_THUMBNAIL_WORKERS } from '@feierbild/contract/constants.ts';
import { pixelsOf } from './image-size.ts';

/** Pixels that the workers may decode at once, 4 bytes each. */
const PIXELS_AT_ONCE = 48_000_000;
/** Larger pictures, and those of unknown size, are decoded alone. */
const PIXELS_SHARED = 24_000_000;

export interface Thumbnails {
  /** Answers through `done` with an object URL, or null for the blank placeholder. */
  draw(id: string, file: File): void;
  /** Takes those out of the queue that are no longer wanted; of what is being drawn already, the picture is dropped. */
  forget(unwanted: (id: string) => boolean): void;
  close(): void;
}

interface Job {
  id: string;
  file: File;
  /** Its part of PIXELS_AT_ONCE, as soon as it is known. */
  pixels?: number;
}

/** Up to six workers that draw thumbnails one after the other each; started when there are files for them. */
export function createThumbnails(done: (id: string, url: string | null) => void): Thumbnails {
  let queue: Job[] = [];
  const wanted = new Set<string>();
  const idle: Worker[] = [];
  /** All that run, each with what it draws or drew last. */
  const all = new Map<Worker, Job>();
  let pixels = 0;

  const finish = ({ id, pixels: freed = 0 }: Job, blob: Blob | null): void => {
    pixels -= freed;
    if (wanted.delete(id)) done(id, blob ? URL.createObjectURL(blob) : null);
    next();
  };

  const start = (): Worker => {
    const worker = new Worker(new URL('./thumbnail.worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<Blob | null>) => {
      idle.push(worker);
      finish(all.get(worker) as Job, data);
    };
    // Its code did not come, or it broke: another one takes the next file.
    worker.onerror = () => {
      const job = all.get(worker) as Job;
      worker.terminate();
      all.delete(worker);
      finish(job, null);
    };
    return worker;
  };

  const next = (): void => {
    const job = queue[0];
    if (!job) return;
    if (job.pixels === undefined) {
      void pixelsOf(job.file).then((size) => {
        job.pixels = size === null || size > PIXELS_SHARED ? PIXELS_AT_ONCE : size;
        next();
      });
      return;
    }
    if (pixels > 0 && pixels + job.pixels > PIXELS_AT_ONCE) return;
    const worker = idle.pop() ?? (all.size < PICKER_THUMBNAIL_WORKERS ? start() : null);
    if (!worker) return;
    queue.shift();
    pixels += job.pixels;
    all.set(worker, job);
    worker.postMessage(job.file);
    next();
  };

  return {
    draw(id, file) {
      wanted.add(id);
      if (file.type.startsWith('video/')) {
        const drawn = import('./video/poster.ts').then(({ posterOf }) => posterOf(file)).catch(() => null);
        void drawn.then((blob) => finish({ id, file }, blob));
        return;
      }
      queue.push({ id, file });
      if (queue.length === 1) next();
    },
    forget(unwanted) {
      for (const id of wanted) if (unwanted(id)) wanted.delete(id);
      queue = queue.filter(({ id }) => wanted.has(id));
      next();
    },
    close() {
      for (const worker of all.keys()) worker.terminate();
      queue = [];
    },
  };
}
