import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AA, contrast, GROUNDS } from '@feierbild/contract/colours.ts';
import { BRAND_ACCENT, PALETTE_ACCENTS, PALETTES } from '@feierbild/contract/palettes.ts';
import { expect, it } from 'vitest';

const css = readFileSync(join(import.meta.dirname, 'palettes.css'), 'utf8');
const palettes = new Map(
  [...css.matchAll(/\[data-palette='(\w+)'\] \{([^}]*)\}/g)].map(([, name = '', body = '']) => [
    name,
    Object.fromEntries([...body.matchAll(/--([\w-]+): (#\w{6});/g)].map(([, token, colour]) => [token, colour])) as Record<string, string>,
  ]),
);

it('there is a look for each name, and no other', () => {
  expect([...palettes.keys()]).toEqual([...PALETTES]);
});

it('pictures that no page draws have the same accents', () => {
  expect(Object.fromEntries([...palettes].map(([name, { accent }]) => [name, accent]))).toEqual(PALETTE_ACCENTS);
  expect(/--accent: (#\w{6});/.exec(readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8'))?.[1]).toBe(BRAND_ACCENT);
});

it.each([...palettes])('of %s everything can be read where it stands', (_, look) => {
  const { accent, 'accent-deep': deep, 'accent-soft': soft, 'accent-light': light, second, 'second-soft': secondSoft } = look;
  const pairs = [
    [accent, GROUNDS.paper],
    [accent, '#ffffff'],
    [deep, '#ffffff'],
    [deep, GROUNDS.paper],
    [deep, GROUNDS.deep],
    [deep, soft],
    [second, GROUNDS.paper],
    [second, '#ffffff'],
    [second, secondSoft],
    ['#221c1d', soft],
    ['#5e5454', secondSoft],
    [light, GROUNDS.dark],
    [light, GROUNDS.pine],
  ] as [string, string][];
  for (const [text, ground] of pairs) expect([text, ground, contrast(text, ground) >= AA]).toEqual([text, ground, true]);
});
