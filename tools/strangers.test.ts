import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Call } from '@feierbild/contract/call.ts';
import { contract } from '@feierbild/contract/contract.ts';
import { ACCEPTED_TYPES } from '@feierbild/contract/constants.ts';
import { expect, it } from 'vitest';

/** Accesses without a login: anybody can invent a device's id. */
const FREE: ReadonlySet<Call['access']> = new Set(['anyone', 'device', 'photo', 'picture', 'original']);

const page = readFileSync(join(import.meta.dirname, '../docs/strangers.md'), 'utf8');

it('docs/strangers.md says of each type of file that is taken what the dearest costs, and what bounds it', () => {
  const rows = [...page.matchAll(/^\| (`image\/.*?|video) \|(.*)\|$/gm)];
  const types = rows.flatMap(([, kinds]) => String(kinds).replaceAll('`', '').split(', '));
  expect(types.toSorted()).toEqual([...ACCEPTED_TYPES, 'video'].toSorted());
  for (const [, , cells] of rows) expect(String(cells).split('|')[1]).toMatch(/\d m?s\b/);
});

it('docs/strangers.md says of each call that needs no login, and of no other, what it costs, also when it is refused, and what bounds it', () => {
  const rows = [...page.matchAll(/^\| `([A-Z]+ \/[^`]*)` \|(.*)\|$/gm)].map(([, call, cells]) => ({
    call,
    cells: String(cells)
      .split('|')
      .map((cell) => cell.trim()),
  }));
  const free = Object.entries(contract as Record<string, Call>).filter(([, { access }]) => FREE.has(access));
  expect(rows.map(({ call }) => call).toSorted()).toEqual(free.map(([name]) => name).toSorted());
  for (const { call, cells } of rows) {
    const [writes = '', , bound = '', dearest = ''] = cells;
    const costs = /\d ms|^(the same|–)$/.test(dearest);
    expect([call, cells.length, writes.length > 6, bound.length > 6, costs]).toEqual([call, 4, true, true, true]);
  }
});
