import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as texts from './texts.ts';

const FOLDER = join(import.meta.dirname, '../../../shared/spec');
const there = existsSync(FOLDER);
if (!there) console.log('skipped: the specification is not here, its strings are not compared');

describe.skipIf(!there)('the specified German strings', () => {
  // It, and what was decided where it is silent.
  const specification = (): string =>
    ['product.md', 'decisions.md', 'readings.md'].map((name) => readFileSync(join(FOLDER, name), 'utf8')).join('\n');
  const all = Object.entries(texts).flatMap(([page, group]) =>
    Object.entries(group).map(([name, text]) => [`${page}.${name}`, text] as const),
  );

  it.each(all)('%s stands in the specification, character by character', (_, text) => {
    expect(specification()).toContain(text);
  });
});
