import { PICKER_THUMBNAIL_SIZE, PICKER_THUMBNAIL_WORKERS } from '@feierbild/contract/constants.ts';
import { squareOf } from '../../../lib/canvas.ts';
import { within } from '../../../lib/time-limit.ts';
import { createWork, type Work } from '../../../lib/work.ts';
import { isHeic, isVideoFile, type Item } from '../item.ts';
import type { QueueEvent } from '../machine.ts';
import { createCrashes } from './crashes.ts';
import type { Answer, Order } from './thumbnail.worker.ts';

/** Number of pixels that the workers may decode at once, 4 bytes each. */
const PIXELS_AT_ONCE = 48_000_000;
/** Number of pixels above which a picture is decoded alone, like one of unknown size. */
const PIXELS_SHARED = 24_000_000;
/** Time without a file's first bytes after which the device counts as still loading it from a cloud. */
const CLOUD_MS = 2_000;
/** Limits for a worker's code, and for a file, which a cloud may deliver slowly. */
const LIMITS = { startMs: 30_000, jobMs: 300_000 };
/** Limit for decoding on the page's own thread, after which a picture is left out. */
const DECODE_MS = 15_000;

/** Previews that are sent ahead of their photos, and stills of videos. */
export interface Pictures {
  /** Tells whether a preview of this file is of use; if so, `drawn` must be called for it. */
  wants(item: Item): boolean;
  /** Tells whether enough previews are drawn for now. */
  isFull(): boolean;
  /** Returns the largest size of a photo's preview, bytes; 0 if the photo needs none any more. */
  mostBytes(item: Item): number;
  /** Receives a preview; null if there will be none. */
  drawn(id: string, picture: Blob | null): void;
  /** Returns the still of a video, or null. */
  posterOf(file: File): Promise<Blob | null>;
}

/**
 * Draws thumbnails in up to six workers, because reading 200 files on the page's thread stops the page for seconds. A worker reads a file's
 * header, waits until there is room for its pixels, and draws it. Reports each picture, and whether files are still coming from a cloud.
 */
export function createThumbnails(dispatch: (event: QueueEvent) => void, { wants, isFull, mostBytes, drawn: told, posterOf }: Pictures) {
  /** False in Safari before 16.4 and Firefox before 105, which cannot draw in a worker. */
  const inWorkers = 'OffscreenCanvas' in window;
  /** Ids of shown items with the address of each picture, or null before it is drawn. */
  const wanted = new Map<string, string | null>();
  const crashes = createCrashes();
  window.addEventListener('pagehide', crashes.leave);
  /** Ids of items that get a preview. */
  const previewed = new Set<string>();
  const works: Work<Order, Answer>[] = [];
  const idle: Work<Order, Answer>[] = [];
  let queue: Item[] = [];
  /** Items whose picture is shown, and whose preview is drawn once others are sent. */
  let later: Item[] = [];
  let reading = 0;
  /** Number of pixels that are being drawn. */
  let pixels = 0;
  /** Drawings that wait for others. */
  const waiting: { needed: number; go(): void }[] = [];

  function start(): Work<Order, Answer> {
    const work = createWork<Order, Answer>(() => new Worker(new URL('./thumbnail.worker.ts', import.meta.url), { type: 'module' }), LIMITS);
    works.push(work);
    return work;
  }

  function next(): void {
    for (let item = queue[0]; item; item = queue[0]) {
      const work = idle.pop() ?? (works.length < PICKER_THUMBNAIL_WORKERS ? start() : null);
      if (!work) return;
      queue.shift();
      void readAndDraw(work, item, item.file as File).then((preview) => {
        if (preview !== undefined && previewed.delete(item.id)) told(item.id, preview);
        idle.push(work);
        next();
      });
    }
  }

  /** Draws an item's picture. Resolves with its preview; null for none, undefined for later. */
  async function readAndDraw(work: Work<Order, Answer>, item: Item, file: File): Promise<Blob | null | undefined> {
    reading++;
    let late = 0;
    const header = await work.do({ read: file }, () => {
      late = window.setTimeout(() => dispatch({ type: 'cloud', cloud: true }), CLOUD_MS);
    });
    clearTimeout(late);
    if (--reading === 0 && queue.length === 0) dispatch({ type: 'cloud', cloud: false });
    const previewBytes = previewed.has(item.id) ? mostBytes(item) : 0;
    const none = previewBytes > 0 && isFull() ? undefined : null;
    if (none === undefined) later.push(item);
    const preview = previewBytes > 0 && none === null;
    // A HEIC's tile stays without a picture; its preview is drawn if the browser knows the format.
    const isShown = isHeic(item) || wanted.get(item.id) !== null;
    if ((isShown && !preview) || isVideoFile(item) || !wanted.has(item.id)) return none;
    const size = 'size' in header ? header.size : null;
    const count = size && size.width * size.height;
    // Previews are drawn two at a time, so that the first one is ready soon.
    const isShared = inWorkers && count !== null && count <= PIXELS_SHARED;
    const needed = !isShared ? PIXELS_AT_ONCE : preview ? PIXELS_SHARED : count;
    await new Promise<void>((go) => {
      waiting.push({ needed, go });
      enter();
    });
    crashes.begin(item);
    const drawn = inWorkers
      ? await work.do({ draw: file, size, previewBytes: preview ? previewBytes : 0 })
      : { picture: await drawHere(file), preview: null };
    crashes.end(item);
    pixels -= needed;
    enter();
    if (!isShown) show(item.id, 'picture' in drawn ? drawn.picture : null);
    return preview && 'preview' in drawn ? drawn.preview : none;
  }

  function enter(): void {
    for (let first = waiting[0]; first && (pixels === 0 || pixels + first.needed <= PIXELS_AT_ONCE); first = waiting[0]) {
      waiting.shift();
      pixels += first.needed;
      first.go();
    }
  }

  function show(id: string, picture: Blob | null): void {
    if (!wanted.has(id)) return;
    const thumbnail = picture && URL.createObjectURL(picture);
    wanted.set(id, thumbnail);
    dispatch({ type: 'drawn', id, thumbnail });
  }

  function forget(ids: readonly string[]): void {
    for (const id of ids) {
      const url = wanted.get(id);
      if (url) URL.revokeObjectURL(url);
      wanted.delete(id);
    }
    queue = queue.filter(({ id }) => wanted.has(id));
    later = later.filter(({ id }) => wanted.has(id));
  }

  return {
    /** Loads a worker's code ahead of the first file. */
    prepare(): void {
      if (inWorkers && works.length === 0) idle.push(start());
    },
    /** Draws new items of this page, and frees the pictures of removed items. */
    follow(items: readonly Item[]): void {
      const here = new Set(items.map(({ id }) => id));
      forget([...wanted.keys()].filter((id) => !here.has(id)));
      for (const item of items) {
        const { id, file } = item;
        if (!file || item.earlier || wanted.has(id)) continue;
        wanted.set(id, null);
        if (crashes.has(item)) continue;
        queue.push(item);
        if (inWorkers && wants(item)) previewed.add(id);
        if (isVideoFile(item)) void posterOf(file).then((picture) => show(id, picture));
      }
      next();
    },
    /** Draws the newest postponed preview, after one was sent or dropped. */
    more(): void {
      const item = later.pop();
      if (!item) return;
      queue.unshift(item);
      next();
    },
    close(): void {
      forget([...wanted.keys()]);
      for (const work of works) work.close();
      window.removeEventListener('pagehide', crashes.leave);
      crashes.leave();
    },
  };
}

/** Draws a small picture of a file on the page's own thread; null if this browser cannot. */
function drawHere(file: File): Promise<Blob | null> {
  const url = URL.createObjectURL(file);
  return within(DECODE_MS, draw(url), null)
    .catch(() => null)
    .finally(() => URL.revokeObjectURL(url));
}

async function draw(url: string): Promise<Blob | null> {
  const picture = new Image();
  picture.src = url;
  await picture.decode();
  return squareOf(PICKER_THUMBNAIL_SIZE, picture, { width: picture.naturalWidth, height: picture.naturalHeight });
}
