// The feast itself after dark: glasses, cake, dancers against the light, a mirror ball, bulbs, a fire.
import { addBouquet, addFlute } from './daylight.mjs';
import { addBokeh, addGlow, cover, createFrame, paint, shine } from './frame.mjs';

const WARM = [1.5, 0.72, 0.22];
const pick = (random, list) => list[Math.floor(random() * list.length)];
const times = (count, draw) => Array.from({ length: count }, (_, i) => draw(i)).join('');
const scaled = (colour, power) => colour.map((c) => c * power);

/** A dark hall with lamps out of focus between two heights (0…1). */
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

/** Champagne on the bar, lit from behind. */
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

/** The bouquet on the table, by candlelight. */
export async function eveningBouquet(random) {
  const hues = [
    [0.62, 0.2, 0.14],
    [0.8, 0.5, 0.3],
    [0.42, 0.1, 0.12],
    [0.75, 0.36, 0.2],
  ];
  return addBouquet(hall(random, 2400, 1600, { to: 0.9 }), random, hues);
}

/** Cocktails in coloured light. */
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

/** A cake with candles, its guests behind it out of focus. */
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

/** People from the hips up, as one shape; `arms` of the pair are raised where asked. */
function person(x, base, size, { lean = 0, raised = false, dress = false } = {}) {
  const [head, hips] = [base - size * 3.1, base];
  const skirt = dress
    ? `<path d="M${x - size * 0.5} ${hips - size * 0.9} L${x - size * 1.3} ${hips + size * 1.6} H${x + size * 1.3} L${x + size * 0.5} ${hips - size * 0.9} Z"/>`
    : `<rect x="${x - size * 0.55}" y="${hips - size}" width="${size * 1.1}" height="${size * 2.6}" rx="${size * 0.3}"/>`;
  const arm = raised
    ? `<path d="M${x + size * 0.5} ${head + size * 1.1} Q${x + size * 1.1} ${head + size * 0.2} ${x + size * 0.9} ${head - size * 1.2}" fill="none" stroke="#fff" stroke-width="${size * 0.34}"/><path d="M${x - size * 0.5} ${head + size * 1.1} Q${x - size * 1.2} ${head + size * 0.4} ${x - size * 1.1} ${head - size}" fill="none" stroke="#fff" stroke-width="${size * 0.34}"/>`
    : '';
  return `<g transform="rotate(${lean} ${x} ${hips})"><ellipse cx="${x}" cy="${head}" rx="${size * 0.42}" ry="${size * 0.54}"/><rect x="${x - size * 0.16}" y="${head + size * 0.3}" width="${size * 0.32}" height="${size * 0.6}"/><path d="M${x - size * 0.85} ${hips - size * 0.6} Q${x - size * 0.9} ${head + size * 0.75} ${x} ${head + size * 0.72} Q${x + size * 0.9} ${head + size * 0.75} ${x + size * 0.85} ${hips - size * 0.6} L${x + size * 0.5} ${hips} H${x - size * 0.5} Z"/>${skirt}${arm}</g>`;
}

/** Light from behind through haze, in which people stand dark. */
function backlight(random, width, height, hue, centre = [0.5, 0.42]) {
  const frame = createFrame(width, height);
  paint(frame, (x, y) => {
    const [dx, dy] = [x - centre[0], (y - centre[1]) * (height / width)];
    const rays = 0.75 + 0.25 * Math.sin(Math.atan2(dy, dx) * 22 + Math.sin(Math.atan2(dy, dx) * 7) * 3);
    return scaled(hue, 0.05 + Math.exp(-(dx * dx + dy * dy) * 9) * 1.1 + 0.3 * rays * Math.exp(-(dx * dx + dy * dy) * 3));
  });
  addGlow(frame, ...centre, width / 6, [2, 1.8, 1.5]);
  return frame;
}

/** The first dance against the light. */
export async function firstDance(random) {
  const frame = backlight(random, 2400, 1600, [1.15, 0.55, 0.3]);
  for (let i = 0; i < 26; i++) addBokeh(frame, random(), 0.04 + random() * 0.16, 22 + random() * 30, scaled(WARM, 0.3 + random() * 0.8));
  await cover(
    frame,
    times(14, (i) => person(-20 + i * 80 + random() * 30, 640, 34 + random() * 8)),
    [0.05, 0.02, 0.016],
    15,
  );
  const pair = `${person(462, 500, 62, { lean: 5 })}${person(556, 512, 56, { lean: -6, dress: true })}<path d="M432 392 Q500 436 566 404" fill="none" stroke="#fff" stroke-width="20"/><path d="M590 396 Q548 360 486 366" fill="none" stroke="#fff" stroke-width="15"/>`;
  await cover(frame, pair, [0.016, 0.008, 0.008], 3);
  await cover(frame, '<rect x="-20" y="628" width="1040" height="60"/>', [0.03, 0.014, 0.012], 16);
  return frame;
}

/** Arms up in front of the stage. */
export async function crowd(random) {
  const frame = backlight(random, 1600, 2400, [0.75, 0.3, 1.1], [0.5, 0.3]);
  for (const x of [0.15, 0.38, 0.62, 0.85]) addBokeh(frame, x, 0.06, 30, [1.6, 1.2, 2]);
  for (let i = 0; i < 170; i++)
    addGlow(
      frame,
      random(),
      random() * 0.7,
      8 + random() * 10,
      scaled(
        pick(random, [
          [1.2, 0.9, 0.5],
          [1, 0.4, 0.8],
          [0.5, 0.7, 1.2],
        ]),
        0.8,
      ),
    );
  for (const [base, size, blur, shade, count] of [
    [980, 52, 10, 0.03, 10],
    [1210, 78, 5, 0.014, 7],
    [1480, 120, 16, 0.004, 5],
  ])
    await cover(
      frame,
      times(count, (i) =>
        person((1000 / count) * (i + 0.5) + (random() - 0.5) * 60, base + random() * 50, size, {
          lean: (random() - 0.5) * 14,
          raised: random() < 0.6,
        }),
      ),
      [shade * 1.2, shade * 0.7, shade * 1.6],
      blur,
    );
  return frame;
}

/** Sparklers in raised hands, two lines of guests. */
export async function sparklingHands(random) {
  const frame = createFrame(2400, 1600);
  paint(frame, (x, y) => [0.03 + 0.02 * y, 0.026, 0.06 - 0.02 * y]);
  for (let i = 0; i < 60; i++) addBokeh(frame, random(), 0.1 + random() * 0.3, 16 + random() * 40, scaled(WARM, 0.08 + random() * 0.3));
  for (const [x, y, reach, blur] of [
    [0.09, 0.34, 330, 5],
    [0.27, 0.42, 240, 3],
    [0.42, 0.46, 170, 2],
    [0.6, 0.46, 170, 2],
    [0.75, 0.41, 250, 3],
    [0.92, 0.33, 340, 5],
  ]) {
    const unit = reach / 2.4;
    const [px, py] = [x * 1000, y * 667];
    addGlow(frame, x, y, reach * 2.6, [0.5, 0.28, 0.1]);
    addGlow(frame, x, y, reach * 0.5, [3.4, 2.4, 1.2]);
    for (let i = 0; i < 130; i++) {
      const angle = random() * Math.PI * 2;
      const length = reach * (0.2 + random() ** 1.5 * 0.8);
      for (let t = 0.08 + random() * 0.3; t < 1; t += 3 / length)
        addGlow(
          frame,
          x + (Math.cos(angle) * length * t) / 2400,
          y + (Math.sin(angle) * length * t + reach * 0.15 * t * t) / 1600,
          5,
          scaled([2.6, 1.7, 0.7], 1.1 - t),
        );
    }
    const hand = `<path d="M${px} ${py} L${px + unit * 0.12} ${py + unit}" stroke="#fff" stroke-width="${unit * 0.04}"/><ellipse cx="${px + unit * 0.14}" cy="${py + unit * 1.18}" rx="${unit * 0.2}" ry="${unit * 0.27}"/><path d="M${px + unit * 0.12} ${py + unit * 1.2} Q${px + unit * 0.2} ${py + unit * 2} ${px + (x < 0.5 ? -1 : 1) * unit * 0.5} 700" fill="none" stroke="#fff" stroke-width="${unit * 0.34}"/>`;
    await cover(frame, hand, (u, v) => scaled([0.16, 0.075, 0.035], Math.exp(-((v * 667 - py) / unit - 0.8) * 1.6)), blur);
  }
  return frame;
}

/** A mirror ball and the spots it throws. */
export async function mirrorBall(random) {
  const frame = createFrame(1600, 2400);
  paint(frame, (x, y) => {
    const beam = Math.exp(-(((x - 0.9 + y * 0.9) / 0.22) ** 2)) + Math.exp(-(((x - 0.05 - y * 0.85) / 0.2) ** 2));
    return [0.05 + 0.28 * beam, 0.02 + 0.06 * beam, 0.09 + 0.34 * beam];
  });
  for (let i = 0; i < 150; i++) {
    const [angle, far] = [random() * Math.PI * 2, 0.3 + random() * 0.75];
    addBokeh(
      frame,
      0.5 + Math.cos(angle) * far,
      0.36 + Math.sin(angle) * far * 0.8,
      12 + far * 34,
      scaled(
        pick(random, [
          [1.1, 0.8, 0.9],
          [0.7, 0.5, 1.2],
          [1.2, 0.5, 0.7],
        ]),
        0.1 + random() * 0.5,
      ),
    );
  }
  const [cx, cy, r] = [500, 540, 245];
  await cover(frame, `<path d="M${cx} -10 V${cy - r}" stroke="#fff" stroke-width="7"/>`, [0.12, 0.1, 0.14], 2);
  await cover(frame, `<circle cx="${cx}" cy="${cy}" r="${r}"/>`, [0.05, 0.04, 0.06], 2);
  const rows = 21;
  for (let row = 0; row < rows; row++) {
    const up = ((row + 0.5) / rows - 0.5) * Math.PI;
    const ring = Math.max(4, Math.round(Math.cos(up) * rows * 1.9));
    for (let k = 0; k < ring; k++) {
      const turn = ((k + (row % 2) / 2) / ring) * Math.PI * 2;
      const depth = Math.cos(up) * Math.cos(turn);
      if (depth < 0.06) continue;
      const [x, y] = [cx + r * Math.cos(up) * Math.sin(turn), cy + r * Math.sin(up)];
      const size = (r * Math.PI) / rows / 2.3;
      const glint = random() ** 5 * 3 + (random() < 0.04 ? 4 : 0);
      const hue = pick(random, [
        [0.5, 0.4, 0.7],
        [0.8, 0.5, 0.6],
        [0.4, 0.45, 0.85],
        [0.9, 0.8, 0.7],
      ]);
      await cover(
        frame,
        `<rect x="${x - size * depth}" y="${y - size * Math.cos(up)}" width="${size * 2 * depth}" height="${size * 2 * Math.cos(up)}"/>`,
        scaled(hue, 0.15 + 0.5 * random() + glint),
        1,
      );
      if (glint > 2.4) addGlow(frame, x / 1000, y / 1500, 130, [1.2, 1, 1.1]);
    }
  }
  return frame;
}

/** Bulbs with glowing wires, near, over a terrace. */
export async function bulbs(random) {
  const frame = hall(random, 2400, 1600, { from: 0.45, to: 1, power: 0.6 });
  paint(frame, (x, y) => [0.04 + 0.1 * y * y, 0.05 + 0.04 * y, 0.12 - 0.05 * y]);
  for (let i = 0; i < 80; i++) addBokeh(frame, random(), 0.5 + random() * 0.4, 26 + random() * 60, scaled(WARM, 0.06 + random() * 0.3));
  for (const [x, y, size, blur] of [
    [90, 150, 44, 9],
    [250, 210, 58, 4],
    [470, 235, 78, 0],
    [720, 190, 62, 4],
    [900, 120, 46, 9],
  ]) {
    await cover(
      frame,
      `<path d="M${x} ${y - size * 1.5} Q${x + 90} ${y - size * 1.1} ${x + 190} ${y - size * 1.5}" fill="none" stroke="#fff" stroke-width="${size / 9}"/><rect x="${x - size * 0.3}" y="${y - size * 1.55}" width="${size * 0.6}" height="${size * 0.7}" rx="${size * 0.08}"/>`,
      [0.02, 0.018, 0.02],
      2 + blur,
    );
    addGlow(frame, x / 1000, y / 667, size * 16, [0.6, 0.3, 0.09]);
    const glass = `M${x - size * 0.3} ${y - size * 0.85} C${x - size * 0.4} ${y - size * 0.4} ${x - size} ${y - size * 0.2} ${x - size} ${y + size * 0.35} C${x - size} ${y + size} ${x - size * 0.4} ${y + size * 1.3} ${x} ${y + size * 1.3} C${x + size * 0.4} ${y + size * 1.3} ${x + size} ${y + size} ${x + size} ${y + size * 0.35} C${x + size} ${y - size * 0.2} ${x + size * 0.4} ${y - size * 0.4} ${x + size * 0.3} ${y - size * 0.85} Z`;
    await shine(frame, `<path d="${glass}" fill-opacity=".22"/>`, [0.9, 0.45, 0.13], 6 + blur);
    await shine(
      frame,
      `<path d="${glass}" fill="none" stroke="#fff" stroke-opacity=".5" stroke-width="${size / 22}"/>`,
      [1, 0.6, 0.25],
      2 + blur,
    );
    const wire = times(6, (i) => `L${x + (i % 2 ? -0.3 : 0.3) * size} ${y + size * (0.9 - (i + 1) * 0.16)} `);
    for (const [width, power, soft] of [
      [0.14, 1, 9],
      [0.05, 3, 1.6],
    ])
      await shine(
        frame,
        `<path d="M${x - size * 0.3} ${y + size * 0.9} ${wire}" fill="none" stroke="#fff" stroke-width="${size * width}"/>`,
        scaled([1.3, 0.75, 0.25], power),
        soft + blur,
      );
  }
  return frame;
}

/** A fire bowl late at night, sparks above it. */
export async function fireBowl(random) {
  const frame = createFrame(1600, 2400);
  paint(frame, (x, y) => [0.02 + 0.05 * y, 0.016 + 0.01 * y, 0.03]);
  for (let i = 0; i < 40; i++) addBokeh(frame, random(), 0.3 + random() * 0.25, 18 + random() * 44, scaled(WARM, 0.05 + random() * 0.2));
  await cover(
    frame,
    times(5, (i) => person(90 + i * 205 + random() * 30, 1010, 62 + random() * 14)),
    (u) => scaled([0.2, 0.085, 0.035], 0.35 + 0.65 * Math.exp(-((u - 0.5) ** 2) * 9)),
    15,
  );
  addGlow(frame, 0.5, 0.62, 1250, [0.8, 0.34, 0.08]);
  for (let i = 0; i < 120; i++) {
    const [x, tall, wide] = [500 + (random() + random() - 1) * 190, 110 + random() * 330, 16 + random() * 40];
    const near = 1 - Math.abs(x - 500) / 230;
    const top = 1120 - tall * Math.max(0.25, near);
    await shine(
      frame,
      `<path d="M${x} ${top} C${x + wide} ${top + tall * 0.4} ${x + wide * 0.9} 1130 ${x} 1150 C${x - wide * 0.9} 1130 ${x - wide} ${top + tall * 0.5} ${x} ${top}" fill-opacity=".2"/>`,
      pick(random, [
        [1.9, 0.85, 0.16],
        [2.1, 1.3, 0.4],
        [1.5, 0.45, 0.08],
      ]),
      5 + random() * 9,
    );
  }
  await cover(
    frame,
    '<path d="M250 1130 Q500 1180 750 1130 Q720 1330 500 1340 Q280 1330 250 1130 Z"/><path d="M400 1320 L340 1480 M600 1320 L660 1480" stroke="#fff" stroke-width="20"/>',
    (u, v) => [0.035 + 0.05 * Math.max(0, 0.79 - v), 0.02, 0.016],
    3,
  );
  await shine(frame, '<path d="M252 1132 Q500 1182 748 1132" fill="none" stroke="#fff" stroke-width="7"/>', [1.4, 0.6, 0.15], 4);
  for (let i = 0; i < 190; i++)
    addGlow(
      frame,
      0.5 + (random() + random() - 1) * 0.34,
      0.68 - random() ** 1.3 * 0.62,
      4 + random() * 7,
      scaled([2.6, 1.2, 0.3], 0.4 + random()),
    );
  return frame;
}
