import { HOUR, MINUTE } from '@feierbild/contract/constants.ts';
import { expect, it } from 'vitest';
import { retryAt } from './retry-after.ts';

const NOW = Date.parse('2026-05-17T12:00:00Z');

it.each([
  ['120', NOW + 2 * MINUTE],
  ['0', NOW],
  [' 7 ', NOW + 7000],
  ['Sun, 17 May 2026 13:00:00 GMT', NOW + HOUR],
  ['Sunday, 17-May-26 13:00:00 GMT', NOW + HOUR],
  ['Sun May 17 13:00:00 2026', NOW + HOUR],
  // Past and endless times are returned: the caller decides about them.
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['9'.repeat(400), Number.POSITIVE_INFINITY],
])('a time to try again is read as RFC 9110 has it: %s', (text, at) => {
  expect(retryAt(text, NOW)).toBe(at);
});

it.each([undefined, '', '-1', '+5', '1.5', '1e9', '0x10', 'Infinity', 'NaN', 'morgen', '5 Minuten', '١٢', 'Sun, 99 May 2026 13:00:00 GMT'])(
  'no time to try again is %s',
  (text) => {
    expect(retryAt(text, NOW)).toBeUndefined();
  },
);

it('a long text is read in no time', () => {
  const began = performance.now();
  for (const text of ['Sun, '.repeat(10_000), ' '.repeat(60_000), `${'1 '.repeat(30_000)}GMT`, `Sun${' '.repeat(60_000)}x`])
    expect(retryAt(text, NOW)).toBeUndefined();
  expect(performance.now() - began).toBeLessThan(1000);
});
