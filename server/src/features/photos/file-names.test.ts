import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attachment } from '../../http/byte-answer.ts';
import { cleanFileName, previewName } from './file-names.ts';

const HOSTILE = join(import.meta.dirname, '../../../../../shared/fixtures/photos/constructed/names.jsonl');

describe('file names', () => {
  it.each([
    ['IMG_0042.jpg', 'IMG_0042.jpg'],
    ['Größe – Anna & Ben.JPEG', 'Größe – Anna & Ben.JPEG'],
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

  it.each([' ', '.', ' .'])('costs as little as its name is long, of %j, too', (filler) => {
    const began = performance.now();
    cleanFileName(`x${filler.repeat(30_000)}x.jpg`, 'image/jpeg');
    expect(performance.now() - began).toBeLessThan(500);
  });

  it('takes the extension of what the bytes are where the name has none', () => {
    expect(cleanFileName('', 'image/heic')).toBe('foto.heic');
    expect(cleanFileName('blob', 'image/png')).toBe('blob.png');
  });

  it.each([
    ['IMG_2001.jpg', 'image/heic', 'IMG_2001.jpg.heic'],
    ['IMG_2001.jpg.heic', 'image/heic', 'IMG_2001.jpg.heic'],
    ['IMG_2001.HEIC', 'image/jpeg', 'IMG_2001.HEIC.jpg'],
    ['IMG_2001.HIF', 'image/heic', 'IMG_2001.HIF'],
    ['scan.JFIF', 'image/jpeg', 'scan.JFIF'],
    ['bild.png', 'image/webp', 'bild.png.webp'],
    ['film.MOV', 'video/mp4', 'film.MOV.mp4'],
    ['film.QT', 'video/quicktime', 'film.QT'],
    ['foto.HEIC', 'application/octet-stream', 'foto.HEIC'],
    ['foto.exe', 'application/octet-stream', 'foto.exe.jpg'],
  ])('keeps the extension of %j where it means %s: %j', (name, type, expected) => {
    expect(cleanFileName(name, type)).toBe(expected);
    expect(cleanFileName(expected, type)).toBe(expected);
  });

  it('names a preview as its photo of any type', () => {
    expect(previewName('IMG_2001.HEIC')).toBe('IMG_2001 (Vorschau).jpg');
    expect(previewName('a.jpg.heic')).toBe('a.jpg (Vorschau).jpg');
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
