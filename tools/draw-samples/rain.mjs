// Rain on windows, by day and at night.
import { addBokeh, createFrame, paint, pick, scaled } from './frame.mjs';

/** Draws drops on a window; the scene in `frame` behind it is out of focus. */
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

/** Draws rain on the window of the hall, the garden behind it. */
export async function rainByDay(random) {
  const frame = createFrame(1600, 2400);
  paint(frame, (x, y) => [0.5 - 0.3 * y, 0.58 - 0.32 * y, 0.66 - 0.38 * y]);
  for (let i = 0; i < 120; i++)
    addBokeh(frame, random(), 0.25 + random() * 0.75, 60 + random() * 130, scaled([0.08, 0.13, 0.09], random()));
  for (let i = 0; i < 34; i++)
    addBokeh(frame, random(), 0.45 + random() * 0.2, 36 + random() * 44, scaled([1.1, 0.75, 0.35], 0.15 + random() * 0.4));
  return drops(frame, random, 1500);
}

/** Draws rain on a window at night, the town's lights behind it. */
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
