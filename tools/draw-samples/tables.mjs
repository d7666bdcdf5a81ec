// Pictures from above: confetti on wood, a set table, rings on linen.
import { addBlossom, ROSES } from './flowers.mjs';
import { cover, createFrame, paint, pick, scaled, shine, times } from './frame.mjs';

/** Draws planks from above. */
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

/** Draws confetti on a wooden floor, the morning after. */
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

/** Draws a table set for a feast, from above, in the light of a window. */
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

/** Draws two rings on linen, petals around them out of focus. */
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
