import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { drawnSamples, ownSamples } from './samples.ts';

const { folder, samples } = drawnSamples;

describe('the demo event’s samples', () => {
  it('are exactly the files of their folder, thirty', () => {
    expect(readdirSync(folder).toSorted()).toEqual(samples.map(({ file }) => file).toSorted());
    expect(samples).toHaveLength(30);
  });

  it.each(samples)('$file is a JPEG of at most 300 KB and 2,400 pixels without metadata', async ({ file }) => {
    const path = join(folder, file);
    const { format, width, height, exif } = await sharp(path).metadata();
    expect({ format, longest: Math.max(width, height), exif }).toEqual({ format: 'jpeg', longest: 2400, exif: undefined });
    expect(statSync(path).size).toBeLessThanOrEqual(300_000);
  });

  it('tell one evening from 16:00 to 23:50, a third of them upright', async () => {
    const times = samples.map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
    expect([(times.at(0) ?? '') >= '16:00', times.at(-1)]).toEqual([true, '23:50']);
    const sides = await Promise.all(samples.map(({ file }) => sharp(join(folder, file)).metadata()));
    expect(sides.filter(({ width, height }) => height > width).length).toBeGreaterThanOrEqual(10);
  });
});

describe('an operator’s own pictures', () => {
  it('are those of the folder in the order of their names, from the afternoon to the night', () => {
    const own = mkdtempSync(join(tmpdir(), 'feierbild-own-'));
    for (const name of ['10.jpg', '2.JPG', '1.heic', 'notizen.txt']) writeFileSync(join(own, name), '');
    const found = ownSamples(own);
    rmSync(own, { recursive: true });
    expect(found.folder).toBe(own);
    expect(found.samples.map(({ file, at }) => [file, at])).toEqual([
      ['1.heic', '16:00'],
      ['2.JPG', '19:55'],
      ['10.jpg', '23:50'],
    ]);
  });
});
