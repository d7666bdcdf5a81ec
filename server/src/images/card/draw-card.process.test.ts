import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const ANOTHER = join(import.meta.dirname, '../../../../e2e/support/fonts/dejavu-sans.ttf');
const DRAW = `
  const { drawCard } = await import(${JSON.stringify(join(import.meta.dirname, 'draw-card.ts'))});
  const card = { title: 'Hochzeit Anna & Jörg', brand: 'Feierbild', accent: '#0d6068', size: { width: 1200, height: 630 } };
  process.stdout.write(await drawCard(card, null));`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'feierbild-fonts-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** fontconfig's rule for unknown families. */
const DEFAULT = '<match target="pattern"><edit name="family" mode="append_last"><string>DejaVu Sans</string></edit></match>';

/** Draws a card on a system with these typefaces. */
function drawnWith(name: string, fonts: string[]): Buffer {
  const [config, there] = [join(folder, `${name}.conf`), join(folder, name)];
  mkdirSync(there);
  for (const font of fonts) cpSync(font, join(there, 'font.ttf'));
  writeFileSync(config, `<fontconfig><dir>${there}</dir><cachedir>${join(folder, 'cache')}</cachedir>${DEFAULT}</fontconfig>`);
  const env = { ...process.env, FONTCONFIG_FILE: config };
  return execFileSync(process.execPath, ['--input-type=module', '--eval', DRAW], { env, stdio: ['ignore', 'pipe', 'ignore'] });
}

it('draws the same picture whatever typefaces the system has', () => {
  expect(drawnWith('some', [ANOTHER]).equals(drawnWith('none', []))).toBe(true);
});
