import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { engines } from '../database/testing.ts';
import { RUN_FOLDER } from '../testing/run-folder.ts';

const CLI = join(import.meta.dirname, '../cli.ts');
const postgres = engines().find(({ name }) => name === 'postgres');
afterAll(() => postgres?.dispose());

it.skipIf(!postgres)('a command names the database with all its hosts, and no password, where that has no data yet', async () => {
  const db = await postgres!.open();
  const url = new URL(postgres!.location(db).url!);
  const { host } = url;
  // Each server has this database, which is empty.
  url.pathname = '/postgres';
  const DATA_DIR = await mkdtemp(join(RUN_FOLDER, 'no-data-'));
  const env = { ...process.env, DATA_DIR, DATABASE_URL: url.href.replace(host, `${host},${host}`) };
  const refused = await promisify(execFile)(process.execPath, [CLI, 'verify'], { env }).catch(
    (error: { code: number; stderr: string }) => error,
  );
  await rm(DATA_DIR, { recursive: true });
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      new RegExp(`^In der Datenbank „${host},${host}/postgres“ \\(DATABASE_URL\\) hat Feierbild noch keine Daten`),
    ),
  });
});
