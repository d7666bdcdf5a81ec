import type { Item } from './item.ts';
import type { QueueContext } from './queue-context.ts';
import { createPreviewLane } from './queue/preview-lane.ts';
import { isPasswordRefused } from './send-file.ts';

/** A smaller file, or one that the line takes in less time, gets no preview, because the file itself arrives as soon. */
const PREVIEWED_BYTES = 600_000;
const PREVIEWED_MS = 1_000;
/** A preview has as many bytes as the line takes in PREVIEW_MS, within these limits; the least while the line's speed is unknown. */
const PREVIEW_MS = 750;
const LEAST_PREVIEW_BYTES = 90_000;
const MOST_PREVIEW_BYTES = 300_000;
/** Time after a refused preview in which no further ones are sent, because the server would refuse them, too. */
const REFUSED_MS = 10 * 60_000;

/** Decides which chosen photos get previews and of what size, and sends them. `left` is called when one less remains to be sent. */
export function createPreviews(context: QueueContext, left: () => void) {
  const lane = createPreviewLane(announce, left);
  /** Names and sizes of this device's photos on the server. */
  const here = new Set<string>();
  /** The line's speed at the last preview, bytes per ms; null before the first one. */
  let lineRate: number | null = null;
  /** Time until which no previews are sent, by `performance.now()`. */
  let noneUntil = 0;

  /** Sends a photo's preview ahead of it. False if it has to be tried again. */
  async function announce(id: string, picture: Blob, signal: AbortSignal): Promise<boolean> {
    const { line, way, sender, tus } = context;
    const item = context.itemOf(id);
    const began = performance.now();
    if (!item || !sender || !tus || item.announced || way.passwordRefusal || !mostBytes(item)) return true;
    const { wire } = item;
    const end = await tus.sendPreview(picture, item, { sender, line, run: way, wire, progress: () => undefined, signal });
    if (end.kind === 'refused' && end.code === 'preview_refused') noneUntil = began + REFUSED_MS;
    if (isPasswordRefused(end)) way.passwordRefusal = end;
    if (end.kind !== 'stored') return end.kind !== 'unreached';
    lineRate = picture.size / (performance.now() - began);
    context.dispatch({ type: 'announced', id });
    return true;
  }

  /** Returns a preview's largest size, bytes; 0 if the line takes the photo itself as soon, or the server refuses previews. */
  function mostBytes({ size }: Item): number {
    const isSoon = lineRate !== null && size / lineRate < PREVIEWED_MS;
    if (isSoon || performance.now() < noneUntil) return 0;
    return Math.min(MOST_PREVIEW_BYTES, Math.max(LEAST_PREVIEW_BYTES, (lineRate ?? 0) * PREVIEW_MS));
  }

  return {
    lane,
    mostBytes,
    /** Notes this device's photos on the server, which need no preview when they are chosen again. */
    know(photos: readonly { filename: string; size: number }[]): void {
      for (const { filename, size } of photos) here.add(`${filename} ${size}`);
    },
    /** Tells whether a preview of a file is of use; if so, expects it. */
    wants({ id, name, type, size, wire }: Item): boolean {
      const isNews = !here.has(`${name} ${size}`) && !wire.begun && !wire.chosenAgain;
      const isWanted = type.startsWith('image/') && size >= PREVIEWED_BYTES && isNews;
      if (isWanted) lane.expect(id);
      return isWanted;
    },
  };
}
