import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as texts from './texts.ts';

const SPECIFICATION = join(import.meta.dirname, '../../../shared/spec/product.md');
const there = existsSync(SPECIFICATION);
if (!there) console.log('skipped: the specification is not here, its strings are not compared');

describe.skipIf(!there)('the specified German strings', () => {
  const all = Object.entries(texts).flatMap(([page, group]) =>
    Object.entries(group).map(([name, text]) => [`${page}.${name}`, text] as const),
  );

  it.each(all)('%s stands in the specification, character by character', (_, text) => {
    expect(readFileSync(SPECIFICATION, 'utf8')).toContain(text);
  });
});
