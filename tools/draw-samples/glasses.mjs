// Champagne glasses in the garden.
import { garden } from './flowers.mjs';
import { addGlow, cover, scaled, shine, times } from './frame.mjs';

/** Returns the outline of a champagne flute, as an SVG path; x is its axis, y its rim, both in the view box. */
const flute = (x, y, wide, tall) =>
  `M${x - wide} ${y} C${x - wide * 1.08} ${y + tall * 0.42} ${x - wide * 0.5} ${y + tall * 0.62} ${x - wide * 0.09} ${y + tall * 0.68} V${y + tall * 0.95} C${x - wide * 0.4} ${y + tall * 0.98} ${x - wide * 0.8} ${y + tall * 0.99} ${x - wide * 0.85} ${y + tall} H${x + wide * 0.85} C${x + wide * 0.8} ${y + tall * 0.99} ${x + wide * 0.4} ${y + tall * 0.98} ${x + wide * 0.09} ${y + tall * 0.95} V${y + tall * 0.68} C${x + wide * 0.5} ${y + tall * 0.62} ${x + wide * 1.08} ${y + tall * 0.42} ${x + wide} ${y} Z`;

/** Draws a glass lit from behind: rim and drink are bright, the rest is nearly transparent. */
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

/** Draws two glasses in the garden, the sun behind them. */
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
