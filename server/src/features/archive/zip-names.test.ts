import fc from 'fast-check';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createZipNames, folderName, type NamedPhoto } from './zip-names.ts';

const NOON = Date.parse('2026-05-17T10:00:00Z');
const photo = (over: Partial<NamedPhoto> = {}): NamedPhoto => ({
  filename: 'IMG_0042.jpg',
  type: 'image/jpeg',
  deviceName: 'Anna',
  receivedAt: NOON,
  ...over,
});
const names = (title: string, ...photos: Partial<NamedPhoto>[]): string[] => {
  const next = createZipNames(title);
  return photos.map((over) => next(photo(over)));
};

/** What no file system of the three may get to see. */
function expectHarmless(path: string): void {
  const parts = path.split('/');
  expect(parts).toHaveLength(3);
  expect(Buffer.byteLength(path)).toBeLessThan(240);
  for (const part of parts) {
    expect(part).not.toBe('');
    expect(part).not.toMatch(/[<>:"\\|?*]|\p{Cc}|\p{Cf}|\p{Cs}|^[.\s]|[.\s]$/u);
    expect(part).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)\s*(\.|$)/i);
  }
  expect(parts[1]).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  expect(path).toMatch(/\.(jpe?g|png|webp|gif|avif|hei[cf])$/i);
}

describe('names in a ZIP', () => {
  it('are title, day of receipt in Berlin, guest and file', () => {
    expect(names('Hochzeit Anna & Ben', {}, { receivedAt: Date.parse('2026-05-17T22:30:00Z') })).toEqual([
      'Hochzeit Anna & Ben/2026-05-17/Anna – IMG_0042.jpg',
      'Hochzeit Anna & Ben/2026-05-18/Anna – IMG_0042.jpg',
    ]);
  });

  it('keep a picture’s extension as the sender wrote it, and put the found type behind every other', () => {
    const of = (filename: string, type = 'image/jpeg') => names('T', { filename, type })[0]?.split('/')[2];
    expect(of('a.JPEG')).toBe('Anna – a.JPEG');
    expect(of('a.heic', 'image/heic')).toBe('Anna – a.heic');
    expect(of('a.jpg.php')).toBe('Anna – a.jpg.php.jpg');
    expect(of('a.exe', 'image/png')).toBe('Anna – a.exe.png');
    expect(of('a')).toBe('Anna – a.jpg');
    expect(of('', 'image/webp')).toBe('Anna – foto-1.webp');
    expect(of('.jpg')).toBe('Anna – jpg.jpg');
  });

  it('are unique also where case and Unicode form do not count', () => {
    const list = names('T', { filename: 'é.jpg' }, { filename: 'E\u0301.JPG' }, { filename: 'é.jpg' }, { filename: 'é (2).jpg' });
    expect(new Set(list.map((name) => name.normalize('NFC').toLowerCase())).size).toBe(4);
    expect(list[2]).toBe('T/2026-05-17/Anna – é (3).jpg');
  });

  it('stay short, unique and harmless for any title, guest and file', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.constantFrom('CON', 'aux.', '..', ' . ', '🎉'.repeat(80), 'ß', '\u202egpj.exe', 'a/b\\c'),
    );
    fc.assert(
      fc.property(text, fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 6 }), (title, photos) => {
        const list = names(
          title,
          ...photos.flatMap(([filename, deviceName]) => [
            { filename, deviceName },
            { filename, deviceName },
          ]),
        );
        for (const name of list) expectHarmless(name);
        expect(new Set(list.map((name) => name.normalize('NFKC').toLowerCase())).size).toBe(list.length);
      }),
    );
  });

  it('number thousands of equal ones at once', () => {
    const list = names('T', ...Array.from({ length: 20_000 }, () => ({})));
    expect(list.at(-1)).toBe('T/2026-05-17/Anna – IMG_0042 (20000).jpg');
    expect(new Set(list).size).toBe(20_000);
  });

  const collection = new URL('../../../../../shared/fixtures/photos/constructed/names.jsonl', import.meta.url);
  it.skipIf(!existsSync(collection))('are harmless for every file name of the collection (skipped without ../shared)', () => {
    const lines = readFileSync(collection, 'utf8').trim().split('\n');
    const next = createZipNames('Fest');
    for (const line of lines) expectHarmless(next(photo(JSON.parse(line) as Partial<NamedPhoto>)));
    expect(lines.length).toBeGreaterThan(20);
  });

  it('have a folder even where the title leaves nothing', () => {
    expect(folderName('///...')).toBe('___');
    expect(folderName('\u202e')).toBe('Fotos');
    expect(folderName('con')).toBe('_con');
  });
});
