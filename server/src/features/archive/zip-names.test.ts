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

/** Expects a path that is safe on Windows, macOS and Linux. */
function expectHarmless(path: string): void {
  const parts = path.split('/');
  expect(parts).toHaveLength(3);
  // The program unpacks into a folder that is named after the selection's ZIP.
  expect(`${parts[0]} – Auswahl/${path}`.length).toBeLessThanOrEqual(180);
  for (const part of parts) {
    expect(part).not.toBe('');
    expect(Buffer.byteLength(part)).toBeLessThanOrEqual(255);
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

  it('mean what the bytes are', () => {
    const of = (filename: string, type: string) => names('T', { filename, type })[0]?.split('– ')[1];
    expect(of('IMG_2001.jpg', 'image/heic')).toBe('IMG_2001.jpg.heic');
    expect(of('IMG_2001.HEIC', 'image/jpeg')).toBe('IMG_2001.HEIC.jpg');
    expect(of('IMG_2001.HEIF', 'image/heic')).toBe('IMG_2001.HEIF');
    expect(of('film.mp4', 'video/quicktime')).toBe('film.mp4.mov');
  });

  it('leave room for a folder in Windows’ 260 characters, and as much as can be of each name', () => {
    const long = { filename: `${'f'.repeat(300)}.jpg`, deviceName: 'g'.repeat(300) };
    const [all = ''] = names('t'.repeat(300), long);
    const [title, , file] = all.split('/');
    expect([title?.length, all.length + 1 + 40 + ' – Auswahl'.length]).toEqual([40, 180 - 8]);
    expect(file).toMatch(/^g{32} – f{20,}\.jpg$/);
    expect(names('T', long)[0]?.split('/')[2]?.length).toBe(100 - 8);
    expect(names('T', { ...long, deviceName: 'Anna' })[0]).toContain('f'.repeat(80));
  });

  it.each([
    ['a\u0007b\u0000\u009f.jpg', 'ab.jpg'],
    ['gpj.\u202egnp.jpg', 'gpj.gnp.jpg'],
    ['COM1.jpg', 'COM1.jpg'],
    ['💍👩‍👩‍👧‍👦.jpg', '💍👩👩👧👦.jpg'],
    ['Gro\u0308ße.jpg', 'Größe.jpg'],
    ['Foto....jpg', 'Foto.jpg'],
    ['Foto.jpg...', 'Foto.jpg'],
    ['', 'foto-1.jpg'],
    ['𠮷野家.jpg', '𠮷野家.jpg'],
    ['a/b\\c/d.jpg', 'd.jpg'],
    ['AC\\DC: live?.jpg', 'DC_ live_.jpg'],
    ['x\u2028y\u2029z\tw.jpg', 'x y z w.jpg'],
    ['\u200b\ufeff\u2066.jpg', 'jpg.jpg'],
    ['1:2*3"4<5>6|7.jpg', '1_2_3_4_5_6_7.jpg'],
    ['\ud800.jpg', '\ufffd.jpg'],
    ['ﬁlm①.jpg', 'ﬁlm①.jpg'],
  ])('make of the file %j %j', (filename, expected) => {
    const [name = ''] = names('T', { filename });
    expectHarmless(name);
    expect(name).toBe(`T/2026-05-17/Anna – ${expected}`);
  });

  it('cut no character in half, in bytes or in units', () => {
    for (const sign of ['🎉', '𠮷', '漢', 'e\u0301\u0323', '👩🏽']) {
      const [name = ''] = names(sign.repeat(100), { filename: `${sign.repeat(300)}.jpg`, deviceName: sign.repeat(90) });
      expectHarmless(name);
      const signs = name.replaceAll(sign.normalize('NFC'), '');
      expect(signs).toBe('/2026-05-17/ – .jpg');
    }
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
