// The watched folder is the queue: a picture lies in it until the state says that it is done.
import { mkdir, open, readdir, rename, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';

const PICTURES = ['.jpg', '.jpeg', '.png', '.webp', '.gif', '.avif', '.heic', '.heif'];
/** No server takes the types behind `.webm`: such files are set aside with a sentence instead of lying in the folder for ever. */
const VIDEOS = ['.mp4', '.m4v', '.mov', '.webm', '.avi', '.mkv', '.mpg', '.mts', '.3gp', '.wmv'];
const SENT = new Set([...PICTURES, ...VIDEOS]);
const JPEG = new Set(['.jpg', '.jpeg']);
const REFUSED = 'abgelehnt';
/** Time for which a JPEG without its end must not change, and a refused picture must stay the same, ms. */
const UNFINISHED_MS = 10_000;
/** Length of a JPEG's tail, which holds its end marker and bytes that cameras write behind it. */
const TAIL_BYTES = 1024;
const END = Buffer.from([0xff, 0xd9]);

/**
 * Watches a folder. `look()` returns the pictures and videos to send: those that have not changed between two looks, and for `stillMs` at
 * least (a JPEG without its end for ten seconds); `seen` is when they were found so, in ms of the monotonic clock.
 */
export function watchFolder(folder, isDone, { stillMs = 0, now: clock = () => performance.now() } = {}) {
  let before = new Map();
  return {
    async look() {
      const now = new Map();
      for (const entry of await readdir(folder, { withFileTypes: true })) {
        const { name } = entry;
        if (!entry.isFile() || name.startsWith('.') || !SENT.has(extname(name).toLowerCase())) continue;
        const path = join(folder, name);
        const stats = await stat(path).catch(() => null);
        // A camera has only just begun an empty file.
        if (!stats || stats.size === 0) continue;
        const { size, mtimeMs } = stats;
        // Cameras begin again at IMG_0001, so a name alone does not identify a picture.
        const key = `${name}/${size}/${mtimeMs}`;
        const known = before.get(key);
        const since = known?.since ?? clock();
        const isWhole = known !== undefined && (known.isWhole || (await hasEnd({ path, name, size })));
        const isStill = known !== undefined && clock() - since >= (isWhole ? stillMs : Math.max(stillMs, UNFINISHED_MS));
        now.set(key, {
          key,
          name,
          path,
          size,
          mtimeMs,
          failures: known?.failures ?? 0,
          from: known?.from,
          since,
          isWhole,
          seen: isStill ? (known.seen ?? clock()) : null,
        });
      }
      before = now;
      return [...now.values()].filter((picture) => picture.seen !== null && !isDone(picture));
    },

    /**
     * Counts a failed attempt; `from` is what the server had of the picture before it, if it sent anything. It is no failure where the server
     * had more than before the last one: a picture crosses a line that breaks in several attempts. Returns true then.
     */
    failed({ key }, from) {
      const known = before.get(key);
      if (!known) return false;
      const came = from > (known.from ?? -Infinity);
      if (!came) known.failures += 1;
      known.from = from ?? known.from;
      return came && from > 0;
    },
  };
}

/** Whether a picture's last bytes show that it is whole: a JPEG that is still being written has no end. */
async function hasEnd({ path, name, size }) {
  if (!JPEG.has(extname(name).toLowerCase())) return true;
  const file = await open(path).catch(() => null);
  try {
    const length = Math.min(TAIL_BYTES, size);
    const tail = await file?.read(Buffer.alloc(length), 0, length, size - length);
    return tail?.buffer.includes(END) ?? false;
  } catch {
    return false;
  } finally {
    await file?.close();
  }
}

/**
 * Keeps pictures that the server has refused. They are set aside if they are the same ten seconds later: one that is still being written is
 * sent again when it is complete.
 */
export function createRefusals(folder, { now = () => performance.now() } = {}) {
  const waiting = new Map();
  return {
    add: (picture, reason) => waiting.set(picture.key, { picture, reason, since: now(), failed: false }),
    has: ({ key }) => waiting.has(key),
    /**
     * Moves pictures that have been kept long enough into the folder `abgelehnt`; returns `{name, reason, moved}` of each. One that cannot
     * be moved is kept for the next call; `{name, reason, failed}` of it, with the error's code, is returned once.
     */
    async setAside() {
      const done = [];
      for (const [key, entry] of waiting) {
        const { picture, reason, since } = entry;
        if (now() - since < UNFINISHED_MS) continue;
        const { path, name, size, mtimeMs } = picture;
        const stats = await stat(path).catch(() => null);
        try {
          if (stats?.size === size && stats.mtimeMs === mtimeMs)
            done.push({ name, reason, moved: await moveInto(join(folder, REFUSED), picture) });
          waiting.delete(key);
        } catch (error) {
          if (!entry.failed) done.push({ name, reason, failed: error.code });
          entry.failed = true;
        }
      }
      return done;
    },
  };
}

/** Moves files that were set aside back into the folder, since they may be complete, or accepted, by now. Returns their number. */
export async function takeBack(folder) {
  const from = join(folder, REFUSED);
  let moved = 0;
  for (const name of await readdir(from).catch(() => [])) {
    const path = join(from, name);
    const stats = await stat(path).catch(() => null);
    if (!stats?.isFile() || !SENT.has(extname(name).toLowerCase())) continue;
    // Windows does not move a file that a program is writing to.
    moved += await moveInto(folder, { name, path, mtimeMs: stats.mtimeMs }).then(
      () => 1,
      () => 0,
    );
  }
  return moved;
}

/** Moves a file, under another name if its own is taken; returns its new path. */
async function moveInto(target, { name, path, mtimeMs }) {
  await mkdir(target, { recursive: true });
  const taken = await stat(join(target, name)).catch(() => null);
  const moved = join(target, taken ? `${Math.trunc(mtimeMs)}-${name}` : name);
  await rename(path, moved);
  return moved;
}
