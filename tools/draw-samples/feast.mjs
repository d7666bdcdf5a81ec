// Lights of the party: a mirror ball, bulbs, a fire.
import { person } from './dancers.mjs';
import { addBokeh, addGlow, cover, createFrame, paint, pick, scaled, shine, times, WARM } from './frame.mjs';
import { hall } from './halls.mjs';

/** Draws a mirror ball and its spots of light. */
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

/** Draws bulbs with glowing wires, near, over a terrace. */
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

/** Draws a fire bowl late at night, sparks above it. */
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
