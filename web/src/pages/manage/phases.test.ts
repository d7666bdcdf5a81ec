import { expect, it } from 'vitest';
import { ORDERS, phaseOf } from './phases.ts';

const PARTY = { start_date: '2026-05-16', end_date: '2026-05-17' };

it.each([
  ['2026-05-16T03:59:59Z', 'before'],
  ['2026-05-16T04:00:00Z', 'during'],
  ['2026-05-17T22:30:00Z', 'during'],
  ['2026-05-18T03:59:59Z', 'during'],
  ['2026-05-18T04:00:00Z', 'after'],
])('at %s the event is %s', (at, phase) => {
  expect(phaseOf(PARTY, Date.parse(at))).toBe(phase);
});

it('nothing is missing at any time', () => {
  const all = [...ORDERS.before].sort();
  for (const order of Object.values(ORDERS)) expect([...order].sort()).toEqual(all);
});
