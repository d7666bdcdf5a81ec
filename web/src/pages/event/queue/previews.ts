import type { Photo } from '@feierbild/contract/entities.ts';
import type { Attempt, Item } from '../item.ts';
import { createPreviewLane } from './preview-lane.ts';

/** No preview is sent of a smaller file, or of one that the line takes in less time, ms: the file itself is there as soon. */
const PREVIEWED_BYTES = 600_000;
const PREVIEWED_MS = 1_000;
/** A preview's bytes: as many as the line takes in this time, ms, within these limits; the least while the line's speed is unknown. */
const PREVIEW_MS = 750;
const LEAST_PREVIEW_BYTES = 90_000;
const MOST_PREVIEW_BYTES = 300_000;
/** The server refused a preview: for so long, ms, it would refuse the next ones, too. */
const REFUSED_MS = 10 * 60_000;

interface Queue {
  itemOf(id: string): Item | undefined;
  /** Sends a preview; null where nothing can be sent now. */
  send(picture: Blob, item: Item, signal: AbortSignal): Promise<Attempt<unknown>> | null;
  /** The server shows the photo by its preview. */
  announced(id: string): void;
  /** There is one less that waits for the line. */
  left(): void;
}

/** Of which photos a preview goes ahead, how large it is, and its sending. */
export function createPreviews({ itemOf, send, announced, left }: Queue) {
  const here = new Set<string>();
  /** The line's speed at the last preview, bytes per ms; null: none was sent yet. */
  let lineRate: number | null = null;
  /** By `performance.now()`. */
  let noneUntil = 0;
  const lane = createPreviewLane(announce, left);

  /** Sends a photo's preview ahead of it. False: to be tried again. */
  async function announce(id: string, picture: Blob, signal: AbortSignal): Promise<boolean> {
    const item = itemOf(id);
    const began = performance.now();
    const end = item && !item.announced && mostBytes(item) > 0 ? await send(picture, item, signal) : null;
    if (!end) return true;
    if (end.kind === 'refused' && end.code === 'preview_refused') noneUntil = began + REFUSED_MS;
    if (end.kind !== 'stored') return end.kind !== 'unreached';
    lineRate = picture.size / (performance.now() - began);
    announced(id);
    return true;
  }

  /** The largest preview; 0 where the line takes the photo itself as soon, or the server takes none. */
  function mostBytes({ size }: Item): number {
    const isSoon = lineRate !== null && size / lineRate < PREVIEWED_MS;
    if (isSoon || performance.now() < noneUntil) return 0;
    return Math.min(MOST_PREVIEW_BYTES, Math.max(LEAST_PREVIEW_BYTES, (lineRate ?? 0) * PREVIEW_MS));
  }

  return {
    ...lane,
    mostBytes,
    /** Whether a preview of a file is of use; then it is waited for. */
    wants({ id, name, type, size, wire }: Item): boolean {
      const isNews = !here.has(`${name} ${size}`) && !wire.begun && !wire.chosenAgain;
      const isWanted = type.startsWith('image/') && size >= PREVIEWED_BYTES && isNews;
      if (isWanted) lane.expect(id);
      return isWanted;
    },
    /** Photos of this device on the server: chosen again, they need no preview. */
    know(photos: readonly Photo[]): void {
      for (const { filename, size } of photos) here.add(`${filename} ${size}`);
    },
  };
}
