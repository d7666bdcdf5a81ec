import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MUTANTS } from './mutants/table.ts';

const SOURCES = join(import.meta.dirname, '../server/src');

it.each(MUTANTS.map((row) => [`${row.in}: ${row.says}`, row] as const))('can still be made: %s', (_name, row) => {
  const source = readFileSync(join(SOURCES, row.in), 'utf8');
  expect(source.split(row.change[0]), 'a row of tools/mutants/ whose text has gone or is there twice').toHaveLength(2);
  for (const file of row.noticed) expect([file, existsSync(join(SOURCES, file))]).toEqual([file, true]);
});
