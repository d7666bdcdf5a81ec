import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createSingleFlight } from '../lib/concurrency/single-flight.ts';

/** How the package's folder is named (tools/package/make-package.mjs). */
const RELEASE = /^feierbild-\d+\.\d+\.\d+[\w.+-]*-[a-z]+\d*-[a-z]+\d*$/;
/** How the build names what a page loads: the name of a source, a hash of the content, and one of the types that there are. */
const HASHED = /^\w[\w.-]*-[\w-]{8}\.(?:js|css|woff2|mp4)$/;
/** The way from a release's folder to its built files. */
const WAY = ['.', 'web', 'web/dist', 'web/dist/assets'];
/** Those unpacked last: the one before, the next one, and one to go back to. */
const MAX_RELEASES = 3;
/** Unknown names cost one look at the disk in this time, however many are asked for. */
const LOOK_EVERY_MS = 2000;
const WRITABLE_BY_OTHERS = 0o022;

/**
 * The built files of releases that are unpacked beside this one. While nodes are upgraded one after the other, a page from a node
 * of one release asks any other node for its files. Only folders that the owner of this release alone can write to are read, because
 * browsers run what is in them. A release whose folder is not named as the package's, such as a clone, has none beside it.
 * `built`: this release's built pages. Returns what finds the folder of a built file by its name; null where none has it.
 */
export function createReleaseAssets(built: string) {
  const looks = createSingleFlight<Map<string, string>>({ successMs: LOOK_EVERY_MS, failureMs: LOOK_EVERY_MS });
  return async (name: string): Promise<string | null> => {
    if (!HASHED.test(name)) return null;
    const places = await looks.run('', () => assetsBeside(join(built, '../..')));
    return places.get(name) ?? null;
  };
}

/** Folders of built files by name. */
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

/** A release and when it was unpacked; null where others than `uid` could have put something there, also by a link. */
async function trusted(folder: string, uid: number): Promise<{ folder: string; unpackedAt: number } | null> {
  const way = await Promise.all(WAY.map((part) => lstat(join(folder, part))));
  if (!way.every((part) => part.isDirectory() && part.uid === uid && (part.mode & WRITABLE_BY_OTHERS) === 0)) return null;
  // Not the time of modification, which the archive sets to the same for all.
  return { folder, unpackedAt: way[0]?.ctimeMs ?? 0 };
}

async function namesIn(assets: string): Promise<string[]> {
  const entries = await readdir(assets, { withFileTypes: true });
  // Compressed files are sent under the name of the original, so a link among them would be followed unseen.
  return entries.every((entry) => entry.isFile()) ? entries.map(({ name }) => name).filter((name) => HASHED.test(name)) : [];
}
