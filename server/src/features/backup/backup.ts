import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BACKUPS_KEPT_DAYS } from '@feierbild/contract/constants.ts';
import { createClockGuard } from '../../database/clock-guard.ts';
import type { Db } from '../../database/open.ts';
import type { PhotoRow } from '../../database/schema.ts';
import type { Clock } from '../../lib/clock.ts';
import { isDiskFull } from '../../lib/disk-full.ts';
import { Refusal } from '../../lib/errors.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { BlobMissing, blobsOf as photoBlobs, photoOf, type BlobStore } from '../../storage/blob-store.ts';
import { lockDataFolder } from '../../storage/data-lock.ts';
import { createStaging } from '../../storage/folder-staging.ts';
import { createFolderStore } from '../../storage/folder-store.ts';
import type { Staging } from '../../storage/staging.ts';
import type { Vault } from '../../vault/vault.ts';
import { copyBlob, each, measure, type Copied } from './copy.ts';
import { BackupProblem, BLOBS, FORMAT, ROWS, type BlobLine } from './format.ts';
import { createLookAhead, inGroups } from './groups.ts';
import { noteBackup, readLastBackup, type LastBackup } from './last-backup.ts';
import { readLines, writeLines } from './lines.ts';
import { restoreSnapshot, type Restored } from './restore.ts';
import { encode, exportRows, type RowLine } from './rows.ts';
import { beginSnapshot, blobsOf, finishSnapshot, listSnapshots, removeSnapshot, type Snapshot } from './snapshots.ts';

export { BackupProblem } from './format.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Number of photos whose blobs are copied and listed together. */
const GROUP_PHOTOS = 100;
/** Each blob of the backup is read again, and its hash compared, once in this many days. */
const PROOF_DAYS = 7;
/** One day less than BACKUPS_KEPT_DAYS: with one backup a day, a snapshot is removed before it gets older than that. */
const MAX_AGE_MS = (BACKUPS_KEPT_DAYS - 1) * DAY_MS;

export interface BackedUp {
  snapshot: string;
  photos: number;
  /** Number of blobs that were copied, and of those that the backup already had. */
  copied: number;
  present: number;
  /** Keys of blobs that are missing in the photo store although their photos exist. */
  missing: string[];
  /** Keys of blobs whose bytes in the backup had changed: they were copied again. */
  rotten: string[];
  /** Number of snapshots that were removed because of their age. */
  removed: number;
}

export interface Backup {
  /** Takes a snapshot into a folder; the server may be running. Throws BackupProblem; earlier snapshots stay complete. */
  take(folder: string): Promise<BackedUp>;
  /** Restores a snapshot (by default the newest) into an empty database and an empty photo store. Throws BackupProblem. */
  restore(folder: string, name?: string): Promise<Restored>;
  /** Instant of the newest complete snapshot, ms since 1970; null where there is none. */
  newest(folder: string): Promise<number | null>;
  /** The last backup of this database, wherever it is; null where there was none. */
  last(): Promise<LastBackup | null>;
}

interface Parts {
  db: Db;
  blobs: BlobStore;
  staging: Staging;
  vault: Vault;
  clock: Clock;
}

type NeededBlob = Pick<BlobLine, 'key' | 'size'>;

/** What a run has copied and found. */
interface Tally {
  present: number;
  copied: number;
  /** Size of all blobs of the snapshot. */
  bytes: number;
  rotten: string[];
  missing: string[];
  /** Ids of photos that were deleted meanwhile. */
  gone: string[];
}

interface Target {
  folder: string;
  blobs: BlobStore;
  staging: Staging;
}

export function createBackup({ db, blobs, staging, vault, clock }: Parts): Backup {
  const clockGuard = createClockGuard({ db, clock });
  /** Writes all rows as of one moment. */
  async function writeRows(path: string) {
    const tables: Record<string, number> = {};
    const summed = await db.snapshot((trx) =>
      writeLines(join(path, ROWS), async (add) => {
        for await (const { table, row } of exportRows(trx)) {
          tables[table] = (tables[table] ?? 0) + 1;
          await add([table, encode(row)]);
        }
      }),
    );
    return { ...summed, tables };
  }

  const blobsOfRow = (photo: PhotoRow): NeededBlob[] => photoBlobs(photo).map(({ key, size }) => ({ key, size: vault.sealedSize(size) }));

  /** The photos of a snapshot's rows, by id. */
  async function* photosOf(path: string): AsyncGenerator<PhotoRow> {
    for await (const line of readLines(join(path, ROWS))) {
      const [table, row] = line as RowLine;
      if (table === 'photos') yield row as unknown as PhotoRow;
    }
  }

  /**
   * Ensures that the backup has a blob: an existing one is kept, and read again every PROOF_DAYS; a missing or damaged one is
   * copied. Null if the photo store does not have it.
   */
  async function secure(
    target: Target,
    { key, size }: NeededBlob,
    last: Copied | undefined,
    tally: Tally,
    now: number,
  ): Promise<BlobLine | null> {
    if ((await target.blobs.size(key)) === size) {
      const proved = last?.size === size && !isItsTurn(key, now) ? last : await measure(target.blobs.read(key));
      if (!last || proved.sha256 === last.sha256) {
        tally.present += 1;
        return { key, size, sha256: proved.sha256 };
      }
      tally.rotten.push(key);
    }
    const copied = await copyBlob(key, blobs, target, (found) => found.size === size).catch((error: unknown) => {
      if (error instanceof BlobMissing) return null;
      throw error;
    });
    if (!copied) return null;
    tally.copied += 1;
    return { key, ...copied };
  }

  /** Copies the blobs that the backup does not have yet, and writes the list of all blobs, ordered by photo. */
  async function copyBlobs(target: Target, path: string, before: Snapshot | undefined, now: number) {
    const tally: Tally = { present: 0, copied: 0, rotten: [], missing: [], gone: [], bytes: 0 };
    const earlier = createLookAhead(before ? blobsOf(before) : null);
    const list = await writeLines(join(path, BLOBS), async (add) => {
      for await (const photos of inGroups(photosOf(path), GROUP_PHOTOS)) {
        const known = await earlier.upTo(photos.at(-1)!.id);
        const found = new Map<string, BlobLine | null>();
        await each(photos.flatMap(blobsOfRow), async (blob) => {
          found.set(blob.key, await secure(target, blob, known.get(blob.key), tally, now));
        });
        for (const photo of photos) {
          const lines = blobsOfRow(photo).map(({ key }) => ({ key, line: found.get(key) ?? null }));
          const lost = lines.filter(({ line }) => line === null);
          if (lost.length > 0 && (await isGone(photo.id))) {
            tally.gone.push(photo.id);
            continue;
          }
          tally.missing.push(...lost.map(({ key }) => key));
          for (const { line } of lines) {
            if (!line) continue;
            tally.bytes += line.size;
            await add(line);
          }
        }
      }
    });
    return { list, tally };
  }

  /** Whether a photo was deleted while the backup ran. */
  async function isGone(photoId: string): Promise<boolean> {
    return !(await db.kysely.selectFrom('photos').select('id').where('id', '=', photoId).executeTakeFirst());
  }

  /** Removes blobs that were copied before an instant and that no complete snapshot lists. */
  async function sweep({ folder, blobs: store }: Target, before: number): Promise<void> {
    // A temporary SQLite database on the disk, because the names of all blobs may not fit into memory.
    const named = new DatabaseSync('');
    try {
      named.exec('create table blobs (key text primary key) without rowid; begin');
      const add = named.prepare('insert or ignore into blobs values (?)');
      for (const snapshot of await listSnapshots(folder)) {
        if (snapshot.manifest) for await (const { key } of blobsOf(snapshot)) add.run(key);
      }
      const isNamed = named.prepare('select 1 from blobs where key = ?');
      for await (const { key, modifiedAt } of store.list('')) if (modifiedAt < before && !isNamed.get(key)) await store.remove(key);
    } finally {
      named.close();
    }
  }

  async function takeInto(target: Target): Promise<BackedUp> {
    const { folder } = target;
    const now = clock.now();
    const found = await listSnapshots(folder);
    // If the clock jumped ahead, all snapshots would seem too old.
    const oldest = (await clockGuard.check()) ? now - MAX_AGE_MS : -Infinity;
    const expired = found.filter(({ manifest }) => manifest && Date.parse(manifest.taken_at) <= oldest);
    // Old and incomplete snapshots are removed first, so that it happens even if this backup fails.
    for (const snapshot of found) if (!snapshot.manifest || expired.includes(snapshot)) await removeSnapshot(snapshot);
    await sweep(target, oldest);

    const { name, path } = await beginSnapshot(folder, now);
    try {
      const rows = await writeRows(path);
      const before = found.filter((snapshot) => snapshot.manifest && !expired.includes(snapshot)).at(-1);
      const { list, tally } = await copyBlobs(target, path, before, now);
      await finishSnapshot(path, {
        format: FORMAT,
        taken_at: new Date(now).toISOString(),
        migrations: await db.migrations(),
        rows,
        blobs: { ...list, total_bytes: tally.bytes },
        gone: tally.gone,
      });
      await sweep(target, Number.POSITIVE_INFINITY);
      return {
        snapshot: name,
        photos: (rows.tables.photos ?? 0) - tally.gone.length,
        copied: tally.copied,
        present: tally.present,
        missing: tally.missing,
        rotten: tally.rotten,
        removed: expired.length,
      };
    } catch (error) {
      await removeSnapshot({ path });
      throw asProblem(error);
    }
  }

  return {
    async take(folder) {
      try {
        makeFolder(folder);
      } catch (cause) {
        throw new BackupProblem(`Der Ordner ${folder} lässt sich nicht anlegen (${(cause as NodeJS.ErrnoException).code}).`, { cause });
      }
      const lock = lockBackup(folder);
      try {
        const target = {
          folder,
          blobs: createFolderStore({ folder: join(folder, 'blobs') }),
          staging: createStaging({ folder: join(folder, 'staging') }),
        };
        await target.staging.clear();
        const at = clock.now();
        const done = await takeInto(target);
        await noteBackup(db, { at, folder });
        return done;
      } finally {
        lock.release();
      }
    },

    async restore(folder, name) {
      const complete = (await listSnapshots(folder)).filter(({ manifest }) => manifest);
      const snapshot = name === undefined ? complete.at(-1) : complete.find((one) => one.name === name);
      if (!snapshot) throw new BackupProblem(`In ${folder} ist keine vollständige Sicherung${name === undefined ? '' : ` ${name}`}.`);
      const lock = lockBackup(folder);
      try {
        return await restoreSnapshot({ db, blobs, staging }, folder, snapshot);
      } catch (error) {
        throw asProblem(error);
      } finally {
        lock.release();
      }
    },

    async newest(folder) {
      const last = (await listSnapshots(folder)).filter(({ manifest }) => manifest).at(-1);
      return last?.manifest ? Date.parse(last.manifest.taken_at) : null;
    },

    last: () => readLastBackup(db),
  };
}

function isItsTurn(key: string, now: number): boolean {
  return Number.parseInt(photoOf(key).slice(-6), 16) % PROOF_DAYS === Math.floor(now / DAY_MS) % PROOF_DAYS;
}

function lockBackup(folder: string): { release(): void } {
  try {
    return lockDataFolder(folder);
  } catch (cause) {
    throw new BackupProblem(`Mit dem Ordner ${folder} arbeitet gerade eine andere Sicherung, oder er ist nicht beschreibbar.`, { cause });
  }
}

function asProblem(error: unknown): unknown {
  const full = error instanceof Refusal ? error.code === 'disk_full' : isDiskFull(error);
  return full ? new BackupProblem('Der Datenträger ist voll. Frühere Sicherungen sind unversehrt.', { cause: error }) : error;
}
