// Outdoor pictures: fireworks over a lake, a field at sunset, a stage.
import { addBokeh, addGlow, cover, createFrame, mirror, paint } from './frame.mjs';

/** Draws fireworks and their reflection in a lake. */
export async function fireworks(random) {
  const frame = createFrame(2000, 1500);
  const shore = 0.68;
  paint(frame, (x, y) => [0.012 + 0.03 * y, 0.014 + 0.016 * y, 0.035 + 0.02 * y]);
  for (const [cx, cy, reach, hue] of [
    [0.34, 0.26, 380, [2.4, 1.2, 0.4]],
    [0.68, 0.36, 290, [2.2, 0.5, 0.6]],
    [0.56, 0.17, 210, [0.7, 1.1, 2.2]],
  ]) {
    addGlow(
      frame,
      cx,
      cy,
      reach * 1.9,
      hue.map((c) => c * 0.1),
    );
    for (let i = 0; i < 150; i++) {
      const angle = random() * Math.PI * 2;
      const length = reach * Math.sqrt(1 - (random() * 2 - 1) ** 2) * (0.85 + random() * 0.15);
      for (let t = 0.15; t < 1; t += 2.4 / length) {
        const [x, y] = [cx + (Math.cos(angle) * length * t) / 2000, cy + (Math.sin(angle) * length * t + 90 * t * t) / 1500];
        const power = 0.2 + 0.7 * t ** 2;
        addGlow(
          frame,
          x,
          y,
          5,
          hue.map((c) => c * power),
        );
      }
    }
  }
  let hills = 'M0 540';
  for (let x = 0; x <= 1000; x += 8) hills += ` L${x} ${486 + 14 * Math.sin(x / 130) + 8 * Math.sin(x / 41) + random() * 5}`;
  await cover(frame, `<path d="${hills} L1000 512 L0 512 Z"/>`, [0.006, 0.006, 0.01], 2);
  for (let i = 0; i < 26; i++) addGlow(frame, random(), shore - 0.006, 9, [2.2, 1.3, 0.5]);
  mirror(frame, shore, 2.1);
  return frame;
}

/** Draws a field at sunset, grass in front. */
export async function sunset(random) {
  const frame = createFrame(2000, 1333);
  paint(frame, (x, y) => {
    const near = Math.exp(-((x - 0.62) ** 2 * 5 + (y - 0.6) ** 2 * 12));
    return [0.25 + 0.4 * y + near * 0.9, 0.24 + 0.12 * y + near * 0.42, 0.36 - 0.2 * y + near * 0.08];
  });
  addGlow(frame, 0.62, 0.58, 420, [2, 1.2, 0.45]);
  addBokeh(frame, 0.62, 0.58, 62, [3, 2.4, 1.3]);
  await cover(frame, '<path d="M0 425 C200 400 380 420 560 412 S860 396 1000 416 V700 H0 Z"/>', [0.12, 0.055, 0.025], 9);
  for (const [count, blur, tall, colour] of [
    [240, 5, 90, [0.16, 0.07, 0.025]],
    [200, 2, 150, [0.06, 0.028, 0.012]],
    [60, 9, 280, [0.02, 0.01, 0.006]],
  ]) {
    let blades = '';
    for (let i = 0; i < count; i++) {
      const [x, h, lean] = [random() * 1000, tall * (0.4 + random()), (random() - 0.4) * 50];
      blades += `<path d="M${x} 680 Q${x} ${680 - h * 0.6} ${x + lean} ${680 - h}" fill="none" stroke="#fff" stroke-width="${tall / 75}"/><ellipse cx="${x + lean}" cy="${680 - h}" rx="${tall / 50}" ry="${tall / 13}" transform="rotate(${lean / 2} ${x + lean} ${680 - h})"/>`;
    }
    await cover(frame, blades, colour, blur);
  }
  for (let i = 0; i < 22; i++) addBokeh(frame, 0.3 + random() * 0.65, 0.5 + random() * 0.4, 10 + random() * 26, [0.3, 0.15, 0.04]);
  return frame;
}

/** Draws a dance floor in beams of light, heads in front out of focus. */
async function danceFloor(random) {
  const frame = createFrame(2000, 1333);
  const beams = [
    [0.15, 0.5, [0.9, 0.15, 0.6]],
    [0.38, 0.15, [0.25, 0.3, 1.3]],
    [0.5, -0.05, [1, 0.5, 0.2]],
    [0.66, -0.2, [0.2, 0.4, 1.3]],
    [0.88, -0.5, [0.9, 0.15, 0.6]],
  ];
  paint(frame, (x, y) => {
    const sum = [0.03 + 0.03 * y, 0.015, 0.05 + 0.04 * y];
    const smoke = 0.75 + 0.15 * Math.sin(x * 9 + 3 * Math.sin(y * 7)) + 0.1 * Math.sin(y * 21 + x * 13);
    for (const [from, lean, hue] of beams) {
      const off = (x - from - lean * y) / (0.025 + 0.1 * y);
      const power = (Math.exp(-off * off) * smoke * 0.55) / (0.7 + y);
      for (let c = 0; c < 3; c++) sum[c] += hue[c] * power;
    }
    return sum;
  });
  for (const [from, , hue] of beams) {
    addGlow(
      frame,
      from,
      0.03,
      330,
      hue.map((c) => c * 1.3),
    );
    addBokeh(
      frame,
      from,
      0.03,
      26,
      hue.map((c) => c * 2 + 2),
    );
  }
  for (const [base, size, blur, shade] of [
    [545, 24, 15, 0.012],
    [605, 42, 20, 0.005],
    [665, 80, 30, 0.002],
  ]) {
    let crowd = '';
    for (let x = -20; x < 1040; x += size * (2.2 + random() * 1.2)) {
      const y = base + (random() - 0.5) * size * 1.6;
      crowd += `<ellipse cx="${x}" cy="${y}" rx="${size * 0.72}" ry="${size}"/><path d="M${x - size * 1.7} 760 C${x - size * 1.8} ${y + size * 1.4} ${x - size} ${y + size * 1.3} ${x} ${y + size * 0.8} C${x + size} ${y + size * 1.3} ${x + size * 1.8} ${y + size * 1.4} ${x + size * 1.7} 760 Z"/>`;
    }
    await cover(frame, crowd, [shade * 1.2, shade, shade * 1.8], blur);
  }
  return frame;
}

/** Draws confetti over the dance floor, near pieces out of focus. */
export async function confetti(random) {
  const frame = await danceFloor(random);
  const hues = [
    [1.2, 0.9, 0.5],
    [1.1, 0.3, 0.5],
    [0.4, 0.6, 1.3],
    [1.3, 1.2, 1.1],
  ];
  for (let group = 0; group < 16; group++) {
    const near = (group % 4) / 3;
    let pieces = '';
    for (let i = 0; i < 36 - 28 * near; i++) {
      const [x, y, size] = [random() * 1000, random() ** 1.2 * 600, (3 + random() * 3) * (1 + near * 4)];
      pieces += `<rect x="${x}" y="${y}" width="${size}" height="${size * (0.2 + random())}" transform="rotate(${random() * 180} ${x} ${y})"/>`;
    }
    await cover(frame, pieces, hues[Math.floor(group / 4)], 1.2 + near * near * 11);
  }
  return frame;
}
