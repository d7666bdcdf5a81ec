import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Call } from '@feierbild/contract/call.ts';
import { contract } from '@feierbild/contract/contract.ts';
import { expect, it } from 'vitest';

/** Without a login: a device's id is made up by whoever likes. */
const FREE: ReadonlySet<Call['access']> = new Set(['anyone', 'device', 'photo', 'picture', 'original']);

it('docs/strangers.md says of each call that needs no login, and of no other, what it costs and what bounds it', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/strangers.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([A-Z]+ \/[^`]*)` \|(.*)\|$/gm)].map(([, call, cells]) => ({
    call,
    cells: String(cells)
      .split('|')
      .map((cell) => cell.trim()),
  }));
  const free = Object.entries(contract as Record<string, Call>).filter(([, { access }]) => FREE.has(access));
  expect(rows.map(({ call }) => call).toSorted()).toEqual(free.map(([name]) => name).toSorted());
  for (const { call, cells } of rows) {
    const [writes = '', , bound = ''] = cells;
    expect([call, cells.length, writes.length > 6, bound.length > 6]).toEqual([call, 3, true, true]);
  }
});
