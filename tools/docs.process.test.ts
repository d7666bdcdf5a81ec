import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const FILES = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
/** Each file's path, and its ends, as pages shorten paths. */
const ENDS = new Set(FILES.flatMap((file) => file.split('/').map((_, at, parts) => parts.slice(at).join('/'))));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const PAGES = FILES.filter((path) => path.endsWith('.md') && existsSync(join(ROOT, path))).map((path) => ({ path, text: read(path) }));
/** Placeholders in texts of the product, whose addresses are made when they are sent. */
const PLACEHOLDER = /^\{.*\}$/;

/** Lists the pages' statements of a form that do not hold, as `page: statement`. */
function untrue(form: RegExp, holds: (said: string, path: string) => boolean): string[] {
  return PAGES.flatMap(({ path, text }) =>
    [...text.matchAll(form)]
      .map(([, said]) => said as string)
      .filter((said) => !holds(said, path))
      .map((said) => `${path}: ${said}`),
  );
}

/** Lists the anchors that GitHub makes of a page's headings. */
const anchorsOf = (path: string): string[] =>
  [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    String(heading)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-'),
  );

it('no page leads to a file or a heading that is not there', () => {
  expect(PAGES.length).toBeGreaterThan(60);
  const holds = (link: string, from: string): boolean => {
    if (/^(https?|mailto):/.test(link) || PLACEHOLDER.test(link)) return true;
    const [path, anchor] = link.split('#') as [string, string?];
    const target = path ? normalize(join(dirname(from), path)) : from;
    return existsSync(join(ROOT, target)) && (!anchor || !target.endsWith('.md') || anchorsOf(target).includes(anchor));
  };
  expect(untrue(/\]\(([^)\s]+)\)/g, holds)).toEqual([]);
});

it('no page names a source file that is not there, also in a drawing', () => {
  const patterns = /^x\.([\w.]+\.)?ts$/;
  const isThere = (path: string) => patterns.test(path) || ENDS.has(path);
  const form = /(?<![\w/.{*-])((?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:tsx?|mjs))\b/g;
  expect(read('docs/architecture.md').match(form)?.length).toBeGreaterThan(100);
  expect(untrue(form, isThere)).toEqual([]);
});

it('no page names a command of npm or a bench that is not there', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  expect(untrue(/npm run ([a-z]+)/g, (name) => name in scripts)).toEqual([]);
  const benches = read('bench/run.ts');
  expect(untrue(/npm run bench -- ([a-z][\w-]*)/g, (name) => new RegExp(`^  '?${name}'?: bench`, 'm').test(benches))).toEqual([]);
});
