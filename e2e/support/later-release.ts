import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { releasesFolder, unpackRelease } from './releases.ts';

/** Makes a copy of this release with a further migration, which adds a column. */
export async function laterRelease(): Promise<{ command: string[]; remove(): Promise<void> }> {
  const parent = await releasesFolder();
  const { folder, command } = await unpackRelease(parent, '99.0.0');
  const migrations = join(folder, 'server/src/database/migrate.ts');
  const mine = "'0002-photo-states': photoStates";
  const added = `'9999-later': { up: (db: Kysely<unknown>) => db.schema.alterTable('photos').addColumn('later', 'text', (c) => c.defaultTo('new')).execute() }`;
  const text = await readFile(migrations, 'utf8');
  if (!text.includes(mine)) throw new Error('the migrations are written differently');
  await writeFile(migrations, text.replace(mine, `${mine}, ${added}`));
  return { command, remove: () => rm(parent, { recursive: true }) };
}
