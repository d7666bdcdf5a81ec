import type { Item } from './item.ts';
import type { QueueContext } from './queue-context.ts';
import { createPreviewLane } from './queue/preview-lane.ts';
import { isPasswordRefused } from './send-file.ts';

/** No preview is sent of a smaller file, or of one that the line takes in less time, ms: the file itself is there as soon. */
const PREVIEWED_BYTES = 600_000;
const PREVIEWED_MS = 1_000;
/** A preview's bytes: as many as the line takes in this time, ms, within these limits; the least while the line's speed is unknown. */
const PREVIEW_MS = 750;
const LEAST_PREVIEW_BYTES = 90_000;
const MOST_PREVIEW_BYTES = 300_000;
/** The server refused a preview: for so long, ms, it would refuse the next ones, too. */
const REFUSED_MS = 10 * 60_000;

/** Which chosen photos get previews, how large ones, and their way to the server. `left` hears that there is one less to be sent. */
export function createPreviews(context: QueueContext, left: () => void) {
  const lane = createPreviewLane(announce, left);
  /** Photos of this device on the server, by name and size. */
  const here = new Set<string>();
  /** The line's speed at the last preview, bytes per ms; null: none was sent yet. */
  let lineRate: number | null = null;
  /** By `performance.now()`. */
  let noneUntil = 0;

  /** Sends a photo's preview ahead of it. False: to be tried again. */
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

  /** The largest preview; 0 where the line takes the photo itself as soon, or the server takes none. */
  function mostBytes({ size }: Item): number {
    const isSoon = lineRate !== null && size / lineRate < PREVIEWED_MS;
    if (isSoon || performance.now() < noneUntil) return 0;
    return Math.min(MOST_PREVIEW_BYTES, Math.max(LEAST_PREVIEW_BYTES, (lineRate ?? 0) * PREVIEW_MS));
  }

  return {
    lane,
    mostBytes,
    /** Photos of this device on the server: chosen again, they need no preview. */
    know(photos: readonly { filename: string; size: number }[]): void {
      for (const { filename, size } of photos) here.add(`${filename} ${size}`);
    },
    /** Whether a preview of a file is of use. */
    wants({ id, name, type, size, wire }: Item): boolean {
      const isNews = !here.has(`${name} ${size}`) && !wire.begun && !wire.chosenAgain;
      const isWanted = type.startsWith('image/') && size >= PREVIEWED_BYTES && isNews;
      if (isWanted) lane.expect(id);
      return isWanted;
    },
  };
}
