/** Pixels in rows of bytes: 1 channel (grey), 3 (RGB) or 4 (RGB and alpha). */
export interface Pixels {
  data: Uint8Array;
  width: number;
  height: number;
  channels: 1 | 3 | 4;
  /** Bytes from one row to the next. */
  stride: number;
}

/**
 * Scales down to `edge` px on the longest side. Each new pixel is the mean of those that it covers, computed row by row, so that only the
 * small picture needs memory. Never enlarges. The result has no gaps between rows.
 */
export function shrink(source: Pixels, edge: number): Pixels {
  const scale = Math.min(1, edge / Math.max(source.width, source.height));
  const width = Math.max(1, Math.round(source.width * scale));
  const height = Math.max(1, Math.round(source.height * scale));
  const { channels } = source;
  const target: Pixels = { data: new Uint8Array(width * height * channels), width, height, channels, stride: width * channels };
  const columns = overlaps(source.width, width);
  const rows = overlaps(source.height, height);
  const narrow = new Float32Array(target.stride);
  const sums = new Float32Array(target.stride);
  for (let y = 0, part = 0; y < source.height; y++) {
    narrowRow(source, y, columns, narrow);
    for (; rows.source[part] === y; part++) {
      const weight = rows.weight[part] as number;
      for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] as number) + weight * (narrow[i] as number);
      if (rows.source[part + 1] === undefined || rows.target[part + 1] !== rows.target[part]) {
        writeRow(sums, target, rows.target[part] as number);
        sums.fill(0);
      }
    }
  }
  return target;
}

type Overlaps = ReturnType<typeof overlaps>;

/** Lists for each of `to` new positions the old positions (of `from`) that it covers, in order, and their shares of it. */
function overlaps(from: number, to: number) {
  const parts: [number, number, number][] = [];
  const size = from / to;
  for (let target = 0; target < to; target++) {
    const start = target * size;
    const end = Math.min(from, start + size);
    for (let source = Math.floor(start); source < end - 1e-6; source++) {
      const covered = Math.min(end, source + 1) - Math.max(start, source);
      if (covered > 1e-6) parts.push([source, target, covered / size]);
    }
  }
  return {
    source: Uint32Array.from(parts, (part) => part[0]),
    target: Uint32Array.from(parts, (part) => part[1]),
    weight: Float32Array.from(parts, (part) => part[2]),
  };
}

/** Scales one row of the source to the target's width. Colours are weighted by alpha: invisible pixels do not count. */
function narrowRow({ data, stride, channels }: Pixels, y: number, columns: Overlaps, row: Float32Array): void {
  row.fill(0);
  const start = y * stride;
  for (let part = 0; part < columns.source.length; part++) {
    const from = start + (columns.source[part] as number) * channels;
    const to = (columns.target[part] as number) * channels;
    let weight = columns.weight[part] as number;
    if (channels === 4) {
      row[to + 3] = (row[to + 3] as number) + weight * (data[from + 3] as number);
      weight *= (data[from + 3] as number) / 255;
    }
    row[to] = (row[to] as number) + weight * (data[from] as number);
    row[to + 1] = (row[to + 1] as number) + weight * (data[from + 1] as number);
    row[to + 2] = (row[to + 2] as number) + weight * (data[from + 2] as number);
  }
}

function writeRow(sums: Float32Array, { data, stride, channels }: Pixels, y: number): void {
  const start = y * stride;
  for (let i = 0; i < stride; i++) {
    const alpha = channels === 4 && i % 4 !== 3 ? (sums[i - (i % 4) + 3] as number) / 255 : 1;
    data[start + i] = alpha === 0 ? 0 : Math.min(255, Math.round((sums[i] as number) / alpha));
  }
}
