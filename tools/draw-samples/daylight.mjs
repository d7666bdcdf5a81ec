// By day: flowers, glasses in the garden, bunting, balloons, a set table, polaroids on a line.
import { addBokeh, addGlow, cover, createFrame, paint, shine } from './frame.mjs';

const pick = (random, list) => list[Math.floor(random() * list.length)];
const times = (count, draw) => Array.from({ length: count }, (_, i) => draw(i)).join('');
const scaled = (colour, power) => colour.map((c) => c * power);

/** A sunny garden wholly out of focus: foliage as soft discs, brighter above. */
function garden(random, width, height, { warm = 0 } = {}) {
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

/** Petals around a heart, as a blossom seen from the front. */
async function addBlossom(frame, random, x, y, size, colour, blur) {
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

/** A bouquet close by, before what the frame shows: the nearest blossoms are sharp, the others soft discs of colour. */
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

const ROSES = [
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

/** The outline of a champagne flute, as an SVG path; x is its axis, y its rim, both in the view box. */
const flute = (x, y, wide, tall) =>
  `M${x - wide} ${y} C${x - wide * 1.08} ${y + tall * 0.42} ${x - wide * 0.5} ${y + tall * 0.62} ${x - wide * 0.09} ${y + tall * 0.68} V${y + tall * 0.95} C${x - wide * 0.4} ${y + tall * 0.98} ${x - wide * 0.8} ${y + tall * 0.99} ${x - wide * 0.85} ${y + tall} H${x + wide * 0.85} C${x + wide * 0.8} ${y + tall * 0.99} ${x + wide * 0.4} ${y + tall * 0.98} ${x + wide * 0.09} ${y + tall * 0.95} V${y + tall * 0.68} C${x + wide * 0.5} ${y + tall * 0.62} ${x + wide * 1.08} ${y + tall * 0.42} ${x + wide} ${y} Z`;

/** A glass against the light: its rim and its drink shine, its body hardly shows. */
export async function addFlute(frame, random, { x, y, wide, tall, drink, rim, blur = 0 }) {
  const outline = flute(x, y, wide, tall);
  await cover(frame, `<path d="${outline}" fill-opacity=".16"/>`, scaled(rim, 0.5), 2 + blur);
  const level = y + tall * 0.16;
  const filled = `M${x - wide * 0.96} ${level} C${x - wide} ${y + tall * 0.42} ${x - wide * 0.46} ${y + tall * 0.6} ${x} ${y + tall * 0.64} C${x + wide * 0.46} ${y + tall * 0.6} ${x + wide} ${y + tall * 0.42} ${x + wide * 0.96} ${level} Q${x} ${level + wide * 0.2} ${x - wide * 0.96} ${level} Z`;
  await cover(
    frame,
    `<path d="${filled}" fill-opacity=".62"/>`,
    (u) => scaled(drink, 0.6 + 0.7 * Math.abs((u * 1000 - x) / wide)),
    2 + blur,
  );
  const bubbles = times(
    46,
    () => `<circle cx="${x + (random() - 0.5) * wide * 1.1}" cy="${level + random() * tall * 0.38}" r="${0.8 + random() * 1.6}"/>`,
  );
  await shine(frame, bubbles, scaled(drink, 0.9), 1 + blur);
  const line = (width, opacity) => `<path d="${outline}" fill="none" stroke="#fff" stroke-opacity="${opacity}" stroke-width="${width}"/>`;
  await shine(frame, line(wide * 0.09, 0.5), rim, 3 + blur);
  await shine(frame, line(wide * 0.03, 0.9), scaled(rim, 1.2), 1 + blur);
  await shine(
    frame,
    `<path d="M${x - wide * 0.72} ${y + tall * 0.06} C${x - wide * 0.78} ${y + tall * 0.3} ${x - wide * 0.6} ${y + tall * 0.45} ${x - wide * 0.42} ${y + tall * 0.52}" fill="none" stroke="#fff" stroke-opacity=".8" stroke-width="${wide * 0.07}"/>`,
    rim,
    3 + blur,
  );
}

/** Two glasses in the garden, the sun behind them. */
export async function toast(random) {
  const frame = garden(random, 1600, 2400, { warm: 0.25 });
  addGlow(frame, 0.75, 0.18, 1300, [0.9, 0.7, 0.35]);
  await cover(
    frame,
    '<rect x="-20" y="1310" width="1040" height="240"/>',
    (x, y) => [0.55 - 0.2 * y, 0.46 - 0.18 * y, 0.36 - 0.16 * y],
    26,
  );
  const drink = [1.25, 0.85, 0.32];
  const rim = [1.1, 1, 0.8];
  await addFlute(frame, random, { x: 700, y: 520, wide: 110, tall: 800, drink, rim, blur: 13 });
  await addFlute(frame, random, { x: 400, y: 430, wide: 145, tall: 1000, drink, rim });
  return frame;
}

/** Bunting between trees, the sky behind. */
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

/** Balloons rising into the sky. */
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

/** Planks from above. */
function planks(random, width, height, colour) {
  const frame = createFrame(width, height);
  const tones = Array.from({ length: 12 }, () => 0.82 + random() * 0.36);
  paint(frame, (x, y) => {
    const at = y * 6.5;
    const plank = Math.floor(at);
    const grain = 0.9 + 0.07 * Math.sin(y * 420 + Math.sin(x * 7 + plank * 9) * 5) + 0.05 * Math.sin(y * 1300 + x * 12);
    const gap = Math.min(1, Math.min(at - plank, plank + 1 - at) * 26);
    const light = (1.12 - 0.45 * x) * grain * tones[plank] * (0.3 + 0.7 * gap);
    return scaled(colour, light);
  });
  return frame;
}

/** Confetti on a wooden floor, the morning after. */
export async function confettiOnWood(random) {
  const frame = planks(random, 2400, 1600, [0.5, 0.31, 0.18]);
  const hues = [
    [1.2, 0.95, 0.5],
    [1.1, 0.32, 0.46],
    [0.3, 0.62, 0.7],
    [1.25, 1.15, 1.05],
    [0.75, 0.5, 0.95],
  ];
  for (const [count, size, blur] of [
    [260, 9, 1.4],
    [150, 15, 1],
    [16, 46, 22],
  ])
    for (const hue of hues) {
      const places = Array.from({ length: count / hues.length }, () => ({
        x: random() * 1000,
        y: random() * 667,
        turn: random() * 180,
        round: random() < 0.4,
        long: 0.4 + random() * 0.8,
      }));
      const piece = ({ x, y, turn, round, long }, dx) =>
        round
          ? `<circle cx="${x + dx}" cy="${y + dx}" r="${size / 2}"/>`
          : `<rect x="${x + dx}" y="${y + dx}" width="${size}" height="${size * long}" transform="rotate(${turn} ${x} ${y})"/>`;
      await cover(frame, `<g fill-opacity=".5">${places.map((one) => piece(one, size / 4)).join('')}</g>`, [0.05, 0.03, 0.02], 3 + blur);
      await cover(frame, places.map((one) => piece(one, 0)).join(''), (u) => scaled(hue, 1.05 - 0.35 * u), blur);
    }
  return frame;
}

/** A table set for a feast, from above, in the light of a window. */
export async function setTable(random) {
  const frame = createFrame(2400, 1600);
  paint(frame, (x, y) => {
    const weave = 0.97 + 0.02 * Math.sin(x * 900) + 0.02 * Math.sin(y * 640);
    const light = (1.02 - 0.42 * x - 0.16 * y) * weave;
    return [light * 0.95, light * 0.9, light * 0.82];
  });
  const shadow = (shapes, dx, blur) =>
    cover(frame, `<g transform="translate(${dx} ${dx * 0.8})" fill-opacity=".55">${shapes}</g>`, [0.2, 0.17, 0.14], blur);
  async function plate(x, y, r) {
    await shadow(`<circle cx="${x}" cy="${y}" r="${r}"/>`, r * 0.1, 26);
    for (const [part, power] of [
      [1, 1.02],
      [0.97, 1.12],
      [0.7, 0.94],
      [0.68, 1.1],
    ])
      await cover(
        frame,
        `<circle cx="${x}" cy="${y}" r="${r * part}"/>`,
        (u, v) => scaled([1, 0.98, 0.94], power * (1.02 - 0.2 * u - 0.14 * v)),
        2,
      );
    const napkin = `<path d="M${x - r * 0.22} ${y - r * 0.62} L${x + r * 0.26} ${y - r * 0.55} L${x + r * 0.2} ${y + r * 0.62} L${x - r * 0.28} ${y + r * 0.56} Z"/>`;
    await shadow(napkin, r * 0.04, 9);
    await cover(frame, napkin, (u) => [0.5 - 0.2 * u, 0.3 - 0.14 * u, 0.32 - 0.14 * u], 2);
    for (let i = 0; i < 9; i++) {
      const [lx, ly] = [x + (random() - 0.5) * r * 0.24, y - r * 0.42 + i * r * 0.1];
      await cover(
        frame,
        `<ellipse cx="${lx}" cy="${ly}" rx="${r * 0.1}" ry="${r * 0.042}" transform="rotate(${i % 2 ? 35 : -35} ${lx} ${ly})"/>`,
        [0.2, 0.3, 0.19],
        1.5,
      );
    }
    for (const [side, tines] of [
      [-1.3, 3],
      [1.3, 0],
    ]) {
      const cx = x + side * r;
      const head = tines
        ? times(4, (i) => `<rect x="${cx - 9 + i * 5}" y="${y - r * 0.85}" width="2.6" height="42" rx="1.3"/>`) +
          `<rect x="${cx - 9}" y="${y - r * 0.85 + 36}" width="18" height="22" rx="8"/>`
        : `<path d="M${cx - 4} ${y - r * 0.85} q16 20 10 ${r * 0.8} h-10 Z"/>`;
      const cutlery = `${head}<rect x="${cx - 3.4}" y="${y - r * 0.5}" width="6.8" height="${r * 1.35}" rx="3.4"/>`;
      await shadow(cutlery, 5, 5);
      await cover(frame, cutlery, (u) => scaled([0.86, 0.72, 0.42], 0.75 + 0.5 * Math.abs(Math.sin(u * 240))), 1.4);
    }
  }
  await plate(230, 470, 165);
  await plate(770, 470, 165);
  await plate(500, -70, 165);
  for (let i = 0; i < 60; i++) {
    const [x, y] = [500 + (random() - 0.5) * 950, 235 + (random() - 0.5) * 60];
    await cover(
      frame,
      `<ellipse cx="${x}" cy="${y}" rx="${26 + random() * 16}" ry="11" transform="rotate(${random() * 180} ${x} ${y})"/>`,
      scaled([0.24, 0.36, 0.22], 0.7 + random() * 0.7),
      2.4,
    );
  }
  for (const x of [130, 365, 610, 860]) {
    await addBlossom(frame, random, x + random() * 40, 235 + (random() - 0.5) * 40, 46, pick(random, ROSES), 1.5);
    await addBlossom(frame, random, x + 60, 250 + (random() - 0.5) * 40, 30, pick(random, ROSES), 1.5);
  }
  return frame;
}

/** Instant pictures on a line between trees. */
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

/** Two rings on linen, petals around them out of focus. */
export async function rings(random) {
  const frame = createFrame(2400, 1600);
  paint(frame, (x, y) => {
    const fold = 0.86 + 0.1 * Math.sin(x * 6 + y * 9 + Math.sin(y * 5) * 2) + 0.03 * Math.sin(x * 520) * Math.sin(y * 410);
    return [fold * 0.98, fold * 0.92, fold * 0.86];
  });
  for (let i = 0; i < 26; i++) {
    const [x, y, far] = [random() * 1000, random() < 0.6 ? random() * 210 : 520 + random() * 160, random()];
    await cover(
      frame,
      `<ellipse cx="${x}" cy="${y}" rx="${44 + random() * 40}" ry="30" transform="rotate(${random() * 180} ${x} ${y})"/>`,
      scaled(pick(random, ROSES), 0.75 + random() * 0.3),
      10 + far * 24,
    );
  }
  for (const [x, y, r, lean] of [
    [420, 380, 118, -14],
    [590, 352, 96, 20],
  ]) {
    const ring = (width, extra = '') =>
      `<ellipse cx="${x}" cy="${y}" rx="${r}" ry="${r * 0.52}" fill="none" stroke="#fff" stroke-width="${width}" transform="rotate(${lean} ${x} ${y})" ${extra}/>`;
    await cover(frame, `<g transform="translate(10 24)">${ring(26, 'stroke-opacity=".5"')}</g>`, [0.3, 0.22, 0.16], 18);
    await cover(
      frame,
      ring(22),
      (u, v) => {
        const angle = Math.atan2(v * 667 - y, u * 1000 - x);
        return scaled([1, 0.68, 0.3], 0.42 + 0.8 * Math.abs(Math.sin(angle * 1.5 + 0.6)) ** 3);
      },
      1.4,
    );
    await shine(frame, ring(5, 'stroke-dasharray="46 90" stroke-opacity=".9"'), [1.1, 0.95, 0.7], 2.4);
  }
  return frame;
}

/** Drops on a window; the lights of `scene` behind it, wholly out of focus. */
async function drops(frame, random, count) {
  const { width, height } = frame;
  const before = Float32Array.from(frame.light);
  const ratio = height / width;
  for (let i = 0; i < count; i++) {
    const [cx, cy, r] = [random(), random() * ratio, (1.5 + random() ** 4 * 15) / 1000];
    for (let py = Math.max(0, Math.floor((cy - r) * width)); py < Math.min(height, (cy + r) * width); py++)
      for (let px = Math.max(0, Math.floor((cx - r) * width)); px < Math.min(width, (cx + r) * width); px++) {
        const [dx, dy] = [(px / width - cx) / r, (py / width - cy) / (r * 1.12)];
        const d = dx * dx + dy * dy;
        if (d > 1) continue;
        // A drop shows the scene upside down and small, bright at its foot, dark at its top.
        const sx = Math.min(width - 1, Math.max(0, Math.round((cx - dx * 0.16) * width)));
        const sy = Math.min(height - 1, Math.max(0, Math.round((cy - dy * 0.22) * width)));
        const edge = Math.min(1, (1 - d) * 5);
        for (let c = 0; c < 3; c++) {
          const seen = before[(sy * width + sx) * 3 + c] * (1.05 + 0.55 * dy) + (Math.hypot(dx + 0.35, dy + 0.4) < 0.2 ? 0.35 : 0);
          const at = (py * width + px) * 3 + c;
          frame.light[at] = frame.light[at] * (1 - edge) + seen * edge;
        }
      }
  }
  return frame;
}

/** Rain on the window of the hall, the garden behind it. */
export async function rainByDay(random) {
  const frame = createFrame(1600, 2400);
  paint(frame, (x, y) => [0.5 - 0.3 * y, 0.58 - 0.32 * y, 0.66 - 0.38 * y]);
  for (let i = 0; i < 120; i++)
    addBokeh(frame, random(), 0.25 + random() * 0.75, 60 + random() * 130, scaled([0.08, 0.13, 0.09], random()));
  for (let i = 0; i < 34; i++)
    addBokeh(frame, random(), 0.45 + random() * 0.2, 36 + random() * 44, scaled([1.1, 0.75, 0.35], 0.15 + random() * 0.4));
  return drops(frame, random, 1500);
}

/** Rain on a window at night, the town's lights behind it. */
export async function rainAtNight(random) {
  const frame = createFrame(2400, 1600);
  paint(frame, (x, y) => [0.02 + 0.03 * y, 0.025 + 0.02 * y, 0.06]);
  const hues = [
    [1.4, 0.7, 0.22],
    [1.2, 0.25, 0.2],
    [0.3, 0.6, 1.2],
    [1.2, 1, 0.7],
  ];
  for (let i = 0; i < 110; i++)
    addBokeh(frame, random(), 0.35 + random() * 0.45, 40 + random() * 90, scaled(pick(random, hues), 0.12 + random() ** 2 * 0.6));
  return drops(frame, random, 1300);
}
