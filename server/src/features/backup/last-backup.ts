import type { Db } from '../../database/open.ts';
import { readSetting, writeSetting } from '../../database/settings.ts';

const NAME = 'last_backup';

/** The last complete backup. */
export interface LastBackup {
  /** When it was begun, ms since 1970. */
  at: number;
  /** The folder it was taken into, absolute. */
  folder: string;
}

/** Notes the last backup in the database, so that its age is known without its folder. */
export async function noteBackup(db: Pick<Db, 'kysely'>, last: LastBackup): Promise<void> {
  await writeSetting(db, NAME, JSON.stringify(last));
}

/** What was noted last; null where no backup was taken yet. */
export async function readLastBackup(db: Pick<Db, 'kysely'>): Promise<LastBackup | null> {
  const noted = await readSetting(db, NAME);
  return noted ? (JSON.parse(noted.toString()) as LastBackup) : null;
}
