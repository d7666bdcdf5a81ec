import { PICKER_THUMBNAIL_WORKERS } from '@feierbild/contract/constants.ts';
import { drawHere } from './draw-here.ts';
import type { Answer, Order } from './thumbnail.worker.ts';

/** Pixels that the workers may decode at once, 4 bytes each. */
const PIXELS_AT_ONCE = 48_000_000;
/** Larger pictures, and those of unknown size, are decoded alone. */
const PIXELS_SHARED = 24_000_000;
/** A file whose first bytes are not there by then is still on its way to the device, from a cloud. */
const CLOUD_MS = 2_000;

export interface ThumbnailEvents {
  /** An object URL, or null for the blank placeholder. */
  drawn(id: string, url: string | null): void;
  /** Whether the device still loads chosen files from a cloud. */
  cloud(loading: boolean): void;
}

export interface Thumbnails {
  /** Reads a file's first bytes, and draws the file then if it is `drawn`. */
  add(id: string, file: File, drawn: boolean): void;
  /** Takes those out of the queue that are no longer wanted; of what is being drawn already, the picture is dropped. */
  forget(unwanted: (id: string) => boolean): void;
  close(): void;
}

interface Job {
  id: string;
  file: File;
  /** The worker draws it, too. */
  draw: boolean;
  /** Its part of PIXELS_AT_ONCE while it is drawn. */
  pixels: number;
  /** Timer, while the header is read. */
  late?: number;
}

/**
 * Up to six workers, started when there are files for them. Each reads a file's header, waits until there is room for its pixels, and draws
 * it. (On the page's thread, the reading of 200 files takes seconds in which the page does nothing else.)
 */
export function createThumbnails(on: ThumbnailEvents): Thumbnails {
  /** Safari before 16.4 and Firefox before 105 cannot draw in a worker. */
  const inWorkers = 'OffscreenCanvas' in window;
  let queue: Job[] = [];
  const wanted = new Set<string>();
  const idle: Worker[] = [];
  /** All that run, each with what it reads or draws, or did last. */
  const all = new Map<Worker, Job>();
  /** Those that have read a header, and wait for room. */
  const measured: Worker[] = [];
  let reading = 0;
  let pixels = 0;

  const give = (worker: Worker, order: Order): void => worker.postMessage(order);

  function start(): Worker {
    const worker = new Worker(new URL('./thumbnail.worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      const job = all.get(worker) as Job;
      if ('picture' in data) return drawn(worker, data.picture);
      endReading(job);
      if (job.draw && wanted.has(job.id)) {
        const alone = !inWorkers || data.pixels === null || data.pixels > PIXELS_SHARED;
        job.pixels = alone ? PIXELS_AT_ONCE : (data.pixels ?? 0);
        measured.push(worker);
      } else idle.push(worker);
      next();
    };
    // Its code did not come, or it broke: another one takes the next file.
    worker.onerror = () => {
      const job = all.get(worker) as Job;
      worker.terminate();
      all.delete(worker);
      endReading(job);
      if (job.draw) endDrawing(job, null);
      next();
    };
    return worker;
  }

  function drawn(worker: Worker, picture: Blob | null): void {
    const job = all.get(worker);
    if (!job) return;
    idle.push(worker);
    endDrawing(job, picture);
    next();
  }

  function endReading(job: Job): void {
    if (job.late === undefined) return;
    clearTimeout(job.late);
    delete job.late;
    if (--reading === 0 && queue.length === 0) on.cloud(false);
  }

  function endDrawing(job: Job, picture: Blob | null): void {
    pixels -= job.pixels;
    job.pixels = 0;
    answer(job.id, picture);
  }

  function answer(id: string, picture: Blob | null): void {
    if (wanted.delete(id)) on.drawn(id, picture ? URL.createObjectURL(picture) : null);
  }

  function next(): void {
    for (let worker = measured[0]; worker; worker = measured[0]) {
      const job = all.get(worker) as Job;
      if (pixels > 0 && pixels + job.pixels > PIXELS_AT_ONCE) break;
      measured.shift();
      pixels += job.pixels;
      if (inWorkers) give(worker, { draw: job.file });
      else void drawHere(job.file).then((picture) => drawn(worker, picture));
    }
    for (let job = queue[0]; job; job = queue[0]) {
      const worker = idle.pop() ?? (all.size < PICKER_THUMBNAIL_WORKERS ? start() : null);
      if (!worker) return;
      queue.shift();
      all.set(worker, job);
      reading++;
      job.late = window.setTimeout(() => on.cloud(true), CLOUD_MS);
      give(worker, { read: job.file });
    }
    // All are drawn: until the next choice nobody needs them.
    if (idle.length === all.size) end();
  }

  function end(): void {
    for (const [worker, { late }] of all) {
      worker.terminate();
      clearTimeout(late);
    }
    all.clear();
    idle.length = measured.length = 0;
  }

  return {
    add(id, file, drawn) {
      if (drawn) wanted.add(id);
      queue.push({ id, file, draw: drawn, pixels: 0 });
      next();
    },
    forget(unwanted) {
      for (const id of wanted) if (unwanted(id)) wanted.delete(id);
      queue = queue.filter(({ id }) => !unwanted(id));
      next();
    },
    close() {
      queue = [];
      end();
    },
  };
}
