import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { samples, SAMPLES_FOLDER } from './samples.ts';

describe('the demo event’s samples', () => {
  it('are exactly the files of their folder', () => {
    expect(readdirSync(SAMPLES_FOLDER).toSorted()).toEqual(samples.map(({ file }) => file).toSorted());
  });

  it.each(samples)('$file is a JPEG of at most 260 KB and 2000 pixels without metadata', async ({ file }) => {
    const path = join(SAMPLES_FOLDER, file);
    const { format, width, height, exif } = await sharp(path).metadata();
    expect({ format, longest: Math.max(width, height) <= 2000, exif }).toEqual({ format: 'jpeg', longest: true, exif: undefined });
    expect(statSync(path).size).toBeLessThanOrEqual(260_000);
  });

  it('come in the order of the evening', () => {
    const minutes = samples.map(({ minutesAgo }) => minutesAgo);
    expect(minutes).toEqual(minutes.toSorted((a, b) => b - a));
  });
});
