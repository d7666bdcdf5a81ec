import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { CLOCK_SKEW_MS } from '../../lib/clock.ts';
import { isDamage } from '../../storage/damage.ts';
import { ifMissing } from '../../storage/if-missing.ts';
import { measure } from './copy.ts';

/**
 * Version of the format of a backup folder: `blobs/` contains sealed bytes like a folder store; each `snapshots/<time>/` contains one
 * state of the database: `rows.jsonl` (one line for each row), `blobs.jsonl` (one line for each blob) and `manifest.json`, which is
 * written last: a snapshot without it is incomplete. The format is the same for both databases and both stores.
 */
export const FORMAT = 1;
export const ROWS = 'rows.jsonl';
export const BLOBS = 'blobs.jsonl';
const MANIFEST = 'manifest.json';
const SNAPSHOTS = 'snapshots';
/** Characters per write. */
const BUFFER_CHARS = 256 * 1024;

/** A file of JSON lines; SHA-256 in hexadecimal. */
const summed = z.object({ lines: z.int(), bytes: z.int(), sha256: z.string() });
type Summed = z.infer<typeof summed>;

const Manifest = z.object({
  format: z.literal(FORMAT),
  /** Instant of the state, ISO 8601 UTC. */
  taken_at: z.iso.datetime(),
  /** A proof by the installation's key, which a restore brings along; absent in older snapshots. */
  installation: z.string().optional(),
  /** Whether deletions could rely on the clock then; false for older versions, which did not say. */
  clock_trusted: z.boolean().default(false),
  migrations: z.array(z.string()),
  rows: summed.extend({ tables: z.record(z.string(), z.int()) }),
  blobs: summed.extend({ total_bytes: z.int() }),
  /** Ids of photos that were deleted during the backup; they are not restored. */
  gone: z.array(z.string()),
  /** Photos whose blobs changed during the backup: their new rows. */
  fresh: z.array(z.record(z.string(), z.unknown())).default([]),
  /** Keys of blobs that the photo store did not give; older versions did not say. */
  missing: z.array(z.string()).default([]),
});
type Manifest = z.infer<typeof Manifest>;

/** A blob that a snapshot needs; `size` in sealed bytes, SHA-256 of them in hexadecimal. */
const BlobLine = z.object({ key: z.string(), size: z.int(), sha256: z.string() });
export type BlobLine = z.infer<typeof BlobLine>;

export interface Snapshot {
  /** `2026-05-17T21-04-00-000Z`; names sort by the time that the clock showed. */
  name: string;
  path: string;
  /** Null if the snapshot is incomplete or has a problem. */
  manifest: Manifest | null;
  /** Set if the manifest cannot be read. */
  problem?: BackupProblem;
}

/** An error of a backup, with a German message for the operator. */
export class BackupProblem extends Error {}

/** The folder has the backups of another installation. */
export class OthersFolder extends BackupProblem {}

/** Lists the snapshots of a backup folder, oldest first; none if the folder does not exist. Throws BackupProblem if one is unreadable. */
export async function listSnapshots(folder: string): Promise<Snapshot[]> {
  const snapshots = await readSnapshots(folder);
  for (const { problem } of snapshots) if (problem) throw problem;
  return snapshots;
}

/** Lists the snapshots of a backup folder, oldest first, including unreadable ones with their `problem`. */
export async function readSnapshots(folder: string): Promise<Snapshot[]> {
  const names = await readdir(join(folder, SNAPSHOTS)).catch(ifMissing([]));
  const snapshots: Snapshot[] = [];
  for (const name of names.sort()) {
    const path = join(folder, SNAPSHOTS, name);
    const manifest = await readManifest(name, path).catch((error: unknown) => {
      if (error instanceof BackupProblem) return error;
      throw error;
    });
    snapshots.push(manifest instanceof BackupProblem ? { name, path, manifest: null, problem: manifest } : { name, path, manifest });
  }
  return snapshots;
}

/** Tells whether a folder has nothing but an empty folder of snapshots, which somebody has made: a run that failed leaves more. */
export async function isEmptied(folder: string): Promise<boolean> {
  const beside = await readdir(folder).catch(ifMissing<string[]>([]));
  const names = await readdir(join(folder, SNAPSHOTS)).catch(ifMissing(null));
  return beside.length === 1 && names?.length === 0;
}

/** Reads a manifest; null if it was never written. Throws BackupProblem for an unreadable one, because incomplete snapshots are removed. */
async function readManifest(name: string, path: string): Promise<Manifest | null> {
  const text = await readFile(join(path, MANIFEST), 'utf8')
    .catch(ifMissing(null))
    .catch((cause: unknown) => {
      throw isDamage(cause) ? damaged(name, path, cause) : cause;
    });
  if (text === null) return null;
  try {
    return Manifest.parse(JSON.parse(text));
  } catch (cause) {
    throw damaged(name, path, cause);
  }
}

const damaged = (name: string, path: string, cause?: unknown): BackupProblem =>
  new BackupProblem(`Der Stand ${name} ist beschädigt. Ist er entbehrlich, entfernen Sie ${path}.`, { cause });

/** Returns when a complete snapshot was begun by the clock of then, ms since 1970. */
export const takenAt = ({ manifest }: Snapshot): number => Date.parse(manifest?.taken_at ?? '');

/** Tells whether a snapshot has a date in the future: its name and its age say nothing, for the clock was wrong then, or is now. */
export const isAhead = (snapshot: Snapshot, now: number): boolean => takenAt(snapshot) > now + CLOCK_SKEW_MS;

/** Makes the folder of a new snapshot. */
export async function beginSnapshot(folder: string, at: number): Promise<Pick<Snapshot, 'name' | 'path'>> {
  const name = new Date(at).toISOString().replaceAll(/[:.]/g, '-');
  const path = join(folder, SNAPSHOTS, name);
  await mkdir(path, { recursive: true, mode: 0o700 });
  return { name, path };
}

/** Completes a snapshot: writes its manifest after everything else is on the disk. */
export async function finishSnapshot(path: string, manifest: Manifest): Promise<void> {
  const temporary = join(path, `${MANIFEST}.part`);
  await writeDurably(temporary, JSON.stringify(manifest, null, 2));
  await rename(temporary, join(path, MANIFEST));
  for (const folder of [path, join(path, '..')]) {
    await using handle = await open(folder, 'r');
    await handle.sync();
  }
}

async function writeDurably(path: string, content: string | AsyncIterable<Uint8Array>): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(content);
  await file.sync();
}

/** Removes a snapshot: its manifest first, so that a part that a crash leaves is incomplete, and not damaged. */
export async function removeSnapshot({ path }: Pick<Snapshot, 'path'>): Promise<void> {
  await rm(join(path, MANIFEST), { force: true });
  await rm(path, { recursive: true, force: true });
}

/** Writes a file of JSON lines durably. */
export async function writeLines(path: string, source: AsyncIterable<unknown>): Promise<Summed> {
  let lines = 0;
  async function* pieces(): AsyncGenerator<Buffer> {
    let waiting = '';
    for await (const line of source) {
      waiting += `${JSON.stringify(line)}\n`;
      lines += 1;
      if (waiting.length < BUFFER_CHARS) continue;
      yield Buffer.from(waiting);
      waiting = '';
    }
    yield Buffer.from(waiting);
  }
  const { size, sha256 } = await measure(pieces(), (through) => writeDurably(path, through));
  return { lines, bytes: size, sha256 };
}

/** Yields the parsed lines of a file. */
export async function* readLines(path: string): AsyncGenerator<unknown> {
  await using file = await open(path, 'r');
  for await (const line of file.readLines()) yield JSON.parse(line);
}

/** Returns whether a file still has the size and checksum with which it was written; one that cannot be read has not. */
export async function isWhole(path: string, { bytes, sha256 }: Summed): Promise<boolean> {
  const file = await open(path, 'r').catch(() => null);
  if (!file) return false;
  const found = await measure(file.createReadStream() as AsyncIterable<Buffer>).catch((error: unknown) => {
    if (isDamage(error)) return null;
    throw error;
  });
  return found?.size === bytes && found.sha256 === sha256;
}

/** Indexes the blobs that snapshots list in a temporary SQLite database on the disk, as they may not fit into memory. */
export async function indexBlobs(snapshots: Snapshot[]) {
  const index = new DatabaseSync('');
  index.exec('create table blobs (key text primary key, size integer, sha256 text) without rowid; begin');
  const insert = index.prepare('insert or replace into blobs values (?, ?, ?)');
  const select = index.prepare('select size, sha256 from blobs where key = ?');
  const add = ({ key, size, sha256 }: BlobLine): void => void insert.run(key, size, sha256);
  for (const snapshot of snapshots) for await (const line of blobsOf(snapshot)) add(line);
  return {
    add,
    /** Returns the entry of the newest snapshot that lists the blob; undefined if none does. */
    find: (key: string) => select.get(key) as Omit<BlobLine, 'key'> | undefined,
    [Symbol.dispose]: (): void => index.close(),
  };
}

/** Returns whether a complete snapshot's list of blobs is unchanged. */
export const hasList = async ({ path, manifest }: Snapshot): Promise<boolean> =>
  manifest !== null && (await isWhole(join(path, BLOBS), manifest.blobs));

/** Yields the blobs of a complete snapshot. Throws BackupProblem if its list is damaged. */
export async function* blobsOf(snapshot: Snapshot): AsyncGenerator<BlobLine> {
  const { name, path } = snapshot;
  if (!(await hasList(snapshot))) throw damaged(name, path);
  for await (const line of readLines(join(path, BLOBS))) yield BlobLine.parse(line);
}
