// The watched folder is the queue: a picture lies in it until the state says that it is done.
import { mkdir, readdir, rename, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';

const PICTURES = ['.jpg', '.jpeg', '.png', '.webp', '.gif', '.avif', '.heic', '.heif'];
/** Those behind `.webm` no server takes: they are set aside with a sentence instead of lying there for ever. */
const VIDEOS = ['.mp4', '.m4v', '.mov', '.webm', '.avi', '.mkv', '.mpg', '.mts', '.3gp', '.wmv'];
const SENT = new Set([...PICTURES, ...VIDEOS]);
const REFUSED = 'abgelehnt';

/**
 * Looks into the folder again and again. `look()` answers the pictures and videos that stood still over two looks, and for `stillMs` at
 * least, and are not done; `seen` is when they did, in ms of the monotonic clock.
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
        const facts = await stat(path).catch(() => null);
        // An empty file is one that the camera has only just begun.
        if (!facts || facts.size === 0) continue;
        const { size, mtimeMs } = facts;
        // Cameras begin again at IMG_0001: a name alone does not say which picture it is.
        const key = `${name}/${size}/${mtimeMs}`;
        const known = before.get(key);
        const since = known?.since ?? clock();
        const isStill = known !== undefined && clock() - since >= stillMs;
        now.set(key, {
          key,
          name,
          path,
          size,
          mtimeMs,
          failures: known?.failures ?? 0,
          since,
          seen: isStill ? (known.seen ?? clock()) : null,
        });
      }
      before = now;
      return [...now.values()].filter((picture) => picture.seen !== null && !isDone(picture));
    },

    /** Counts a failed attempt. */
    failed({ key }) {
      const known = before.get(key);
      if (known) known.failures += 1;
    },
  };
}

/** Moves a picture that the server will never take into the folder `abgelehnt`; answers its new path. */
export async function setAside(folder, { name, path, mtimeMs }) {
  const target = join(folder, REFUSED);
  await mkdir(target, { recursive: true });
  const taken = await stat(join(target, name)).catch(() => null);
  const moved = join(target, taken ? `${Math.trunc(mtimeMs)}-${name}` : name);
  await rename(path, moved);
  return moved;
}
