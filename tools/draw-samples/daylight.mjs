// Pictures by day: bunting, balloons, instant pictures on a line.
import { garden } from './flowers.mjs';
import { addGlow, cover, createFrame, paint, scaled, times } from './frame.mjs';

/** Draws bunting between trees, the sky behind. */
export async function bunting(random) {
  const frame = createFrame(2400, 1600);
  paint(frame, (x, y) => [0.42 + 0.3 * y, 0.62 + 0.2 * y, 0.98 - 0.05 * y]);
  for (let i = 0; i < 7; i++) {
    const leaves = times(16, () => `<circle cx="${(i % 2 ? 880 : 0) + random() * 130}" cy="${random() * 620}" r="${14 + random() * 30}"/>`);
    await cover(frame, leaves, scaled([0.2, 0.34, 0.12], 0.6 + random() * 0.8), 20);
  }
  addGlow(frame, 0.86, 0.06, 1100, [0.9, 0.75, 0.45]);
  const hues = [
    [0.85, 0.18, 0.28],
    [1.1, 0.95, 0.75],
    [0.12, 0.4, 0.42],
    [1.1, 0.62, 0.14],
    [0.95, 0.55, 0.6],
  ];
  for (const [from, to, sag, size, blur] of [
    [90, 140, 80, 26, 9],
    [170, 60, 150, 44, 4],
    [330, 250, 190, 78, 0],
  ]) {
    const height = (x) => from + ((to - from) * x) / 1000 + sag * 4 * (x / 1000) * (1 - x / 1000);
    await cover(
      frame,
      `<polyline points="${times(51, (i) => `${i * 20},${height(i * 20)} `)}" fill="none" stroke="#fff" stroke-width="${size / 22}"/>`,
      [0.75, 0.7, 0.6],
      1.5 + blur,
    );
    for (let x = 10, i = 0; x < 1000; x += size * 1.15, i++) {
      const lean = (random() - 0.5) * size * 0.3;
      const [left, right] = [x, x + size];
      const hue = hues[i % hues.length];
      await cover(
        frame,
        `<path d="M${left} ${height(left)} L${right} ${height(right)} L${(left + right) / 2 + lean} ${height(x) + size * 1.25} Z"/>`,
        (u) => scaled(hue, 0.75 + 0.4 * Math.abs((u * 1000 - left) / size - 0.5)),
        1.6 + blur,
      );
    }
  }
  return frame;
}

/** Draws balloons rising into the sky. */
export async function balloons(random) {
  const frame = createFrame(1600, 2400);
  paint(frame, (x, y) => [0.34 + 0.42 * y, 0.56 + 0.28 * y, 0.95 - 0.02 * y]);
  for (let i = 0; i < 30; i++) addGlow(frame, random(), 0.3 + random() * 0.6, 300 + random() * 500, [0.12, 0.11, 0.1]);
  const hues = [
    [0.95, 0.3, 0.38],
    [1.15, 1.05, 0.92],
    [1.1, 0.68, 0.24],
    [0.9, 0.55, 0.66],
    [0.24, 0.55, 0.58],
  ];
  const places = Array.from({ length: 26 }, (_, i) => ({
    x: 90 + random() * 820,
    y: 130 + random() * 1050,
    size: 26 + i * 4.4,
    hue: hues[i % hues.length],
  }));
  for (const { x, y, size, hue } of places) {
    const blur = size < 70 ? 9 - size / 9 : (size - 70) / 6;
    await cover(
      frame,
      `<path d="M${x} ${y + size * 1.2} q${size * 0.2} ${size} ${-size * 0.1} ${size * 2.2}" fill="none" stroke="#fff" stroke-opacity=".6" stroke-width="${size / 40}"/>`,
      [0.9, 0.9, 0.9],
      1 + blur,
    );
    await cover(
      frame,
      `<path d="M${x} ${y + size * 1.22} C${x - size * 0.5} ${y + size} ${x - size} ${y + size * 0.45} ${x - size} ${y - size * 0.1} C${x - size} ${y - size * 0.75} ${x - size * 0.5} ${y - size * 1.1} ${x} ${y - size * 1.1} C${x + size * 0.5} ${y - size * 1.1} ${x + size} ${y - size * 0.75} ${x + size} ${y - size * 0.1} C${x + size} ${y + size * 0.45} ${x + size * 0.5} ${y + size} ${x} ${y + size * 1.22} Z"/>`,
      (u, v) => {
        const [dx, dy] = [(u * 1000 - x) / size + 0.35, (v * 1500 - y) / size + 0.45];
        const lit = Math.exp(-(dx * dx + dy * dy) * 0.9);
        const gloss = Math.exp(-(dx * dx + dy * dy) * 26) * 0.9;
        return hue.map((c) => c * (0.42 + 0.75 * lit) + gloss);
      },
      1.4 + blur,
    );
  }
  return frame;
}

/** Draws instant pictures on a line between trees. */
export async function polaroids(random) {
  const frame = garden(random, 2400, 1600, { warm: 0.15 });
  const height = (x) => 150 + 60 * 4 * (x / 1000) * (1 - x / 1000);
  await cover(
    frame,
    `<polyline points="${times(51, (i) => `${i * 20},${height(i * 20)} `)}" fill="none" stroke="#fff" stroke-width="2.4"/>`,
    [0.3, 0.24, 0.18],
    1.5,
  );
  const views = [
    (u, v) => [0.9 - 0.5 * v, 0.55 - 0.3 * v, 0.4 - 0.1 * v + 0.2 * u],
    (u, v) => [0.2 + 0.5 * u, 0.35 + 0.3 * v, 0.55 - 0.2 * v],
    (u, v) => [0.75 - 0.3 * u, 0.62 - 0.2 * v, 0.3],
    (u, v) => [0.55 + 0.4 * v, 0.3 + 0.2 * u, 0.42],
  ];
  for (const [i, x] of [70, 300, 530, 760].entries()) {
    const [y, lean, side] = [height(x + 80) - 4, (random() - 0.5) * 9, 168];
    const turned = (shape) => `<g transform="rotate(${lean} ${x + side / 2} ${y})">${shape}</g>`;
    await cover(
      frame,
      turned(`<rect x="${x + 8}" y="${y + 14}" width="${side}" height="${side * 1.22}" fill-opacity=".35"/>`),
      [0.08, 0.1, 0.05],
      16,
    );
    await cover(
      frame,
      turned(`<rect x="${x}" y="${y}" width="${side}" height="${side * 1.22}" rx="2"/>`),
      (u, v) => scaled([1.12, 1.08, 1], 1.02 - 0.25 * v),
      1.4,
    );
    const inner = turned(`<rect x="${x + 11}" y="${y + 13}" width="${side - 22}" height="${side - 22}"/>`);
    await cover(frame, inner, (u, v) => views[i]((u * 1000 - x) / side, (v * 667 - y) / side), 1.2);
    const heads = [0.4, 0.58]
      .map(
        (at) =>
          `<circle cx="${x + side * at}" cy="${y + side * (0.52 + random() * 0.06)}" r="${side * 0.085}"/><path d="M${x + side * (at - 0.14)} ${y + side - 11} q0 ${-side * 0.32} ${side * 0.14} ${-side * 0.32} t${side * 0.14} ${side * 0.32} Z"/>`,
      )
      .join('');
    await cover(frame, turned(heads), [0.09, 0.06, 0.07], 2);
    await cover(
      frame,
      turned(`<rect x="${x + side / 2 - 6}" y="${y - 16}" width="12" height="34" rx="2"/>`),
      (u) => scaled([0.72, 0.52, 0.3], 0.8 + 0.3 * Math.sin(u * 900)),
      1.4,
    );
  }
  return frame;
}
