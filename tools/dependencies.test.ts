import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
/** The sections of docs/dependencies.md, and the folders whose packages they list. */
const SECTIONS = { contract: 'contract', server: 'server', web: 'web', tools: '.' };

const document = readFileSync(join(ROOT, 'docs/dependencies.md'), 'utf8');

/** Lists the packages of a section's table; `scope/*` stands for all of a scope. */
function listed(section: string): string[] {
  const table = document.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? '';
  const rows = [...table.matchAll(/^\| ([^|]+) \|/gm)].map(([, packages = '']) => packages.replace(/ \(.*\)$/, ''));
  return rows.flatMap((packages) => packages.split(', ')).filter((name) => name !== 'package');
}

/** Lists the packages that a workspace depends on, without our own. */
function installed(folder: string): string[] {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(ROOT, folder, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, string> | undefined>;
  const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const scopes = listed('web').filter((name) => name.endsWith('/*'));
  const shown = names.map((name) => scopes.find((scope) => name.startsWith(scope.slice(0, -1))) ?? name);
  return [...new Set(shown)].filter((name) => !name.startsWith('@feierbild/'));
}

it.each(Object.entries(SECTIONS))('each package of %s stands in docs/dependencies.md with its reason, and no other', (section, folder) => {
  expect(listed(section).toSorted()).toEqual(installed(folder).toSorted());
});
