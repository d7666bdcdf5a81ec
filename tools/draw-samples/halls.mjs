// A dark hall with lamps out of focus, and the things on its tables.
import { addBouquet } from './flowers.mjs';
import { addBokeh, addGlow, cover, createFrame, paint, pick, scaled, shine, times, WARM } from './frame.mjs';
import { addFlute } from './glasses.mjs';

/** Draws a dark hall with lamps out of focus between two heights (0…1). */
export function hall(random, width, height, { hues = [WARM, [1.4, 0.9, 0.45]], from = 0.1, to = 0.7, count = 90, power = 1 } = {}) {
  const frame = createFrame(width, height);
  paint(frame, (x, y) => [0.03 + 0.03 * y, 0.018 + 0.012 * x, 0.02]);
  for (let i = 0; i < count; i++) {
    const size = 26 + random() ** 2 * 120;
    addBokeh(
      frame,
      random(),
      from + random() * (to - from),
      size,
      scaled(pick(random, hues), ((0.15 + random() ** 2) * 26 * power) / (size + 20)),
    );
  }
  return frame;
}

/** Draws champagne on the bar, lit from behind. */
export async function champagne(random) {
  const frame = hall(random, 2400, 1600, { to: 0.62 });
  await cover(frame, '<rect x="-20" y="560" width="1040" height="160"/>', (x, y) => [0.16 - 0.12 * y, 0.08 - 0.05 * y, 0.04], 12);
  const rim = [1.3, 0.95, 0.5];
  for (const [x, y, wide, tall, blur] of [
    [150, 170, 52, 400, 16],
    [860, 150, 56, 420, 13],
    [690, 120, 66, 470, 6],
    [330, 110, 70, 490, 4],
    [510, 70, 82, 560, 0],
  ])
    await addFlute(frame, random, { x, y, wide, tall, drink: [1.2, 0.68, 0.2], rim, blur });
  return frame;
}

/** Draws the bouquet on the table, by candlelight. */
export async function eveningBouquet(random) {
  const hues = [
    [0.62, 0.2, 0.14],
    [0.8, 0.5, 0.3],
    [0.42, 0.1, 0.12],
    [0.75, 0.36, 0.2],
  ];
  return addBouquet(hall(random, 2400, 1600, { to: 0.9 }), random, hues);
}

/** Draws cocktails in coloured light. */
export async function cocktails(random) {
  const frame = hall(random, 1600, 2400, {
    hues: [
      [1.2, 0.25, 0.7],
      [0.3, 0.4, 1.3],
      [0.2, 0.9, 0.9],
    ],
    to: 0.75,
    power: 0.8,
  });
  await cover(frame, '<rect x="-20" y="1230" width="1040" height="300"/>', (x) => [0.1 + 0.1 * x, 0.03, 0.14], 16);
  const glass = async (x, y, wide, tall, drink, blur) => {
    const body = `M${x - wide} ${y} L${x - wide * 0.72} ${y + tall} H${x + wide * 0.72} L${x + wide} ${y} Z`;
    await cover(frame, `<path d="${body}" fill-opacity=".22"/>`, [0.6, 0.5, 0.8], 2 + blur);
    await cover(
      frame,
      `<path d="M${x - wide * 0.93} ${y + tall * 0.18} L${x - wide * 0.69} ${y + tall * 0.96} H${x + wide * 0.69} L${x + wide * 0.93} ${y + tall * 0.18} Z" fill-opacity=".85"/>`,
      (u, v) => scaled(drink, 0.4 + 0.9 * ((v * 1500 - y) / tall)),
      3 + blur,
    );
    for (let i = 0; i < 7; i++) {
      const [ix, iy, size] = [x + (random() - 0.5) * wide * 1.1, y + tall * (0.18 + random() * 0.4), wide * 0.4];
      await shine(
        frame,
        `<rect x="${ix - size / 2}" y="${iy}" width="${size}" height="${size}" rx="${size / 6}" fill-opacity=".16" stroke="#fff" stroke-opacity=".5" stroke-width="3" transform="rotate(${random() * 60} ${ix} ${iy})"/>`,
        [0.8, 0.75, 0.95],
        2 + blur,
      );
    }
    await shine(
      frame,
      `<path d="${body}" fill="none" stroke="#fff" stroke-opacity=".7" stroke-width="${wide * 0.04}"/>`,
      [0.9, 0.6, 1.1],
      2 + blur,
    );
    const slice = `<circle cx="${x + wide * 0.95}" cy="${y}" r="${wide * 0.52}"/>`;
    await cover(frame, slice, [1.1, 0.62, 0.1], 2 + blur);
    await cover(frame, `<circle cx="${x + wide * 0.95}" cy="${y}" r="${wide * 0.44}"/>`, [1.25, 0.9, 0.35], 3 + blur);
    await cover(
      frame,
      `<path d="M${x - wide * 0.1} ${y + tall * 0.7} L${x - wide * 0.55} ${y - tall * 0.4}" stroke="#fff" stroke-width="${wide * 0.1}"/>`,
      [1.1, 0.25, 0.5],
      2 + blur,
    );
  };
  await glass(720, 640, 125, 560, [0.2, 0.9, 0.8], 11);
  await glass(360, 580, 175, 740, [1.25, 0.42, 0.1], 0);
  return frame;
}

/** Draws a cake with candles, the hall behind it out of focus. */
export async function cake(random) {
  const frame = hall(random, 2400, 1600, { to: 0.55, power: 0.7 });
  const [x, ratio] = [500, 667];
  const tier = async (y, wide, tall, colour) => {
    const body = `<path d="M${x - wide} ${y} V${y + tall} Q${x} ${y + tall + wide * 0.16} ${x + wide} ${y + tall} V${y} Z"/>`;
    await cover(
      frame,
      body,
      (u, v) => {
        const side = (u * 1000 - x) / wide;
        return scaled(colour, (0.16 + 0.5 * Math.exp(-((v * ratio - y) / tall) * 1.6)) * (1 - 0.55 * side * side));
      },
      2,
    );
    await cover(frame, `<ellipse cx="${x}" cy="${y}" rx="${wide}" ry="${wide * 0.14}"/>`, scaled(colour, 0.82), 2);
    const drips = times(
      17,
      (i) =>
        `<rect x="${x - wide + (i * wide * 2) / 17}" y="${y}" width="${wide / 11}" height="${tall * (0.2 + random() * 0.4)}" rx="${wide / 22}"/>`,
    );
    await cover(frame, drips, (u) => scaled([0.5, 0.16, 0.16], 0.9 - 0.6 * Math.abs((u * 1000 - x) / wide)), 2);
  };
  await cover(frame, `<rect x="-20" y="585" width="1040" height="120"/>`, [0.06, 0.03, 0.02], 14);
  await cover(frame, `<ellipse cx="${x}" cy="588" rx="330" ry="40"/>`, [0.3, 0.19, 0.11], 3);
  await tier(440, 270, 125, [1.25, 1, 0.78]);
  await tier(300, 180, 125, [1.3, 1.08, 0.86]);
  for (let i = 0; i < 11; i++) {
    const cx = x - 150 + i * 30;
    const top = 205 - 14 * Math.sin((i / 10) * Math.PI) + random() * 8;
    await cover(
      frame,
      `<rect x="${cx - 4}" y="${top}" width="8" height="${96 - 6 * Math.abs(i - 5) * 0.4}"/>`,
      (u, v) => scaled(i % 2 ? [1.1, 0.5, 0.5] : [1.1, 1, 0.85], 0.95 - (v * ratio - top) / 130),
      1.6,
    );
    addGlow(frame, cx / 1000, (top - 14) / ratio, 230, scaled(WARM, 0.5));
    await shine(
      frame,
      `<path d="M${cx} ${top - 34} C${cx + 9} ${top - 18} ${cx + 8} ${top - 4} ${cx} ${top - 3} C${cx - 8} ${top - 4} ${cx - 9} ${top - 18} ${cx} ${top - 34}"/>`,
      [2.6, 1.7, 0.7],
      2.4,
    );
  }
  return frame;
}
