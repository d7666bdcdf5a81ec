import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import specified from './texts.specified.json' with { type: 'json' };
import { shellDe } from './texts/guest/shell.de.ts';
import * as texts from './texts.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The sources of pages and contract, without tests. */
const sources = globSync('{web,contract}/src/**/*.{ts,tsx}', { cwd: ROOT, exclude: ['**/*.test.ts'] }).map((path) =>
  readFileSync(join(ROOT, path), 'utf8'),
);

/** Returns the texts of a group that a source uses, under the name by which it imports the group. */
function usedOf(group: string, source: string): string[] {
  const imported = /import \{([^}]*)\} from '[./]*\/texts\.ts'/.exec(source)?.[1] ?? '';
  const alias = new RegExp(`\\b${group}(?: as (\\w+))?\\b`).exec(imported);
  if (!alias) return [];
  return [...source.matchAll(new RegExp(`\\b${alias[1] ?? group}\\.(\\w+)`, 'g'))].map(([, name = '']) => name);
}

const all = Object.entries(texts).flatMap(([group, members]) =>
  Object.entries(members as Record<string, string>).map(([name, text]) => ({ group, name, text })),
);

describe('the specified German strings', () => {
  it.each(specified)('are written to the letter: %s', (text) => {
    expect(sources.some((source) => source.includes(text))).toBe(true);
  });

  it.each(all)('are all that $group.$name can be', ({ text }) => {
    expect(specified).toContain(text);
  });

  it.each(all)('are shown where $group.$name is meant', ({ group, name }) => {
    expect(sources.flatMap((source) => usedOf(group, source))).toContain(name);
  });
});

it('our own German texts keep together what must not stand on two lines', () => {
  // Descriptions for search engines do not wrap.
  const written = globSync('web/src/**/*.{ts,tsx}', { cwd: ROOT, exclude: ['**/*.test.ts', '**/public-pages.ts', '**/texts.ts'] });
  const loose = written.filter((path) => /§ |\b(E-Mail|IP-Adresse)/.test(readFileSync(join(ROOT, path), 'utf8')));
  expect(loose).toEqual([]);
});

describe('our own German texts', () => {
  /** Files with a host's words to the guests, on cards or as an example. */
  const hostsOwn = ['web/src/cards/card.tsx', 'web/src/pages/manage/look-panel.tsx'];
  const written = globSync('{web,contract,server}/src/**/*.{ts,tsx}', { cwd: ROOT, exclude: ['**/*.test.ts', 'web/src/languages/**'] });
  /** Lines that address somebody with „du“ or „ihr“. */
  const familiar = written
    .filter((path) => !hostsOwn.includes(path))
    .flatMap((path) => readFileSync(join(ROOT, path), 'utf8').split('\n'))
    .filter((line) =>
      /\b([Ee]uch|[Ee]uer|[Ee]ure[mnrs]?|[Dd]ein\w*|[Dd]ich|[Dd]u|(leg|hab|könn|find|meld)e?t ihr|ihr (hab|könn|seid)\w*)\b/.test(line),
    )
    .map((line) => line.trim());

  it('call no photos safe where a page broke, which may have had some that were only chosen', () => {
    const backs = globSync('web/src/languages/*/back.json', { cwd: ROOT }).map((path) => readFileSync(join(ROOT, path), 'utf8'));
    const told = [shellDe.brokenText, ...backs.map((back) => (JSON.parse(back) as Record<string, string>)['shell.brokenText'])];
    expect([told.length, told.filter((text) => /sicher/i.test(text ?? ''))]).toEqual([7, []]);
  });

  it('promise of what is deleted nothing that backups break, which keep it for some days', () => {
    const lines = written.flatMap((path) => readFileSync(join(ROOT, path), 'utf8').split('\n'));
    expect(lines.filter((line) => /nicht zurückholen|bei uns nicht mehr gespeichert/.test(line))).toEqual([]);
  });

  it('address hosts and operators with „Sie“, and guests not at all, but where the words are given', () => {
    const given = ['Dein Name', 'Dein Foto ist noch unterwegs', 'Eure Fotos auf die Leinwand'];
    expect(familiar.filter((line) => !given.some((words) => line.includes(words)))).toEqual([]);
    // „Sie werden verschlüsselt“ are the photos; „Ihr Foto wurde heruntergeladen.“ is given.
    const polite = ['klicken Sie auf "Freischalten"', 'Sie werden verschlüsselt', 'Ihr Foto', 'Ihr Video', 'Vorschau Ihres Fotos'];
    const guests = globSync('web/src/texts/guest/*.ts', { cwd: ROOT }).flatMap((path) =>
      readFileSync(join(ROOT, path), 'utf8').split('\n'),
    );
    const addressed = guests.filter((line) => /\b(Sie|Ihnen|Ihr(e[mnrs]?)?)\b/.test(line));
    expect(addressed.filter((line) => !polite.some((words) => line.includes(words)))).toEqual([]);
  });
});
