// People against the light.
import { addBokeh, addGlow, cover, createFrame, paint, pick, scaled, times, WARM } from './frame.mjs';

/** Returns a person from the hips up as one shape; `raised` raises the arms. */
export function person(x, base, size, { lean = 0, raised = false, dress = false } = {}) {
  const [head, hips] = [base - size * 3.1, base];
  const skirt = dress
    ? `<path d="M${x - size * 0.5} ${hips - size * 0.9} L${x - size * 1.3} ${hips + size * 1.6} H${x + size * 1.3} L${x + size * 0.5} ${hips - size * 0.9} Z"/>`
    : `<rect x="${x - size * 0.55}" y="${hips - size}" width="${size * 1.1}" height="${size * 2.6}" rx="${size * 0.3}"/>`;
  const arm = raised
    ? `<path d="M${x + size * 0.5} ${head + size * 1.1} Q${x + size * 1.1} ${head + size * 0.2} ${x + size * 0.9} ${head - size * 1.2}" fill="none" stroke="#fff" stroke-width="${size * 0.34}"/><path d="M${x - size * 0.5} ${head + size * 1.1} Q${x - size * 1.2} ${head + size * 0.4} ${x - size * 1.1} ${head - size}" fill="none" stroke="#fff" stroke-width="${size * 0.34}"/>`
    : '';
  return `<g transform="rotate(${lean} ${x} ${hips})"><ellipse cx="${x}" cy="${head}" rx="${size * 0.42}" ry="${size * 0.54}"/><rect x="${x - size * 0.16}" y="${head + size * 0.3}" width="${size * 0.32}" height="${size * 0.6}"/><path d="M${x - size * 0.85} ${hips - size * 0.6} Q${x - size * 0.9} ${head + size * 0.75} ${x} ${head + size * 0.72} Q${x + size * 0.9} ${head + size * 0.75} ${x + size * 0.85} ${hips - size * 0.6} L${x + size * 0.5} ${hips} H${x - size * 0.5} Z"/>${skirt}${arm}</g>`;
}

/** Draws light from behind through haze; people are silhouettes. */
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

/** Draws the first dance against the light. */
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

/** Draws raised arms in front of the stage. */
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

/** Draws sparklers in the raised hands of two lines of guests. */
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
