import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

it('docs/architecture.md names no file that is not there', () => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' }).split(
    '\n',
  );
  const named = [...readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8').matchAll(/`([\w./-]+\.tsx?)`/g)].map(
    ([, path]) => path as string,
  );
  expect(named.length).toBeGreaterThan(40);
  const patterns = ['x.ts', 'x.store.ts', 'x.routes.ts', 'x.test.ts'];
  expect(named.filter((path) => !patterns.includes(path) && !files.some((file) => `/${file}`.endsWith(`/${path}`)))).toEqual([]);
});
