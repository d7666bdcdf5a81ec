import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attachment } from '../../http/byte-answer.ts';
import { cleanFileName } from './file-names.ts';

const HOSTILE = join(import.meta.dirname, '../../../../../shared/fixtures/photos/constructed/names.jsonl');

describe('file names', () => {
  it.each([
    ['IMG_0042.jpg', 'IMG_0042.jpg'],
    ['Größe – Anna & Ben.HEIC', 'Größe – Anna & Ben.HEIC'],
    ['Gro\u0308ße.jpg', 'Größe.jpg'],
    ['../../../../etc/passwd.jpg', 'passwd.jpg'],
    ['..\\..\\windows\\win.ini.jpg', 'win.ini.jpg'],
    ['C:\\boot.jpg', 'boot.jpg'],
    ['a\u0000.jpg', 'a.jpg'],
    ['x.jpg\r\nX-Injected: 1', 'x.jpgX-Injected: 1.jpg'],
    ['photo.php.jpg', 'photo.php.jpg'],
    ['photo.jpg.php', 'photo.jpg.php.jpg'],
    ['photo.jpg;.php', 'photo.jpg;.php.jpg'],
    ['abc\u202egpj.exe', 'abcgpj.exe.jpg'],
    ['.htaccess', 'htaccess.jpg'],
    ['trailing-dot.jpg.', 'trailing-dot.jpg'],
    ['trailing-space.jpg ', 'trailing-space.jpg'],
    ['\ufeffbom.jpg', 'bom.jpg'],
    ['', 'foto.jpg'],
    ['.', 'foto.jpg'],
    ['..', 'foto.jpg'],
    ['.jpg', 'jpg.jpg'],
    ['\ud83d.jpg', '\ufffd.jpg'],
  ])('makes %j the name %j', (name, expected) => {
    expect(cleanFileName(name, 'image/jpeg')).toBe(expected);
  });

  it('takes the extension of what the bytes are where the name has none', () => {
    expect(cleanFileName('', 'image/heic')).toBe('foto.heic');
    expect(cleanFileName('blob', 'image/png')).toBe('blob.png');
  });

  it('never cuts a character in half', () => {
    const name = cleanFileName(`${'🎉'.repeat(300)}.jpg`, 'image/jpeg');
    expect(name).toBe(`${'🎉'.repeat(196)}.jpg`);
  });

  const lines = existsSync(HOSTILE) ? readFileSync(HOSTILE, 'utf8').trim().split('\n') : [];
  it.skipIf(lines.length === 0)('makes every hostile name of the fixtures (../shared/fixtures) harmless in storage and headers', () => {
    for (const line of lines) {
      const { filename } = JSON.parse(line) as { filename: string };
      const clean = cleanFileName(filename, 'image/jpeg');
      expect(clean, line).toMatch(/^[^./\\\p{Cc}][^/\\\p{Cc}\u202a-\u202e\ufeff]*\.jpg$/u);
      expect([...clean].length, line).toBeLessThanOrEqual(200);
      expect(attachment(clean), line).toMatch(/^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''[A-Za-z0-9!#$&+.^_`|~%-]+$/);
    }
    expect(lines.length).toBeGreaterThan(20);
  });
});
