import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { settingsGuide, unexplained } from './settings-guide.ts';

const PAGE = join(import.meta.dirname, '../../../docs/benutzung/einstellungen.md');

it('explains every setting once', () => {
  expect(unexplained()).toEqual([]);
});

it("the operators' page says what the code says", () => {
  if (process.env['UPDATE_GUIDE'] === '1') writeFileSync(PAGE, settingsGuide());
  expect(readFileSync(PAGE, 'utf8')).toBe(settingsGuide());
});
