import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { captureTimes } from './capture-times.ts';

const ORIGINAL = 0x9003;
const DIGITIZED = 0x9004;
const OFFSET_ORIGINAL = 0x9011;
const OFFSET_DIGITIZED = 0x9012;

/** Builds little-endian Exif of these texts; `kind` is their TIFF type. */
function exif(tags: Record<number, string>, kind = 2): Buffer {
  const entries = Object.entries(tags);
  const end = 32 + 2 + 12 * entries.length + 4;
  const head = Buffer.alloc(end);
  head.write('Exif\0\0II*\0', 'latin1');
  const tiff = 6;
  head.writeUInt32LE(8, tiff + 4);
  head.writeUInt16LE(1, tiff + 8);
  head.writeUInt16LE(0x8769, tiff + 10);
  head.writeUInt16LE(4, tiff + 12);
  head.writeUInt32LE(1, tiff + 14);
  head.writeUInt32LE(32 - tiff, tiff + 18);
  head.writeUInt16LE(entries.length, 32);
  const texts: Buffer[] = [];
  for (const [n, [tag, text]] of entries.entries()) {
    const bytes = Buffer.from(`${text}\0`, 'latin1');
    const at = 34 + 12 * n;
    head.writeUInt16LE(Number(tag), at);
    head.writeUInt16LE(kind, at + 2);
    head.writeUInt32LE(bytes.length, at + 4);
    if (bytes.length <= 4) {
      bytes.copy(head, at + 8);
      continue;
    }
    head.writeUInt32LE(end - tiff + Buffer.concat(texts).length, at + 8);
    texts.push(bytes);
  }
  return Buffer.concat([head, ...texts]);
}

const TIME = '2026:05:17 21:04:00';
const OTHER = '2020:01:01 00:00:00';

describe('the times of a picture', () => {
  it.each([
    ['the original', { [ORIGINAL]: TIME, [DIGITIZED]: OTHER }, [TIME, OTHER]],
    ['the digitized', { [DIGITIZED]: TIME }, [TIME]],
    [
      'each with its own offset',
      { [ORIGINAL]: TIME, [DIGITIZED]: OTHER, [OFFSET_DIGITIZED]: 'Z', [OFFSET_ORIGINAL]: '+01:00' },
      [`${TIME}+01:00`, `${OTHER}Z`],
    ],
    ['with an offset without minutes', { [ORIGINAL]: TIME, [OFFSET_ORIGINAL]: '+02' }, [`${TIME}+02`]],
    ['with an offset by name', { [ORIGINAL]: TIME, [OFFSET_ORIGINAL]: 'UTC' }, [`${TIME}UTC`]],
    ['without an offset that is none', { [ORIGINAL]: TIME, [OFFSET_ORIGINAL]: '   :  ' }, [TIME]],
    ['without what is behind its end', { [ORIGINAL]: `${TIME}\0${OTHER}` }, [TIME]],
    ['padded with spaces', { [ORIGINAL]: '2026: 5: 7  9: 4: 0' }, ['2026: 5: 7  9: 4: 0']],
    ['long', { [ORIGINAL]: `${TIME}${'x'.repeat(500)}` }, [`${TIME}${'x'.repeat(13)}`]],
    ['nothing', {}, []],
  ])('are those of Exif: %s', (_name, tags, expected) => {
    expect(captureTimes(exif(tags), undefined)).toEqual(expected);
  });

  it('are read as UTF-8 of Exif 3.0, not as numbers', () => {
    expect(captureTimes(exif({ [ORIGINAL]: TIME }, 129), undefined)).toEqual([TIME]);
    expect(captureTimes(exif({ [ORIGINAL]: TIME }, 4), undefined)).toEqual([]);
  });

  it.each([
    ['an attribute', `<rdf:Description xmp:CreateDate="2026-05-17T21:04:00+02:00"/>`, ['2026-05-17T21:04:00+02:00']],
    ['an attribute in single quotes', `<rdf:Description photoshop:DateCreated='2026-05-17T21:04:00'/>`, ['2026-05-17T21:04:00']],
    ['an element', `<exif:DateTimeOriginal> 2026-05-17T21:04:00.5Z </exif:DateTimeOriginal>`, ['2026-05-17T21:04:00.5Z ']],
    ['the best first', `<a xmp:CreateDate="b" exif:DateTimeOriginal="a"/>`, ['a', 'b']],
    ['not that of a change', `<a xmp:ModifyDate="2026-05-17T21:04:00"/>`, []],
    ['none in bytes that are no text', '\0\xff<\xfexmp:CreateDate', []],
  ])('are those of XMP: %s', (_name, packet, expected) => {
    expect(captureTimes(undefined, Buffer.from(packet, 'latin1'))).toEqual(expected);
  });

  it('are those of Exif before those of XMP, and found where programs write them', async () => {
    const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } });
    const xmp =
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description xmp:CreateDate="2020-01-01T00:00:00Z"/></rdf:RDF></x:xmpmeta>';
    for (const type of ['jpeg', 'png', 'webp', 'avif'] as const) {
      const file = await picture
        .clone()
        .withExif({ IFD2: { DateTimeOriginal: TIME, OffsetTimeOriginal: '+02:00' } })
        .withXmp(xmp)
        .toFormat(type)
        .toBuffer();
      const metadata = await sharp(file).metadata();
      expect(captureTimes(metadata.exif, metadata.xmp)).toEqual([`${TIME}+02:00`, '2020-01-01T00:00:00Z']);
    }
  });
});
