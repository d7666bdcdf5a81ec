import { join } from 'node:path';
import { BACKUPS_KEPT_DAYS, DAY } from '@feierbild/contract/constants.ts';
import { createClockGuard } from '../../database/clock-guard.ts';
import type { Db, Trx } from '../../database/open.ts';
import { iso, type Clock } from '../../lib/clock.ts';
import { isDiskFull } from '../../lib/disk-full.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { blobsOf as photoBlobs, photoOf, withGaps, type PhotoBlobs } from '../../storage/blob-store.ts';
import { createFolderStore } from '../../storage/folder-store.ts';
import { judgeRefusals } from '../../storage/refused-blobs.ts';
import { createStaging } from '../../storage/staging.ts';
import type { Vault } from '../../vault/vault.ts';
import { createProof } from '../proofs/proofs.ts';
import { awayText, fullText, lockToRead, lockToWrite, NO_ROOM, onDisk, refuseOthers, UNHARMED } from './backup-folder.ts';
import { copyBlob, eachOf, measureBlob, type Store } from './copy.ts';
import { isAway, lastBackup, lastIn, mountsTo, noteBackup, takenIn } from './last-backup.ts';
import { chooseSnapshot, readBack, restoreSnapshot, type Restored } from './restore.ts';
import { exportRows, readFresh, type Row, type RowLine } from './rows.ts';
import {
  BackupProblem,
  beginSnapshot,
  BLOBS,
  finishSnapshot,
  FORMAT,
  indexBlobs,
  isAhead,
  listSnapshots,
  readLines,
  removeSnapshot,
  ROWS,
  takenAt,
  writeLines,
  type BlobLine,
} from './snapshots.ts';

export { isGone, noteBackup, oldestSnapshot, type LastBackup } from './last-backup.ts';
export { refuseOtherVersion } from './restore.ts';
export { BackupProblem, OthersFolder } from './snapshots.ts';

/** Days in which each blob of the backup is read again once and its hash compared; if backups are rarer, each backup does so. */
const PROOF_DAYS = 7;
/** Most attempts at a photo whose blobs are being replaced. */
const TRIES = 5;
/** One day less than BACKUPS_KEPT_DAYS: with one backup a day, a snapshot is removed before it gets older than that. */
const MAX_AGE_MS = (BACKUPS_KEPT_DAYS - 1) * DAY;

export interface BackedUp {
  snapshot: string;
  photos: number;
  /** Number of blobs that were copied, and of blobs that the backup already had. */
  copied: number;
  present: number;
  /** Keys of blobs that the photo store does not give whole although their photos exist, and that the backup does not have. */
  missing: string[];
  /** Keys of blobs whose bytes in the backup had changed; they were copied again. */
  rotten: string[];
  /** Number of snapshots that were removed because of their age, or because of their date in the future. */
  removed: number;
  /** Keys of blobs and names of folders in the backup that its disk does not list: what is too old there stays. */
  unlisted: string[];
  /** Names of snapshots with a date in the future that stay, as the clock may be behind. */
  ahead: string[];
  /** The error if noting the backup in the database failed, else null. */
  unnoted: unknown;
}

export type Backup = ReturnType<typeof createBackup>;

interface Deps extends Store {
  db: Db;
  vault: Vault;
  clock: Clock;
}

/** The counts and findings of a run. */
interface Tally extends Omit<BackedUp, 'snapshot' | 'photos' | 'removed' | 'unlisted' | 'ahead' | 'unnoted'> {
  /** Size of all blobs of the snapshot. */
  bytes: number;
  gone: string[];
  fresh: Row[];
}

/** A backup that is being taken. */
interface Run extends Store {
  now: number;
  /** Start of the folder's previous snapshot, ms since 1970; -Infinity if there is none. */
  last: number;
  /** Index of the blobs that complete snapshots list, and of those that this run has secured so far. */
  index: Awaited<ReturnType<typeof indexBlobs>>;
  tally: Tally;
  /** What the backup's disk does not list. */
  unlisted: Set<string>;
}

export function createBackup({ db, blobs: given, staging, vault, clock }: Deps) {
  const blobs = judgeRefusals(given);
  const clockGuard = createClockGuard({ db, clock });
  const proof = createProof(db);
  /** Writes all rows as of one moment. */
  async function writeRows(path: string) {
    const tables: Record<string, number> = {};
    async function* lines(trx: Trx): AsyncGenerator<RowLine> {
      for await (const line of exportRows(trx)) {
        tables[line[0]] = (tables[line[0]] ?? 0) + 1;
        yield line;
      }
    }
    return { ...(await db.snapshot((trx) => writeLines(join(path, ROWS), lines(trx)))), tables };
  }

  /** Reads the photos of a snapshot's rows. */
  async function* photosOf(path: string): AsyncGenerator<PhotoBlobs> {
    for await (const line of readLines(join(path, ROWS))) {
      const [table, row] = line as RowLine;
      if (table === 'photos') yield row as unknown as PhotoBlobs;
    }
  }

  /**
   * Ensures that the backup has a blob: keeps an existing one and reads it again every PROOF_DAYS, or copies a missing or damaged one.
   * Returns null if the photo store does not give it.
   */
  async function secure(run: Run, key: string, size: number): Promise<BlobLine | null> {
    const { tally } = run;
    const last = run.index.find(key);
    const isThere = (await run.blobs.size(key)) === size;
    if (isThere) {
      const measured = last?.size === size && !isItsTurn(key, run) ? last : await measureBlob(run.blobs, key);
      if (measured && (!last || measured.sha256 === last.sha256)) {
        tally.present += 1;
        return { key, size, sha256: measured.sha256 };
      }
    }
    const copied = await copyBlob(key, blobs, run, (found) => found.size === size);
    if (!copied) return null;
    tally.copied += 1;
    if (isThere) tally.rotten.push(key);
    return { key, ...copied };
  }

  /** Copies the blobs that the backup does not have yet, and writes the list of all blobs. */
  async function copyBlobs(run: Run, path: string) {
    const { tally } = run;
    const secured = eachOf(photosOf(path), async (listed) => {
      let photo: PhotoBlobs & { encoded?: () => Row } = listed;
      for (let tries = 1; ; tries++) {
        const found: BlobLine[] = [];
        const lost: string[] = [];
        for (const { key, size } of photoBlobs(photo)) {
          const line = await secure(run, key, vault.sealedSize(size));
          if (line) found.push(line);
          else lost.push(key);
        }
        const now = lost.length === 0 ? photo : await readFresh(db, photo.id);
        if (now && (tries === TRIES || JSON.stringify(photoBlobs(now)) === JSON.stringify(photoBlobs(photo)))) {
          tally.missing.push(...lost);
          if (photo.encoded) tally.fresh.push(photo.encoded());
          return found;
        }
        if (!now) {
          tally.gone.push(photo.id);
          return [];
        }
        // The photo's blob was replaced by another one; the next attempt copies that.
        photo = now;
      }
    });
    async function* lines(): AsyncGenerator<BlobLine> {
      for await (const found of secured) {
        for (const line of found) {
          tally.bytes += line.size;
          run.index.add(line);
          yield line;
        }
      }
    }
    return writeLines(join(path, BLOBS), lines());
  }

  /** Removes blobs that were copied before an instant (ms since 1970) and that no complete snapshot lists. */
  async function sweep(run: Run, before: number): Promise<void> {
    const listed = withGaps(run.blobs.list(''), ({ names }) => names.forEach((name) => run.unlisted.add(name)));
    for await (const { key, modifiedAt } of listed) if (modifiedAt < before && !run.index.find(key)) await run.blobs.remove(key);
  }

  /** Writes a run's snapshot. A failure leaves only blobs of it, which the next run takes over. */
  async function write(run: Run, folder: string, clock_trusted: boolean, earlier: string) {
    const { name, path } = await beginSnapshot(folder, run.now);
    try {
      const rows = await writeRows(path);
      const list = await copyBlobs(run, path);
      const { gone, fresh, bytes, ...found } = run.tally;
      await readBack(db, folder, path, earlier, { gone, fresh });
      await finishSnapshot(path, {
        format: FORMAT,
        taken_at: iso(run.now),
        installation: await proof('backup'),
        clock_trusted,
        migrations: await db.migrations(),
        rows,
        blobs: { ...list, total_bytes: bytes },
        gone,
        fresh,
        missing: found.missing,
      });
      await sweep(run, Number.POSITIVE_INFINITY);
      return { ...found, snapshot: name, photos: (rows.tables.photos ?? 0) - gone.length };
    } catch (error) {
      await removeSnapshot({ path });
      throw error;
    }
  }

  async function takeInto(folder: string, now: number): Promise<Omit<BackedUp, 'unnoted'>> {
    const store = {
      blobs: createFolderStore({ folder: join(folder, 'blobs') }),
      staging: createStaging({ folder: join(folder, 'staging') }),
    };
    await store.staging.clear();
    const before = await listSnapshots(folder);
    // Also makes the key where there is none yet: the rows must contain it.
    refuseOthers(await proof('backup'), folder, before);
    // If the clock jumped ahead, all snapshots would seem too old. A full disk of the service must not prevent a copy elsewhere.
    const clock_trusted = await clockGuard.check().catch((error: unknown) => !isDiskFull(error) && Promise.reject(error));
    const oldest = clock_trusted ? now - MAX_AGE_MS : -Infinity;
    const expired = before.filter(({ manifest }) => manifest && Date.parse(manifest.taken_at) <= oldest);
    const kept = before.filter((snapshot) => snapshot.manifest && !expired.includes(snapshot));
    const ahead = kept.filter((snapshot) => isAhead(snapshot, now));
    // Removes old and incomplete snapshots first, so that they go even if this backup fails.
    for (const snapshot of before) if (!kept.includes(snapshot)) await removeSnapshot(snapshot);
    const earlier = kept.length > 0 ? UNHARMED : 'Eine frühere ist nicht da.';
    using index = await indexBlobs(kept);
    // A snapshot from the future, taken while the clock was ahead, says nothing about the days since.
    const last = Math.max(...kept.map(takenAt).filter((at) => at <= now));
    const tally: Tally = { present: 0, copied: 0, rotten: [], missing: [], gone: [], fresh: [], bytes: 0 };
    const run: Run = { ...store, now, last, index, tally, unlisted: new Set() };
    // The sweep also comes first, before anything needs space.
    const written = sweep(run, oldest).then(() => write(run, folder, clock_trusted, earlier));
    const done = await onDisk(folder, written, fullText(earlier));
    // A date in the future would make a snapshot the newest, and keep it, until then. One that was taken while the clock was trusted stays:
    // after a restore on a machine whose clock is behind, such are the right ones.
    const isRight = clock_trusted && !(await clockGuard.isBehind());
    const wrong = isRight ? ahead.filter(({ manifest }) => manifest?.clock_trusted === false) : [];
    for (const snapshot of wrong) await removeSnapshot(snapshot);
    const unsure = ahead.filter((snapshot) => !wrong.includes(snapshot));
    const removed = expired.length + wrong.length;
    return { ...done, removed, ahead: unsure.map(({ name }) => name), unlisted: [...run.unlisted] };
  }

  return {
    /** Takes a snapshot into a folder; the server may run. Throws BackupProblem; earlier snapshots stay complete. */
    async take(folder: string): Promise<BackedUp> {
      if (await isAway(db, folder)) throw new BackupProblem(awayText(folder));
      try {
        makeFolder(folder);
      } catch (cause) {
        throw new BackupProblem(`Der Ordner ${folder} lässt sich nicht anlegen (${(cause as NodeJS.ErrnoException).code}).`, { cause });
      }
      using _lock = lockToWrite(folder);
      const mounts = mountsTo(folder);
      const at = clock.now();
      const done = await onDisk(folder, takeInto(folder, at), fullText());
      const oldest = Math.min(at, ...(await takenIn(folder)));
      // Nobody knows the age of a snapshot with a date in the future.
      const last = { at, folder, ...(done.ahead.length === 0 && { oldest }), mounts, missing: done.missing.length };
      let unnoted: unknown = null;
      await noteBackup(db, last).catch((error: unknown) => void (unnoted = error));
      return { ...done, unnoted };
    },

    /**
     * Restores a snapshot (by default the newest, if its date is not in the future) into an empty database and a photo store that is empty
     * or contains only blobs from an earlier restore of this folder. Throws BackupProblem.
     */
    async restore(folder: string, name?: string): Promise<Restored> {
      const { snapshot, complete } = await chooseSnapshot(folder, clock.now(), name);
      using _lock = lockToRead(folder);
      return await onDisk(folder, restoreSnapshot({ db, blobs, staging, clock }, folder, snapshot, complete), NO_ROOM);
    },

    lastIn,

    last: () => lastBackup(db),
  };
}

/** Returns whether a day on which the blob is read again has come since the folder's last snapshot. */
function isItsTurn(key: string, { now, last }: Pick<Run, 'now' | 'last'>): boolean {
  const today = Math.floor(now / DAY);
  const weekday = Number.parseInt(photoOf(key).slice(-6), 16) % PROOF_DAYS;
  return today - ((today - weekday) % PROOF_DAYS) > Math.floor(last / DAY);
}
