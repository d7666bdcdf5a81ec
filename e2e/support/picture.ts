import sharp from 'sharp';

/**
 * Differences of a block's mean colour (0 to 255), and the shares of all blocks that may exceed them. Letters and edges that another
 * machine draws slightly differently are many small differences; a moved, missing or recoloured element is a few large ones, a
 * changed background many.
 */
const BOUNDS = [
  { over: 40, share: 0.0004 },
  { over: 12, share: 0.015 },
] as const;

interface Pixels {
  data: Buffer;
  width: number;
  height: number;
}

/** The comparison of two pictures. */
export interface Comparison {
  alike: boolean;
  /** Description of the differences. */
  text: string;
  /** Draws the second picture as a PNG, paled, with the different blocks in red. */
  draw(): Promise<Buffer>;
}

/** Returns a picture's mean brightness, 0 to 255. */
export async function brightnessOf(picture: Buffer): Promise<number> {
  const { channels } = await sharp(picture).stats();
  return channels.slice(0, 3).reduce((sum, { mean }) => sum + mean, 0) / 3;
}

/** Compares two pictures, as a person would, by the mean colours of blocks of `block` pixels. */
export async function compare(expected: Buffer, actual: Buffer, block: number): Promise<Comparison> {
  const [before, after] = await Promise.all([pixels(expected), pixels(actual)]);
  if (before.width !== after.width || before.height !== after.height) {
    const text = `is ${after.width} × ${after.height} instead of ${before.width} × ${before.height} pixels`;
    return { alike: false, text, draw: () => sharp(actual).png().toBuffer() };
  }
  const { columns, differences } = differencesOf(before, after, block);
  const found = BOUNDS.map(({ over, share }) => {
    const count = differences.filter((difference) => difference > over).length;
    return { over, count, most: Math.max(1, Math.floor(differences.length * share)) };
  });
  return {
    alike: found.every(({ count, most }) => count <= most),
    text: [
      ...found.map(({ over, count, most }) => `${count} blocks differ by more than ${over} (at most ${most})`),
      placeOf(differences, columns),
    ].join(', '),
    draw: () => drawn(after, columns, differences, block),
  };
}

async function pixels(picture: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(picture).removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Returns the largest difference of each block's mean colour, row by row. */
function differencesOf(before: Pixels, after: Pixels, block: number): { columns: number; differences: number[] } {
  const { width, height } = before;
  const columns = Math.ceil(width / block);
  const rows = Math.ceil(height / block);
  const sums = new Int32Array(columns * rows * 3);
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.floor(y / block) * columns;
    for (let x = 0; x < width; x++) {
      const sum = (row + Math.floor(x / block)) * 3;
      for (let channel = 0; channel < 3; channel++, at++) {
        sums[sum + channel]! += before.data[at]! - after.data[at]!;
      }
    }
  }
  const differences = Array.from({ length: columns * rows }, (_, index) => {
    const size = Math.min(block, width - (index % columns) * block) * Math.min(block, height - Math.floor(index / columns) * block);
    return Math.max(...[0, 1, 2].map((channel) => Math.abs(sums[index * 3 + channel]!))) / size;
  });
  return { columns, differences };
}

/** Describes the places of the different blocks: their range across the width, and their number in each tenth of the height. */
function placeOf(differences: number[], columns: number): string {
  const least = Math.min(...BOUNDS.map(({ over }) => over));
  const rows = Math.ceil(differences.length / columns);
  const across = differences.flatMap((difference, index) => (difference > least ? [(index % columns) / columns] : []));
  const down = Array.from({ length: 10 }, (_, tenth) => {
    const [from, to] = [Math.ceil((rows * tenth) / 10) * columns, Math.ceil((rows * (tenth + 1)) / 10) * columns];
    return differences.slice(from, to).filter((difference) => difference > least).length;
  });
  const percent = (share: number): number => Math.round(share * 100);
  const [left, right] = across.reduce(([first, last], share) => [Math.min(first, share), Math.max(last, share)], [1, 0]);
  return across.length === 0 ? 'nowhere' : `from ${percent(left)} to ${percent(right)} % across, by tenths of the height ${down.join(' ')}`;
}

function drawn({ data, width, height }: Pixels, columns: number, differences: number[], block: number): Promise<Buffer> {
  const picture = Buffer.from(data);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const difference = differences[Math.floor(y / block) * columns + Math.floor(x / block)] ?? 0;
      const red = BOUNDS.some(({ over }) => difference > over);
      for (let channel = 0; channel < 3; channel++, at++) {
        const pale = 170 + (picture[at] ?? 0) / 3;
        picture[at] = red ? pale * (channel === 0 ? 1 : 0.4) : pale;
      }
    }
  }
  return sharp(picture, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}
