import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Db } from '../../database/open.ts';
import { readSetting, writeSetting } from '../../database/settings.ts';
import { isEmptied, listSnapshots } from './snapshots.ts';

/** The setting with the last complete backups, so that their age is known without their folders. */
const LAST = 'last_backup';

/** The last backup into a folder. */
interface IntoFolder {
  /** Start of the backup, ms since 1970. */
  at: number;
  /** The absolute path of the folder. */
  folder: string;
  /** Start of the oldest snapshot that stayed in the folder, ms since 1970; absent in notes from before 0.5.0. */
  oldest?: number;
  /** Number of disks that were mounted on the way to the folder; absent in older notes. */
  mounts?: number;
  /** Number of files that the newest snapshot lacks because the photo store did not give them; absent in older notes. */
  missing?: number;
}

export interface LastBackup extends IntoFolder {
  /** The last backups into other folders. */
  others?: IntoFolder[];
}

/** Notes a backup as the last one and keeps the notes on other folders. */
export async function noteBackup(db: Pick<Db, 'kysely'>, taken: IntoFolder): Promise<void> {
  const before = await lastBackup(db);
  const { others: beside = [], ...last } = before ?? { others: [], folder: taken.folder };
  const seen = await Promise.all([last as IntoFolder, ...beside].filter(({ folder }) => folder !== taken.folder).map(seenAgain));
  const noted: LastBackup = { ...taken, others: seen.filter((other) => other !== null) };
  await writeSetting(db, LAST, JSON.stringify(noted));
}

/** Returns the last backup of this database into any folder; null if there was none. */
export async function lastBackup(db: Pick<Db, 'kysely'>): Promise<LastBackup | null> {
  const noted = await readSetting(db, LAST);
  return noted && (JSON.parse(noted.toString()) as LastBackup);
}

/**
 * Tells whether a folder had a backup of this database, and its disk is away: a new one would be on the disk below, and be hidden as soon as
 * the other disk is back.
 */
export async function isAway(db: Pick<Db, 'kysely'>, folder: string): Promise<boolean> {
  const last = await lastBackup(db);
  const noted = last && [last, ...(last.others ?? [])].find((one) => one.folder === folder);
  return noted ? isDiskAway(noted) : false;
}

/**
 * Tells whether the disk of a noted backup is away: its folder is missing, or is only the place where a disk was mounted. An emptied backup
 * there says that the disk does not come back.
 */
async function isDiskAway(noted: IntoFolder): Promise<boolean> {
  const { folder, mounts = 0 } = noted;
  if (!existsSync(folder)) return true;
  return mountsTo(folder) < mounts && (await isGone(noted)) && !(await isEmptied(folder));
}

/** Counts the disks that are mounted on the way to an existing folder. */
export function mountsTo(folder: string): number {
  const above = dirname(folder);
  if (above === folder) return 0;
  return mountsTo(above) + (statSync(folder).dev === statSync(above).dev ? 0 : 1);
}

/** Returns start and folder of the oldest snapshot in any folder; undefined if not known. */
export function oldestSnapshot({ others = [], ...last }: LastBackup): { at: number; folder: string } | undefined {
  const known = [last, ...others].flatMap(({ oldest, folder }) => (oldest === undefined ? [] : [{ at: oldest, folder }]));
  return known.toSorted((one, other) => one.at - other.at)[0];
}

/**
 * Returns the note on another folder as the folder is now; null if it has no snapshots any more. If its disk is away, such as in a safe, the
 * note stays.
 */
async function seenAgain(noted: IntoFolder): Promise<IntoFolder | null> {
  if (await isDiskAway(noted)) return noted;
  const taken = await takenIn(noted.folder).catch(() => null);
  if (!taken) return noted;
  return taken.length === 0 ? null : { ...noted, oldest: Math.min(...taken), mounts: mountsTo(noted.folder) };
}

/** Returns whether a folder exists without the noted backup: its disk is not mounted, or somebody has emptied it. */
export async function isGone({ at, folder }: IntoFolder): Promise<boolean> {
  if (!existsSync(folder)) return false;
  const taken = await takenIn(folder).catch(() => null);
  return taken !== null && !taken.some((one) => one >= at);
}

/** Returns the newest backup in a folder; null if there is none. */
export async function lastIn(folder: string): Promise<LastBackup | null> {
  const written = (await listSnapshots(folder)).flatMap(({ manifest }) => manifest ?? []);
  const [oldest, newest] = [written[0], written.at(-1)];
  if (!oldest || !newest) return null;
  return { at: Date.parse(newest.taken_at), folder, oldest: Date.parse(oldest.taken_at), missing: newest.missing.length };
}

/** Returns when the complete snapshots of a folder were begun, ms since 1970. */
export async function takenIn(folder: string): Promise<number[]> {
  return (await listSnapshots(folder)).flatMap(({ manifest }) => (manifest ? [Date.parse(manifest.taken_at)] : []));
}
