import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FROM_SOURCES } from './server.ts';

/** A copy of this release that has one migration more: it adds a column. */
export async function laterRelease(): Promise<{ command: string[]; remove(): Promise<void> }> {
  const root = join(import.meta.dirname, '../..');
  const folder = await mkdtemp(join(tmpdir(), 'feierbild-later-'));
  await cp(join(root, 'server'), join(folder, 'server'), { recursive: true });
  for (const name of ['node_modules', 'contract', 'web']) await symlink(join(root, name), join(folder, name));
  const migrations = join(folder, 'server/src/database/migrate.ts');
  const mine = "'0001-start': start(engine)";
  const added = `'0002-later': { up: (db: Kysely<unknown>) => db.schema.alterTable('photos').addColumn('later', 'text', (c) => c.defaultTo('new')).execute() }`;
  const text = await readFile(migrations, 'utf8');
  if (!text.includes(mine)) throw new Error('the migrations are written differently');
  await writeFile(migrations, text.replace(mine, `${mine}, ${added}`));
  return { command: [...FROM_SOURCES.slice(0, -1), join(folder, 'server/src/main.ts')], remove: () => rm(folder, { recursive: true }) };
}
