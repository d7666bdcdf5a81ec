import { describe, expect, it } from 'vitest';
import { shrink, type Pixels } from './shrink.ts';

function picture(width: number, height: number, channels: 3 | 4, colour: (x: number, y: number) => number[], gap = 0): Pixels {
  const stride = width * channels + gap;
  const data = new Uint8Array(height * stride).fill(99);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) data.set(colour(x, y), y * stride + x * channels);
  return { data, width, height, channels, stride };
}

describe('shrinking', () => {
  it('makes each new pixel the mean of those it covers, with any bytes between the rows', () => {
    const source = picture(4, 2, 3, (x, y) => [x * 10, y * 100, 7], 5);
    const { data, width, height } = shrink(source, 2);
    expect([width, height]).toEqual([2, 1]);
    expect([...data]).toEqual([5, 50, 7, 25, 50, 7]);
  });

  it('shares a pixel between the two that it lies under', () => {
    const { data } = shrink(
      picture(3, 1, 3, (x) => [[0, 90, 30][x] as number, 0, 0]),
      2,
    );
    expect([data[0], data[3]]).toEqual([30, 50]);
  });

  it('keeps a smaller picture as it is, without gaps', () => {
    const { data, width, height } = shrink(
      picture(3, 2, 3, (x, y) => [x, y, x + y], 1),
      400,
    );
    expect([width, height]).toEqual([3, 2]);
    expect([...data]).toEqual([0, 0, 0, 1, 0, 1, 2, 0, 2, 0, 1, 1, 1, 1, 2, 2, 1, 3]);
  });

  it('lets no invisible colour bleed into a visible one', () => {
    const { data } = shrink(
      picture(2, 1, 4, (x) => (x === 0 ? [200, 100, 50, 255] : [0, 255, 0, 0])),
      1,
    );
    expect([...data]).toEqual([200, 100, 50, 128]);
  });

  it('leaves at least one row of a strip', () => {
    const { width, height, data } = shrink(
      picture(9000, 2, 3, () => [40, 50, 60]),
      400,
    );
    expect([width, height, data[0], data[1199]]).toEqual([400, 1, 40, 60]);
  });
});
