import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createSingleFlight } from '../lib/concurrency/single-flight.ts';

/** Name of a package's folder (tools/package/make-package.mjs). */
const RELEASE = /^feierbild-\d+\.\d+\.\d+[\w.+-]*-[a-z]+\d*-[a-z]+\d*$/;
/** Name of a built file: the source's name, a hash of the content, and one of the existing types. */
const HASHED = /^\w[\w.-]*-[\w-]{8}\.(?:js|css|woff2|mp4)$/;
/** Folders from a release's own to its built files. */
const WAY = ['.', 'web', 'web/dist', 'web/dist/assets'];
/** Releases considered, the last unpacked ones: the previous one, the next one, and one to go back to. */
const MAX_RELEASES = 3;
/** Interval between two looks at the disk, however many unknown names are requested. */
const LOOK_EVERY_MS = 2000;
const WRITABLE_BY_OTHERS = 0o022;

/**
 * Finds built files of releases that are unpacked beside this one. While nodes are upgraded one after the other, a page from a node of one
 * release requests its files from any other node. Only folders that only the owner of this release can write to are read, because browsers
 * run their contents. A release whose folder is not named like a package's, such as a clone, ignores its neighbours. `built`: this
 * release's built pages. The returned function finds the folder of a built file by its name; null: there is none.
 */
export function createReleaseAssets(built: string) {
  const looks = createSingleFlight<Map<string, string>>({ successMs: LOOK_EVERY_MS, failureMs: LOOK_EVERY_MS });
  return async (name: string): Promise<string | null> => {
    if (!HASHED.test(name)) return null;
    const places = await looks.run('', () => assetsBeside(join(built, '../..')));
    return places.get(name) ?? null;
  };
}

/** Maps the names of built files to their folders. */
async function assetsBeside(release: string): Promise<Map<string, string>> {
  const own = await realpath(release);
  const places = new Map<string, string>();
  if (!RELEASE.test(basename(own))) return places;
  const { uid } = await lstat(own);
  const beside = (await readdir(dirname(own))).filter((name) => RELEASE.test(name) && name !== basename(own));
  const releases = await Promise.all(beside.map((name) => trusted(join(dirname(own), name), uid).catch(() => null)));
  const latest = releases.filter((one) => one !== null).sort((one, other) => other.unpackedAt - one.unpackedAt);
  for (const { folder } of latest.slice(0, MAX_RELEASES)) {
    const assets = join(folder, 'web/dist/assets');
    for (const name of await namesIn(assets).catch(() => [])) if (!places.has(name)) places.set(name, assets);
  }
  return places;
}

/** Returns a release and the time of its unpacking; null: users other than `uid` could have put something there, also by a link. */
async function trusted(folder: string, uid: number): Promise<{ folder: string; unpackedAt: number } | null> {
  const way = await Promise.all(WAY.map((part) => lstat(join(folder, part))));
  if (!way.every((part) => part.isDirectory() && part.uid === uid && (part.mode & WRITABLE_BY_OTHERS) === 0)) return null;
  // The archive sets the same time of modification for all, so the time of the change of status counts.
  return { folder, unpackedAt: way[0]?.ctimeMs ?? 0 };
}

async function namesIn(assets: string): Promise<string[]> {
  const entries = await readdir(assets, { withFileTypes: true });
  // Compressed files are sent under the original's name, so a link among them would be followed unnoticed.
  return entries.every((entry) => entry.isFile()) ? entries.map(({ name }) => name).filter((name) => HASHED.test(name)) : [];
}
