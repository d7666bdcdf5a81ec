import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDiskFull } from '../../lib/disk-full.ts';
import { DataFolderTaken, lockDataFolder, lockForReading } from '../../storage/data-lock.ts';
import { isProof } from '../proofs/proofs.ts';
import { BackupProblem, OthersFolder, type Snapshot } from './snapshots.ts';

/** What a run says whose folder is gone. */
export const goneText = (folder: string): string => `Der Ordner ${folder} ist nicht mehr da. Ist der Datenträger noch angeschlossen?`;
/** What a backup says that would begin on the disk below its own, which is away. */
export const awayText = (folder: string): string =>
  existsSync(folder)
    ? `Unter ${folder} ist der Datenträger mit den Sicherungen nicht mehr eingehängt. Soll eine neue beginnen, nehmen Sie einen anderen Ordner.`
    : `${goneText(folder)} Soll dort eine neue Sicherung beginnen, legen Sie ihn an.`;
/** What a failed run says of the snapshots that it found. */
export const UNHARMED = 'Frühere Sicherungen sind unversehrt.';

/** Locks a backup's folder for this process; null if it needs no lock. Throws BackupProblem. */
export const lockToWrite = (folder: string): Disposable | null => locked(folder, lockDataFolder);
export const lockToRead = (folder: string): Disposable | null => locked(folder, isReadOnly(folder) ? lockForReading : lockDataFolder);

function locked(folder: string, lock: (folder: string) => Disposable | null): Disposable | null {
  try {
    return lock(folder);
  } catch (cause) {
    const said =
      cause instanceof DataFolderTaken
        ? `Mit dem Ordner ${folder} arbeitet gerade eine andere Sicherung.`
        : `In den Ordner ${folder} lässt sich nicht schreiben.`;
    throw new BackupProblem(said, { cause });
  }
}

/** Returns whether the folder is on a disk that is mounted read-only. */
function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}

/** What a run says if its backup's disk is full; `earlier` is the sentence about the earlier snapshots. */
export const fullText = (earlier = UNHARMED): string => `Der Datenträger ist voll. ${earlier}`;
/** What a restore says if there is no room for it; it writes nothing into the backup. */
export const NO_ROOM =
  'Für diese Sicherung ist beim Dienst kein Platz: auf seiner Platte (DATA_DIR), in seiner Datenbank oder in seinem Bucket. Die Sicherung ist unversehrt. Schaffen Sie Platz, und rufen Sie „restore“ noch einmal auf.';

/** Resolves like `work` on a locked folder. Throws BackupProblem if the folder is not there any more, or with `full` if a disk is full. */
export async function onDisk<T>(folder: string, work: Promise<T>, full: string): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof BackupProblem) throw cause;
    if (isDiskFull(cause)) throw new BackupProblem(full, { cause });
    // Each run has the folder of the blobs from its first step.
    if (existsSync(join(folder, 'blobs'))) throw cause;
    throw new BackupProblem(goneText(folder), { cause });
  }
}

/**
 * Throws BackupProblem if another installation than that of the proof `own` backs up into the folder: a new service beside a rescued disk, or
 * one whose own disk is not mounted, would make its empty state the newest, and remove the others after their days.
 */
export function refuseOthers(own: string, folder: string, before: Snapshot[]): void {
  const written = before.filter(({ manifest }) => manifest);
  // Snapshots of older versions name no installation, and may be of this one.
  if (written.length === 0 || written.some(({ manifest }) => isProof(own, manifest?.installation ?? own))) return;
  throw new OthersFolder(
    `In ${folder} liegen die Sicherungen eines anderen Feierbild (zuletzt ${written.at(-1)?.name}). Fehlt diesem hier die Platte mit seinen Daten, oder soll es sie erst mit „restore“ bekommen? Sonst nehmen Sie einen anderen Ordner, und löschen Sie diesen, sobald ihn niemand mehr braucht: Nach 14 Tagen tut es sonst niemand.`,
  );
}
