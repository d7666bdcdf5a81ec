import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ifMissing } from '../../storage/if-missing.ts';
import type { Copied } from './copy.ts';
import { BackupProblem, BlobLine, BLOBS, Manifest, MANIFEST } from './format.ts';
import { isWhole, readLines } from './lines.ts';

export interface Snapshot {
  /** `2026-05-17T21-04-00-000Z`: the names sort by time. */
  name: string;
  path: string;
  /** Null: the snapshot is incomplete. */
  manifest: Manifest | null;
}

/** The snapshots of a backup folder, oldest first; none if the folder does not exist. Throws BackupProblem if one cannot be read. */
export async function listSnapshots(folder: string): Promise<Snapshot[]> {
  const names = await readdir(join(folder, 'snapshots')).catch(ifMissing([]));
  const snapshots: Snapshot[] = [];
  for (const name of names.sort()) {
    const path = join(folder, 'snapshots', name);
    snapshots.push({ name, path, manifest: await readManifest(name, path) });
  }
  return snapshots;
}

/** Null where it was never written. What cannot be read is not taken for that: incomplete snapshots are removed. */
async function readManifest(name: string, path: string): Promise<Manifest | null> {
  const text = await readFile(join(path, MANIFEST), 'utf8').catch(ifMissing(null));
  if (text === null) return null;
  try {
    return Manifest.parse(JSON.parse(text));
  } catch (cause) {
    throw damaged(name, path, cause);
  }
}

const damaged = (name: string, path: string, cause?: unknown): BackupProblem =>
  new BackupProblem(`Der Stand ${name} ist beschädigt. Ist er entbehrlich, entfernen Sie ${path}.`, { cause });

/** Makes the folder of a new snapshot. */
export async function beginSnapshot(folder: string, at: number): Promise<Pick<Snapshot, 'name' | 'path'>> {
  const name = new Date(at).toISOString().replaceAll(/[:.]/g, '-');
  const path = join(folder, 'snapshots', name);
  await mkdir(path, { recursive: true, mode: 0o700 });
  return { name, path };
}

/** Completes a snapshot: its manifest is written after everything else is on the disk. */
export async function finishSnapshot(path: string, manifest: Manifest): Promise<void> {
  const temporary = join(path, `${MANIFEST}.part`);
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(manifest, null, 2));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, join(path, MANIFEST));
  for (const folder of [path, join(path, '..')]) {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  }
}

export function removeSnapshot({ path }: Pick<Snapshot, 'path'>): Promise<void> {
  return rm(path, { recursive: true, force: true });
}

/** The blobs that snapshots list, in a temporary SQLite database on the disk, because they may not fit into memory. */
export async function indexBlobs(snapshots: Snapshot[]) {
  const index = new DatabaseSync('');
  index.exec('create table blobs (key text primary key, size integer, sha256 text) without rowid; begin');
  const insert = index.prepare('insert or replace into blobs values (?, ?, ?)');
  const select = index.prepare('select size, sha256 from blobs where key = ?');
  const add = ({ key, size, sha256 }: BlobLine): void => void insert.run(key, size, sha256);
  for (const snapshot of snapshots) for await (const line of blobsOf(snapshot)) add(line);
  return {
    add,
    /** As the newest snapshot lists it; undefined where none does. */
    find: (key: string) => select.get(key) as Copied | undefined,
    close: (): void => index.close(),
  };
}

/** The blobs of a complete snapshot. Throws BackupProblem if its list is damaged. */
export async function* blobsOf({ name, path, manifest }: Snapshot): AsyncGenerator<BlobLine> {
  if (!manifest || !(await isWhole(join(path, BLOBS), manifest.blobs))) throw damaged(name, path);
  for await (const line of readLines(join(path, BLOBS))) yield BlobLine.parse(line);
}
