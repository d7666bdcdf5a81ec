import { existsSync, openAsBlob, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sizeOf } from './image-size.ts';

async function pixelsOf(file: Blob): Promise<number | null> {
  const size = await sizeOf(file);
  return size && size.width * size.height;
}

const PHOTOS = join(import.meta.dirname, '../../../../../shared/fixtures/photos');
const MANIFEST = join(PHOTOS, 'manifest.tsv');

/** Makes a JPEG's first segments: metadata of 60,000 bytes, then a frame of 8,000 × 6,000. */
function jpeg(): Blob {
  const bytes = new Uint8Array(60_100);
  bytes.set([0xff, 0xd8, 0xff, 0xe1, 60_000 >> 8, 60_000 & 255]);
  bytes.set([0xff, 0xc2, 0, 17, 8, 6000 >> 8, 6000 & 255, 8000 >> 8, 8000 & 255], 60_004);
  return new Blob([bytes]);
}

/** Makes a JPEG's first segments with one Exif entry, the orientation, little or big endian. */
function held(orientation: number, little: boolean): Blob {
  const bytes = new Uint8Array(100);
  const view = new DataView(bytes.buffer);
  bytes.set([0xff, 0xd8, 0xff, 0xe1, 0, 40, ...new TextEncoder().encode('Exif\0\0')]);
  const tiff = 12;
  bytes.fill(little ? 0x49 : 0x4d, tiff, tiff + 2);
  view.setUint16(tiff + 2, 42, little);
  view.setUint32(tiff + 4, 8, little);
  view.setUint16(tiff + 8, 1, little);
  view.setUint16(tiff + 10, 0x0112, little);
  view.setUint16(tiff + 12, 3, little);
  view.setUint32(tiff + 14, 1, little);
  view.setUint16(tiff + 18, orientation, little);
  bytes.set([0xff, 0xc0, 0, 17, 8, 6000 >> 8, 6000 & 255, 8000 >> 8, 8000 & 255], 44);
  return new Blob([bytes]);
}

describe("a picture's size", () => {
  it('is that of the upright picture, however the camera was held', async () => {
    for (const little of [true, false])
      for (let orientation = 1; orientation <= 8; orientation++)
        expect([orientation, await sizeOf(held(orientation, little))]).toEqual([
          orientation,
          orientation >= 5 ? { width: 6000, height: 8000 } : { width: 8000, height: 6000 },
        ]);
  });

  it('is read from behind its metadata, and unknown where the file is no picture or cut off', async () => {
    expect(await pixelsOf(jpeg())).toBe(48_000_000);
    expect(await pixelsOf(jpeg().slice(0, 60_006))).toBeNull();
    expect(await pixelsOf(new Blob(['text, and not a picture']))).toBeNull();
    expect(await pixelsOf(new Blob([]))).toBeNull();
  });

  it.skipIf(!existsSync(MANIFEST))('is right for real photos', async () => {
    const rows = readFileSync(MANIFEST, 'utf8')
      .split('\n')
      .map((row) => row.split('\t'))
      .filter(([path = '', , , type = '']) => /^phones|^png|^webp-gif/.test(path) && /^(JPEG|PNG|GIF)$/.test(type));
    expect(rows.length).toBeGreaterThan(5);
    for (const [path = '', , , , size = ''] of rows) {
      const [width, height] = size.split('x').map(Number);
      expect([path, await pixelsOf(await openAsBlob(join(PHOTOS, path)))]).toEqual([path, Number(width) * Number(height)]);
    }
  });
});
