import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY } from '@feierbild/contract/constants.ts';
import { noteTrusted } from '../../database/clock-guard.ts';
import { migrationsOf } from '../../database/migrate.ts';
import { openDatabase, type Db } from '../../database/open.ts';
import type { Clock } from '../../lib/clock.ts';
import { isDiskFull } from '../../lib/disk-full.ts';
import { Unavailable } from '../../lib/errors.ts';
import { OWNER_BLOB, withGaps } from '../../storage/blob-store.ts';
import { createFolderStore } from '../../storage/folder-store.ts';
import { waitAnew } from '../photo-keys/photo-keys.ts';
import { copyBlob, eachOf, measureBlob, type Store } from './copy.ts';
import { importRows, type Meanwhile } from './rows.ts';
import {
  BackupProblem,
  blobsOf,
  hasList,
  indexBlobs,
  isAhead,
  isWhole,
  readLines,
  readSnapshots,
  ROWS,
  takenAt,
  type BlobLine,
  type Snapshot,
} from './snapshots.ts';

/** So far ahead that the service takes it for the date of a wrong clock, and counts from its start (../gallery/due-approvals.ts). */
const UNTIL_START_MS = 100 * 365 * DAY;

export interface Restored {
  snapshot: string;
  /** Instant of the snapshot, ms since 1970. */
  takenAt: number;
  photos: number;
  /** Keys of blobs that are missing, damaged or unreadable in the backup and were not restored. */
  damaged: string[];
}

/**
 * Returns a folder's snapshot of this name, by default the newest, and all complete snapshots. Damage in other snapshots is ignored. Throws
 * BackupProblem, also if only a date in the future makes a snapshot the newest: whether it is, the operator knows.
 */
export async function chooseSnapshot(folder: string, now: number, name?: string): Promise<{ snapshot: Snapshot; complete: Snapshot[] }> {
  const all = await readSnapshots(folder);
  const written = all.filter(({ manifest, problem }) => manifest ?? problem);
  const snapshot = name === undefined ? written.at(-1) : written.find((one) => one.name === name);
  if (!snapshot) throw new BackupProblem(`In ${folder} ist keine vollständige Sicherung${name === undefined ? '' : ` ${name}`}.`);
  if (snapshot.problem) throw snapshot.problem;
  const complete = all.filter(({ manifest }) => manifest);
  const sure = complete.findLast((one) => !isAhead(one, now));
  if (name === undefined && sure && isAhead(snapshot, now))
    throw new BackupProblem(
      `Der Stand ${snapshot.name} trägt ein Datum in der Zukunft: Als er entstand, ging die Uhr vor, oder jetzt geht sie nach. Stellen Sie die Uhr. Geht sie richtig, nennen Sie den Stand, den Sie wollen: ihn, oder ${sure.name}, den neuesten der übrigen.`,
    );
  return { snapshot, complete };
}

/**
 * Throws BackupProblem if the backup is of another version. Called before a database is created or migrated: the version that can restore
 * the backup could not open that database.
 */
export async function refuseOtherVersion(folder: string, now: number, name?: string): Promise<void> {
  mustBeOf(Object.keys(migrationsOf('sqlite')), (await chooseSnapshot(folder, now, name)).snapshot);
}

function mustBeOf(migrations: string[], { manifest }: Snapshot): void {
  if (migrations.join() !== manifest?.migrations.join())
    throw new BackupProblem(
      'Die Sicherung stammt aus einer anderen Fassung von Feierbild: mit jener wiederherstellen, dann aktualisieren.',
    );
}

/**
 * Restores a snapshot into an empty database and an empty photo store. Blobs that a failed restore left in the store are reused, or removed
 * if this snapshot does not list them: nothing is lost, as one of the folder's `complete` snapshots lists them. Throws BackupProblem before
 * it writes anything.
 */
export async function restoreSnapshot(
  { db, blobs, staging, clock }: Store & { db: Db; clock: Clock },
  folder: string,
  snapshot: Snapshot,
  complete: Snapshot[],
): Promise<Restored> {
  const { name, path, manifest } = snapshot;
  if (!manifest || !(await isWhole(join(path, ROWS), manifest.rows))) throw new BackupProblem(`Der Stand ${name} ist beschädigt.`);
  mustBeOf(await db.migrations(), snapshot);
  await refuseToOverwrite(db, blobs, complete);
  // Partial copies of a killed restore take space.
  await staging.clear();

  const source = createFolderStore({ folder: join(folder, 'blobs'), shared: true });
  using wanted = await indexBlobs([snapshot]);
  const left = new Set<string>();
  for await (const { key } of blobs.list('')) {
    if (wanted.find(key)) left.add(key);
    else await blobs.remove(key);
  }
  const isThere = async ({ key, size, sha256 }: BlobLine): Promise<boolean> => {
    if (!left.has(key) || (await blobs.size(key)) !== size) return false;
    return (await measureBlob(blobs, key))?.sha256 === sha256;
  };
  // Blobs come first, as with an upload: a row must never exist without its blobs.
  const copying = eachOf(blobsOf(snapshot), async (line) => {
    const { key, size, sha256 } = line;
    if (await isThere(line)) return null;
    const copied = await copyBlob(key, source, { blobs, staging }, (found) => found.size === size && found.sha256 === sha256);
    return copied ? null : key;
  });
  const damaged = (await Array.fromAsync(copying)).filter((key) => key !== null);
  const trusted = trustedInstant(complete, clock.now());
  await db.transaction(async (trx) => {
    await importRows(trx, readLines(join(path, ROWS)), manifest);
    // The backup does not know what was decided since, and nobody can decide before the start: the minutes count from there.
    await waitAnew(trx, clock.now() + UNTIL_START_MS).execute();
    if (trusted !== null) await noteTrusted(trx, trusted);
  });
  return { snapshot: name, takenAt: takenAt(snapshot), photos: (manifest.rows.tables.photos ?? 0) - manifest.gone.length, damaged };
}

/**
 * Returns the last instant at which a snapshot in the folder trusted the clock, ms since 1970; null if none did. The rows' own note may be
 * weeks old: expired photos would then stay until an operator confirms the clock.
 */
function trustedInstant(complete: Snapshot[], now: number): number | null {
  const taken = complete.flatMap(({ manifest }) => (manifest?.clock_trusted ? [Date.parse(manifest.taken_at)] : []));
  return taken.length === 0 ? null : Math.min(now, Math.max(...taken));
}

async function refuseToOverwrite(db: Db, blobs: Store['blobs'], complete: Snapshot[]): Promise<void> {
  if (await db.kysely.selectFrom('events').select('id').limit(1).executeTakeFirst())
    throw new BackupProblem(
      // A restore writes the rows last, in one transaction.
      'Die Datenbank enthält schon Events. Wiederhergestellt wird nur in eine leere. Wurde eine Wiederherstellung eben unterbrochen, ist sie trotzdem fertig: „verify“ prüft es.',
    );
  const legible: Snapshot[] = [];
  for (const one of complete) if (await hasList(one)) legible.push(one);
  using known = await indexBlobs(legible);
  const listed = withGaps(blobs.list(''), ({ names: [name], cause }) => {
    const said = `Im Fotospeicher lässt sich ${name} nicht lesen. Wiederhergestellt wird nur in einen leeren: Nehmen Sie einen anderen Datenträger.`;
    throw new BackupProblem(said, { cause });
  });
  for await (const { key } of listed)
    if (key !== OWNER_BLOB && !known.find(key))
      throw new BackupProblem(
        `Der Fotospeicher ist nicht leer: ${key} steht in keiner dieser Sicherungen. Kam es danach, sichern Sie bei gestopptem Dienst mit den bisherigen Einstellungen noch einmal, bevor Sie etwas löschen. Wiederhergestellt wird nur in einen leeren.`,
      );
}

/**
 * Reads a snapshot's rows back as a restore into `db` would, into a temporary database in the backup's folder. Throws BackupProblem;
 * `earlier` is the message's sentence about the earlier snapshots.
 */
export async function readBack(db: Db, folder: string, path: string, earlier: string, meanwhile: Meanwhile): Promise<void> {
  const scratch = await mkdtemp(join(folder, 'staging', 'rows-'));
  try {
    const back = await openDatabase({ url: null, file: join(scratch, 'rows.sqlite') }, { schema: 'migrate' });
    try {
      if ((await back.migrations()).join() !== (await db.migrations()).join())
        throw new BackupProblem('Die Datenbank gehört schon zu einer neueren Fassung von Feierbild: Sichern Sie mit dieser.');
      await back.transaction((trx) => importRows(trx, readLines(join(path, ROWS)), meanwhile));
    } finally {
      await back.close();
    }
  } catch (cause) {
    if (cause instanceof BackupProblem || cause instanceof Unavailable || isDiskFull(cause)) throw cause;
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new BackupProblem(`Die Zeilen der Sicherung ließen sich nicht zurücklesen (${said}). ${earlier}`, { cause });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
