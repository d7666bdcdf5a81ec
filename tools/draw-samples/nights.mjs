// Nights outside: a lake with lanterns, trails of light.
import { addBokeh, addGlow, cover, createFrame, mirror, paint, shine, WARM } from './frame.mjs';

/** Returns a line of hills as heights over x in 0…1: a sum of waves, each shorter than the one before. */
function ridge(random, roughness) {
  const waves = Array.from({ length: 9 }, (_, k) => [1.9 ** k * (1.4 + random()), random() * 7, roughness ** k]);
  return (x) => waves.reduce((sum, [often, from, size]) => sum + Math.sin(x * often + from) * size, 0);
}

function addStars(frame, random, count, lowest) {
  for (let i = 0; i < count; i++) {
    const power = 0.12 + random() ** 6 * 1.6;
    addGlow(frame, random(), random() * lowest, 2.6 + power * 2.4, [
      power,
      power * (0.85 + random() * 0.2),
      power * (0.85 + random() * 0.4),
    ]);
  }
}

/** Draws the moon over a lake with floating lanterns. */
export async function lake(random) {
  const frame = createFrame(1500, 2000);
  const shore = 0.5;
  paint(frame, (x, y) => [0.012 + 0.1 * y * y, 0.022 + 0.13 * y * y, 0.06 + 0.24 * y * y]);
  addGlow(frame, 0.64, 0.2, 620, [0.35, 0.37, 0.42]);
  await cover(frame, '<circle cx="640" cy="267" r="24"/>', [2.4, 2.3, 2], 1.5);
  for (const [base, size, shade] of [
    [0.475, 0.011, 0.045],
    [0.49, 0.005, 0.012],
  ]) {
    const line = ridge(random, 0.55);
    let path = 'M-20 680';
    for (let x = -0.02; x <= 1.02; x += 0.002) path += ` L${x * 1000} ${(base - size * line(x * 1.6)) * 1333}`;
    await cover(frame, `<path d="${path} L1020 680 Z"/>`, [shade * 0.8, shade, shade * 1.9], 2);
  }
  for (let i = 0; i < 9; i++) addGlow(frame, random(), shore - 0.004, 10, [1.6, 0.9, 0.3]);
  mirror(frame, shore, 1);
  addStars(frame, random, 110, 0.44);
  await cover(frame, '<circle cx="640" cy="267" r="24"/>', [2.4, 2.3, 2], 1.5);
  for (let i = 0; i < 46; i++) {
    const near = (i / 45) ** 2.4;
    const [x, y, size] = [random(), 0.515 + 0.42 * near, 3.5 + 44 * near];
    const [px, py] = [x * 1000, y * 1333];
    const blur = 1 + Math.abs(near - 0.3) * 9;
    addGlow(frame, x, y, size * 5, [0.26, 0.115, 0.03]);
    for (let k = 0; k < 7; k++) {
      const wide = size * (0.5 - 0.045 * k) * (0.7 + random() * 0.5);
      await shine(
        frame,
        `<ellipse cx="${px + (random() - 0.5) * size * 0.3}" cy="${py + size * (0.62 + k * 0.27)}" rx="${wide}" ry="${size * 0.08}"/>`,
        [1.1 - 0.14 * k, 0.48 - 0.065 * k, 0.1 - 0.014 * k],
        blur + size * 0.06,
      );
    }
    await cover(
      frame,
      `<path d="M${px - size * 0.46} ${py - size * 0.55} L${px + size * 0.46} ${py - size * 0.55} L${px + size * 0.4} ${py + size * 0.45} L${px - size * 0.4} ${py + size * 0.45} Z"/>`,
      (u, v) => {
        const power = 0.35 + 1.5 * Math.exp(-(((u * 1000 - px) / size) ** 2 * 9 + ((v * 1333 - py - size * 0.2) / size) ** 2 * 6));
        return [1.15 * power, 0.55 * power, 0.15 * power];
      },
      blur,
    );
  }
  return frame;
}

const DRAWN = {
  heart: (t) => [Math.sin(t) ** 3 * 1.05, -(13 * Math.cos(t) - 5 * Math.cos(2 * t) - 2 * Math.cos(3 * t) - Math.cos(4 * t)) / 16],
  ring: (t) => [Math.cos(t * 2.1) * (0.85 + 0.1 * Math.sin(t)), Math.sin(t * 2.1) * (0.9 - 0.06 * t)],
  coil: (t) => [Math.cos(t * 3) * (0.2 + t * 0.13), Math.sin(t * 3) * (0.2 + t * 0.13)],
  wave: (t) => [(t / Math.PI - 1) * 1.2, Math.sin(t * 2.5) * 0.7],
};

/** Draws trails of sparklers in a long exposure. */
export async function trails(random) {
  const frame = createFrame(2000, 1333);
  paint(frame, (x, y) => [0.016 + 0.02 * y, 0.016 + 0.012 * y, 0.04]);
  for (let i = 0; i < 44; i++)
    addBokeh(
      frame,
      random(),
      0.7 + random() * 0.14,
      9 + random() * 16,
      WARM.map((c) => c * (0.08 + random() * 0.3)),
    );
  const drawings = [
    [0.14, 'ring', 150, 0.5],
    [0.38, 'coil', 135, 0.38],
    [0.63, 'heart', 210, 0.45],
    [0.88, 'wave', 135, 0.52],
  ];
  let hedge = '<rect x="-50" y="560" width="1100" height="200"/>';
  for (let i = 0; i < 260; i++) hedge += `<circle cx="${random() * 1000}" cy="${560 + random() * 60}" r="${5 + random() * 22}"/>`;
  await cover(frame, hedge, [0.008, 0.008, 0.011], 12);
  for (const [x, kind, size, y] of drawings) {
    const [cx, cy] = [x * 2000, y * 1333];
    addGlow(frame, x, y, size * 4.2, [0.3, 0.15, 0.05]);
    const jitter = ridge(random, 0.6);
    const point = (t) => {
      const [dx, dy] = DRAWN[kind](t);
      return [cx + dx * size + jitter(t / 3) * size * 0.035, cy + dy * size + jitter(t / 3 + 9) * size * 0.035];
    };
    for (let t = 0.05; t < 6.2; t += 0.006) {
      const [px, py] = point(t);
      const power = 0.55 + 0.3 * Math.sin(t * 3) + random() * 0.3;
      addGlow(frame, px / 2000, py / 1333, 9, [0.75 * power, 0.5 * power, 0.22 * power]);
      if (random() < 0.12) addGlow(frame, px / 2000, py / 1333, 60, [0.1, 0.05, 0.016]);
      if (random() > 0.5) continue;
      const [angle, length] = [random() * 6.283, 8 + random() ** 3 * 70];
      for (let k = 0.1; k < 1; k += 2.5 / length)
        addGlow(frame, (px + Math.cos(angle) * length * k) / 2000, (py + Math.sin(angle) * length * k + 14 * k * k) / 1333, 2.8, [
          0.7 * (1 - k),
          0.4 * (1 - k),
          0.14 * (1 - k),
        ]);
    }
  }
  return frame;
}
