// Flowers in a sunny garden.
import { addBokeh, cover, createFrame, paint, pick, scaled, times } from './frame.mjs';

/** Draws a sunny garden out of focus: foliage as soft discs, brighter at the top. */
export function garden(random, width, height, { warm = 0 } = {}) {
  const frame = createFrame(width, height);
  paint(frame, (x, y) => {
    const light = 0.95 - 0.6 * y + 0.12 * Math.sin(x * 5 + y * 3);
    return [light * (0.5 + warm), light * 0.62, light * (0.34 - warm * 0.3)];
  });
  const greens = [
    [0.3, 0.42, 0.12],
    [0.5, 0.58, 0.2],
    [0.16, 0.26, 0.09],
    [0.85 + warm, 0.85, 0.5],
  ];
  for (let i = 0; i < 150; i++) {
    const y = random();
    addBokeh(frame, random(), y, (40 + random() * 120) * (width / 2400), scaled(pick(random, greens), (0.12 + random() * 0.3) * (1.2 - y)));
  }
  return frame;
}

/** Draws a blossom from the front: petals around a heart. */
export async function addBlossom(frame, random, x, y, size, colour, blur) {
  const ring = (count, reach, wide) =>
    times(count, (i) => {
      const turn = (360 / count) * i + random() * 14;
      return `<ellipse cx="${x}" cy="${y - size * reach}" rx="${size * wide}" ry="${size * 0.5}" transform="rotate(${turn} ${x} ${y})"/>`;
    });
  for (const [count, reach, wide, power] of [
    [11, 0.62, 0.34, 0.62],
    [9, 0.45, 0.32, 0.85],
    [7, 0.26, 0.28, 1.1],
    [5, 0.12, 0.2, 0.8],
  ])
    await cover(frame, ring(count, reach, wide), scaled(colour, power * (0.92 + random() * 0.16)), blur + size * 0.02);
}

/** Draws a bouquet in front of `frame`: the nearest blossoms are sharp, the others soft discs of colour. */
export async function addBouquet(frame, random, hues) {
  const { width, height } = frame;
  const ratio = (1000 * height) / width;
  for (let i = 0; i < 46; i++) {
    const far = 1 - i / 46;
    const [x, y] = [500 + (random() - 0.5) * 900 * (0.4 + 0.6 * far), ratio * (0.56 + (random() - 0.5) * 0.62)];
    if (i % 3 === 0)
      await cover(
        frame,
        `<ellipse cx="${x}" cy="${y}" rx="34" ry="95" transform="rotate(${random() * 180} ${x} ${y})"/>`,
        [0.07, 0.14, 0.06],
        4 + far * 26,
      );
    await addBlossom(frame, random, x, y, 60 + random() * 60, pick(random, hues), 1.5 + far ** 1.3 * 34);
  }
  return frame;
}

export const ROSES = [
  [1.15, 0.72, 0.62],
  [1.3, 1.12, 0.95],
  [0.95, 0.42, 0.42],
  [1.25, 0.92, 0.8],
];

const MEADOW = [
  [1.3, 1.25, 1.1],
  [0.75, 0.62, 1.15],
  [1.3, 0.95, 0.35],
  [1.2, 0.55, 0.7],
];

export const roses = (random) => addBouquet(garden(random, 1600, 2400, { warm: 0.12 }), random, ROSES);

export const meadow = (random) => addBouquet(garden(random, 2400, 1600, { warm: 0.12 }), random, MEADOW);
