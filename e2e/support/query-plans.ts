import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { RUN_FOLDER } from '../../server/src/testing/run-folder.ts';
import type { TestServer } from './server.ts';

/** Tables that grow with photos, guests or days; one read of such a table blocks the event loop for all events. */
const GROWING = [
  'photos',
  'photo_keys',
  'gallery_photo_keys',
  'guest_keys',
  'gallery_guests',
  'devices',
  'hearts',
  'links',
  'link_keys',
  'uploads',
  'upload_keys',
  'upload_parts',
  'changes',
  'audit',
];

/** Statements that may read a growing table whole, with their reason. */
const MAY: [statement: RegExp, why: string][] = [
  [/^insert into kept_answers_new /, 'a migration'],
  [/^select max\("at"\) as "at" from /, 'the first start'],
  [/^delete from "(events|upload_keys)" /, 'a purge'],
  [/^select distinct "address" from "audit" /, 'hourly'],
  [/^select \* from "audit" order by "id" desc limit /, 'reads its last rows only'],
];

/** Notes the statements that a server with SQLite prepares. */
export async function noteStatements(): Promise<{ settings: Record<string, string>; read(): string[] }> {
  const file = join(await mkdtemp(join(RUN_FOLDER, 'statements-')), 'statements.jsonl');
  return {
    settings: { NODE_OPTIONS: `--import=${join(import.meta.dirname, 'statements.mjs')}`, STATEMENTS_FILE: file },
    read: () =>
      readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as string),
  };
}

/** Returns which statements read a growing table whole by SQLite's plan, each with the plan's steps. */
export function wholeReads({ dataDir }: Pick<TestServer, 'dataDir'>, statements: readonly string[]): string[] {
  using db = new DatabaseSync(join(dataDir, 'feierbild.sqlite'), { readOnly: true });
  const named = (sql: string) => db.prepare(sql).all() as { name: string }[];
  // An index with a condition has few rows.
  const short = named(`select name from sqlite_master where type = 'index' and sql like '% where %'`).map(({ name }) => name);
  const isWhole = (step: string): boolean => {
    const [, table = '', index] = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(step) ?? [];
    return GROWING.includes(table) && !short.includes(index ?? '');
  };
  return statements.flatMap((sql) => {
    if (!/^\s*(select|insert|update|delete|with)/i.test(sql) || MAY.some(([statement]) => statement.test(sql))) return [];
    const plan = db.prepare(`explain query plan ${sql}`).all() as { detail: string }[];
    const whole = plan.map(({ detail }) => detail).filter(isWhole);
    return whole.length > 0 ? [`${whole.join(', ')}: ${sql}`] : [];
  });
}
