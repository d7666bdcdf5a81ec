// Pictures of lights in the evening: garlands, candles, sparklers.
import { addBokeh, addGlow, cover, createFrame, paint, shine, WARM } from './frame.mjs';

/** Draws a garland over a garden at dusk, the trees dark against the sky. */
export async function garland(random) {
  const frame = createFrame(2000, 1333);
  paint(frame, (x, y) => [0.1 + 0.55 * y ** 3, 0.13 + 0.24 * y * y, 0.3 + 0.05 * y]);
  let trees = '';
  for (let i = 0; i < 420; i++)
    trees += `<circle cx="${random() * 1000}" cy="${500 + random() * 200 - 60 * Math.sin(i)}" r="${8 + random() * 34}"/>`;
  await cover(frame, `${trees}<rect x="-50" y="505" width="1100" height="200"/>`, [0.012, 0.018, 0.02], 14);
  for (let i = 0; i < 60; i++) {
    const power = 0.1 + random() * 0.5;
    addBokeh(
      frame,
      random(),
      0.74 + random() ** 2 * 0.14,
      10 + random() * 16,
      WARM.map((c) => c * power),
    );
  }
  for (const [from, to, sag, size] of [
    [0.5, 0.42, 0.07, 9],
    [0.3, 0.36, 0.13, 15],
    [0.02, 0.2, 0.22, 27],
  ]) {
    const height = (x) => from + (to - from) * x + sag * 4 * x * (1 - x);
    let wire = '';
    for (let x = 0; x <= 1.001; x += 0.02) wire += `${x * 1000},${height(x) * 666} `;
    await cover(frame, `<polyline points="${wire}" fill="none" stroke="#fff" stroke-width="${size / 9}"/>`, [0.02, 0.02, 0.03], size / 8);
    for (let x = 0.03; x < 1; x += size / 250) {
      const at = x + (random() - 0.5) * 0.006;
      addGlow(
        frame,
        at,
        height(at) + size / 1100,
        size * 9,
        WARM.map((c) => c * 0.4),
      );
      addBokeh(
        frame,
        at,
        height(at) + size / 1100,
        size,
        WARM.map((c) => c * 2.2),
      );
    }
  }
  return frame;
}

/** Draws fairy lights, all out of focus. */
async function fairyLights(random, width = 1500, height = 2000, hues = [WARM, [1.4, 0.9, 0.45], [1.2, 0.4, 0.14]]) {
  const frame = createFrame(width, height);
  paint(frame, (x, y) => [0.035 + 0.05 * y, 0.02 + 0.02 * x, 0.022]);
  for (let i = 0; i < 130; i++) {
    const size = 18 + random() ** 2 * 110;
    const hue = hues[Math.floor(random() * hues.length)];
    const power = ((0.2 + random() ** 2 * 1.3) * 24) / (size + 14);
    const y = 0.5 + (random() + random() + random() - 1.5) * 0.6;
    addBokeh(
      frame,
      random(),
      y,
      size,
      hue.map((c) => c * power),
    );
  }
  return frame;
}

/**
 * Draws a burning candle on a polished table and its reflection; `size` is its width, `base` its foot, `blur` its distance from the focus.
 */
async function addCandle(frame, x, base, size, blur) {
  const ratio = 1000 / (frame.width / frame.height);
  const unit = frame.width / 1000;
  const [px, py] = [x * 1000, base * ratio];
  const [half, tall] = [size / 2, size * 2.2];
  const top = py - tall;
  const soft = 1.6 + blur;
  await shine(
    frame,
    `<ellipse cx="${px}" cy="${py + tall * 0.7}" rx="${size * 0.5}" ry="${tall * 0.75}"/>`,
    [0.16, 0.07, 0.02],
    size * unit * 0.22 + blur,
  );
  await shine(
    frame,
    `<ellipse cx="${px}" cy="${py + tall * 1.35}" rx="${size * 0.2}" ry="${size * 0.8}"/>`,
    [0.9, 0.48, 0.15],
    size * unit * 0.16 + blur,
  );
  await cover(
    frame,
    `<ellipse cx="${px}" cy="${py}" rx="${size * 0.75}" ry="${size * 0.18}"/>`,
    [0.03, 0.015, 0.008],
    size * unit * 0.1 + blur,
  );
  addGlow(frame, x, base, size * unit * 5, [0.3, 0.13, 0.035]);
  await cover(
    frame,
    `<path d="M${px - half} ${top} Q${px} ${top + size * 0.22} ${px + half} ${top} V${py} Q${px} ${py + size * 0.26} ${px - half} ${py} Z"/><ellipse cx="${px}" cy="${top}" rx="${half}" ry="${size * 0.13}"/>`,
    (u, v) => {
      const side = (u * 1000 - px) / half;
      const down = Math.max(0, (v * ratio - top) / tall);
      const power = (0.16 + 1.5 * Math.exp(-down * 3.6)) * (1 - 0.5 * side * side);
      return [0.9 * power, 0.44 * power * (1 - 0.25 * down), 0.15 * power * (1 - 0.5 * down)];
    },
    soft,
  );
  const flame = (wide, high) =>
    `<path d="M${px} ${top - size * high} C${px + size * wide} ${top - size * high * 0.5} ${px + size * wide} ${top - size * 0.1} ${px} ${top - size * 0.08} C${px - size * wide} ${top - size * 0.1} ${px - size * wide} ${top - size * high * 0.5} ${px} ${top - size * high}"/>`;
  addGlow(frame, x, (top - size * 0.5) / ratio, size * unit * 6, [0.9, 0.4, 0.11]);
  await shine(frame, flame(0.28, 1.35), [2.2, 1.05, 0.28], soft + size * 0.05);
  await shine(frame, flame(0.19, 1.1), [2.6, 2.1, 1.2], soft + size * 0.03);
}

/** Draws candles and their reflection in a table, lamps behind. */
export async function candles(random) {
  const frame = await fairyLights(random, 2000, 1333);
  await cover(
    frame,
    '<rect x="-50" y="400" width="1100" height="360"/>',
    (x, y) => [0.035 + 0.1 * (1 - y), 0.02 + 0.045 * (1 - y), 0.012 + 0.015 * (1 - y)],
    16,
  );
  for (let i = 0; i < 26; i++)
    await shine(
      frame,
      `<ellipse cx="${random() * 1000}" cy="${425 + random() * 40}" rx="${8 + random() * 14}" ry="${26 + random() * 40}"/>`,
      [0.12, 0.055, 0.015],
      22,
    );
  for (const [x, base, size, blur] of [
    [0.24, 0.68, 20, 13],
    [0.47, 0.66, 18, 15],
    [0.72, 0.68, 21, 12],
    [0.13, 0.76, 36, 7],
    [0.88, 0.78, 40, 6],
    [0.37, 0.76, 42, 4],
    [0.62, 0.83, 62, 0],
  ])
    await addCandle(frame, x, base, size, blur);
  return frame;
}

/** Draws a sparkler at night. */
export async function sparkler(random) {
  const frame = await fairyLights(random, 1333, 2000, [
    [0.5, 0.2, 0.06],
    [0.3, 0.16, 0.1],
  ]);
  const [cx, cy] = [0.52, 0.4];
  await cover(frame, '<path d="M520 600 L470 1500" stroke="#fff" stroke-width="5"/>', [0.22, 0.13, 0.07], 2);
  addGlow(frame, cx, cy, 900, [0.8, 0.42, 0.14]);
  addGlow(frame, cx, cy, 260, [4, 2.6, 1.1]);
  for (let i = 0; i < 240; i++) {
    const angle = random() * Math.PI * 2;
    const length = 60 + random() ** 1.6 * 460;
    const drop = random() * 70;
    for (let t = 0.06 + random() * 0.3; t < 1; t += 2.2 / length) {
      const [x, y] = [cx + (Math.cos(angle) * length * t) / 1333, cy + (Math.sin(angle) * length * t + drop * t * t) / 2000];
      addGlow(frame, x, y, 5, [3 * (1.1 - t), 1.9 * (1.1 - t), 0.8 * (1.1 - t)]);
    }
  }
  return frame;
}

/** Draws paper lanterns in a dark garden, the far ones out of focus. */
export async function lanterns(random) {
  const frame = createFrame(1500, 2000);
  paint(frame, (x, y) => [0.012 + 0.02 * y, 0.016 + 0.012 * y, 0.035 - 0.01 * y]);
  for (let i = 0; i < 50; i++) {
    const power = 0.1 + random() * 0.5;
    addBokeh(
      frame,
      random(),
      0.55 + random() * 0.35,
      14 + random() * 34,
      WARM.map((c) => c * power),
    );
  }
  const places = [
    [0.18, 0.12, 38, 9],
    [0.82, 0.1, 44, 8],
    [0.5, 0.2, 54, 6],
    [0.88, 0.42, 70, 5],
    [0.1, 0.46, 84, 4],
    [0.6, 0.52, 125, 1.6],
  ];
  for (const [x, y, size, blur] of places) {
    const [px, py] = [x * 1000, y * 1333];
    addGlow(frame, x, y, size * 6, [0.55, 0.25, 0.07]);
    await cover(frame, `<path d="M${px} 0 V${py - size}" stroke="#fff" stroke-width="${size / 40}"/>`, [0.03, 0.025, 0.03], blur);
    await cover(frame, `<ellipse cx="${px}" cy="${py}" rx="${size}" ry="${size * 0.92}"/>`, [0.75, 0.3, 0.075], blur);
    let ribs = '';
    for (let k = -0.8; k <= 0.81; k += 0.16) {
      const half = size * Math.sqrt(1 - k * k);
      const at = py + k * size * 0.92;
      ribs += `<path d="M${px - half} ${at} Q${px} ${at + size * 0.09} ${px + half} ${at}" fill="none" stroke="#fff" stroke-opacity=".45" stroke-width="${size / 60}"/>`;
    }
    await cover(frame, ribs, [0.4, 0.13, 0.03], blur);
    addGlow(frame, x, y + (size * 0.2) / 1333, size * 1.5, [1.6, 0.95, 0.34]);
  }
  return frame;
}
