import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BACKUPS_KEPT_DAYS } from '@feierbild/contract/constants.ts';
import { createClockGuard } from '../../database/clock-guard.ts';
import type { Db } from '../../database/open.ts';
import type { PhotoRow } from '../../database/schema.ts';
import type { Clock } from '../../lib/clock.ts';
import { isDiskFull } from '../../lib/disk-full.ts';
import { Refusal } from '../../lib/errors.ts';
import { BlobMissing, blobsOf as photoBlobs, photoOf, type BlobStore } from '../../storage/blob-store.ts';
import { lockDataFolder } from '../../storage/data-lock.ts';
import { createStaging } from '../../storage/folder-staging.ts';
import { createFolderStore } from '../../storage/folder-store.ts';
import type { Staging } from '../../storage/staging.ts';
import type { Vault } from '../../vault/vault.ts';
import { copyBlob, each, measure, type Copied } from './copy.ts';
import { BackupProblem, BLOBS, FORMAT, ROWS, type BlobLine } from './format.ts';
import { writeLines } from './lines.ts';
import { restoreSnapshot, type Restored } from './restore.ts';
import { encode, exportRows } from './rows.ts';
import { beginSnapshot, blobsOf, finishSnapshot, listSnapshots, removeSnapshot, type Snapshot } from './snapshots.ts';

export { BackupProblem } from './format.ts';

const DAY = 24 * 60 * 60 * 1000;
/** With a backup a day, none gets older than BACKUPS_KEPT_DAYS before the next one removes it. */
const KEPT = (BACKUPS_KEPT_DAYS - 1) * DAY;

export interface BackedUp {
  snapshot: string;
  photos: number;
  /** Blobs that were copied, and those that were there. */
  copied: number;
  present: number;
  /** Keys of blobs that the photo store does not have, although their photos are there. */
  missing: string[];
  /** Snapshots that were removed because of their age. */
  removed: number;
}

export interface Backup {
  /** Takes a snapshot into a folder, beside a running server. Throws BackupProblem; the snapshots before stay whole. */
  take(folder: string): Promise<BackedUp>;
  /** Fills an empty database and an empty photo store with a snapshot, the newest if none is named. Throws BackupProblem. */
  restore(folder: string, name?: string): Promise<Restored>;
  /** Instant of the newest complete snapshot, ms since 1970; null where there is none. */
  newest(folder: string): Promise<number | null>;
}

interface Parts {
  db: Db;
  blobs: BlobStore;
  staging: Staging;
  vault: Vault;
  clock: Clock;
}

interface Target {
  folder: string;
  blobs: BlobStore;
  staging: Staging;
}

export function createBackup({ db, blobs, staging, vault, clock }: Parts): Backup {
  const clockGuard = createClockGuard({ db, clock });
  /** Writes the rows of one moment; answers the blobs that they need. */
  async function writeRows(path: string) {
    const needed: Pick<BlobLine, 'key' | 'size'>[] = [];
    const tables: Record<string, number> = {};
    const summed = await db.snapshot((trx) =>
      writeLines(join(path, ROWS), async (add) => {
        for await (const { table, row } of exportRows(trx)) {
          tables[table] = (tables[table] ?? 0) + 1;
          if (table === 'photos') needed.push(...blobsOfRow(row as unknown as PhotoRow));
          await add([table, encode(row)]);
        }
      }),
    );
    return { needed, rows: { ...summed, tables } };
  }

  const blobsOfRow = (photo: PhotoRow): Pick<BlobLine, 'key' | 'size'>[] =>
    photoBlobs(photo).map(({ key, size }) => ({ key, size: vault.sealedSize(size) }));

  /** Copies what the backup does not have yet. */
  async function copyBlobs(target: Target, needed: Pick<BlobLine, 'key' | 'size'>[], before: Snapshot | undefined) {
    const known = new Map<string, Copied>();
    if (before) for await (const { key, ...copied } of blobsOf(before)) known.set(key, copied);
    const there = new Map<string, number>();
    for await (const { key, size } of target.blobs.list('')) there.set(key, size);
    const lines: BlobLine[] = [];
    const missing: string[] = [];
    let present = 0;
    await each(needed, async ({ key, size }) => {
      if (there.get(key) === size) {
        const last = known.get(key);
        const { sha256 } = last?.size === size ? last : await measure(target.blobs.read(key));
        lines.push({ key, size, sha256 });
        present += 1;
        return;
      }
      const copied = await copyBlob(key, blobs, target, (found) => found.size === size).catch((error: unknown) => {
        if (error instanceof BlobMissing) return null;
        throw error;
      });
      if (copied) lines.push({ key, ...copied });
      else missing.push(key);
    });
    return { lines, missing, present };
  }

  /** Those of photos that are no longer there: deleted while the backup ran. */
  async function gonePhotos(keys: string[]): Promise<Set<string>> {
    const gone = new Set<string>();
    for (const id of new Set(keys.map(photoOf))) {
      if (!(await db.kysely.selectFrom('photos').select('id').where('id', '=', id).executeTakeFirst())) gone.add(id);
    }
    return gone;
  }

  /** Removes blobs that no complete snapshot names, of those copied before an instant. */
  async function sweep({ folder, blobs: store }: Target, before: number): Promise<void> {
    const named = new Set<string>();
    for (const snapshot of await listSnapshots(folder)) {
      if (snapshot.manifest) for await (const { key } of blobsOf(snapshot)) named.add(key);
    }
    for await (const { key, modifiedAt } of store.list('')) if (modifiedAt < before && !named.has(key)) await store.remove(key);
  }

  async function takeInto(target: Target): Promise<BackedUp> {
    const { folder } = target;
    const now = clock.now();
    const found = await listSnapshots(folder);
    // By a clock that leapt ahead, all of them would seem too old.
    const oldest = (await clockGuard.check()) ? now - KEPT : -Infinity;
    const expired = found.filter(({ manifest }) => manifest && Date.parse(manifest.taken_at) <= oldest);
    // Also where this backup then fails: what is too old goes first, and what a killed one left.
    for (const snapshot of found) if (!snapshot.manifest || expired.includes(snapshot)) await removeSnapshot(snapshot);
    await sweep(target, oldest);

    const { name, path } = await beginSnapshot(folder, now);
    try {
      const { needed, rows } = await writeRows(path);
      const before = found.filter((snapshot) => snapshot.manifest && !expired.includes(snapshot)).at(-1);
      const { lines, missing, present } = await copyBlobs(target, needed, before);
      const gone = await gonePhotos(missing);
      const kept = lines.filter(({ key }) => !gone.has(photoOf(key)));
      const list = await writeLines(join(path, BLOBS), async (add) => {
        for (const line of kept) await add(line);
      });
      const total_bytes = kept.reduce((sum, { size }) => sum + size, 0);
      await finishSnapshot(path, {
        format: FORMAT,
        taken_at: new Date(now).toISOString(),
        migrations: await db.migrations(),
        rows,
        blobs: { ...list, total_bytes },
        gone: [...gone],
      });
      await sweep(target, Number.POSITIVE_INFINITY);
      return {
        snapshot: name,
        photos: (rows.tables.photos ?? 0) - gone.size,
        copied: lines.length - present,
        present,
        missing: missing.filter((key) => !gone.has(photoOf(key))),
        removed: expired.length,
      };
    } catch (error) {
      await removeSnapshot({ path });
      throw asProblem(error);
    }
  }

  return {
    async take(folder) {
      await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
        throw new BackupProblem(`Der Ordner ${folder} lässt sich nicht anlegen (${(cause as Error).message}).`, { cause });
      });
      const lock = lockBackup(folder);
      try {
        const target = {
          folder,
          blobs: createFolderStore({ folder: join(folder, 'blobs') }),
          staging: createStaging({ folder: join(folder, 'staging') }),
        };
        await target.staging.clear();
        return await takeInto(target);
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
  };
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
