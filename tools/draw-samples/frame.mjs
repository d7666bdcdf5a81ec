// A picture of linear light (floats, 1 = white at normal exposure), as a camera's sensor sees it before development.
import sharp from 'sharp';

/** Creates a repeatable source of numbers in [0, 1): the same seed draws the same picture. */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Creates an empty picture; width and height in pixels. */
export function createFrame(width, height) {
  return { width, height, light: new Float32Array(width * height * 3) };
}

/** Sets every pixel to shade(x, y), x and y in 0…1. */
export function paint(frame, shade) {
  const { width, height, light } = frame;
  for (let y = 0, at = 0; y < height; y++) for (let x = 0; x < width; x++, at += 3) light.set(shade(x / width, y / height), at);
}

/** Adds a spot of light, position in 0…1, radius in pixels; profile(distance 0…1) is its brightness. */
function addSpot({ width, height, light }, x, y, radius, colour, profile) {
  const [cx, cy] = [x * width, y * height];
  for (let py = Math.max(0, Math.floor(cy - radius)); py <= Math.min(height - 1, cy + radius); py++) {
    for (let px = Math.max(0, Math.floor(cx - radius)); px <= Math.min(width - 1, cx + radius); px++) {
      const distance = Math.hypot(px - cx, py - cy) / radius;
      if (distance > 1) continue;
      const strength = profile(distance);
      const at = (py * width + px) * 3;
      for (let c = 0; c < 3; c++) light[at + c] += colour[c] * strength;
    }
  }
}

/** Adds a lamp out of focus: a disc with a brighter rim, as with an open aperture. */
export function addBokeh(frame, x, y, radius, colour) {
  const soft = 2.5 / radius;
  addSpot(frame, x, y, radius, colour, (d) => Math.min(1, (1 - d) / soft) * (0.75 + 0.35 * d ** 6));
}

/** Adds the light around a lamp. */
export function addGlow(frame, x, y, radius, colour) {
  addSpot(frame, x, y, radius, colour, (d) => (1 - d) ** 2 * Math.exp(-4 * d * d));
}

/** Returns each pixel's coverage by the shapes of an SVG (white on nothing, view box 1000 wide), 0…255; blur in pixels. */
async function drawMask({ width, height }, shapes, blur) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 1000 ${(1000 * height) / width}"><g fill="#fff" stroke-linecap="round">${shapes}</g></svg>`;
  return await sharp(Buffer.from(svg)).flatten({ background: '#000' }).blur(blur).extractChannel(0).raw().toBuffer();
}

/** Lays the shapes of an SVG over the picture in a colour, or in shade(x, y), x and y in 0…1; blur in pixels. */
export async function cover(frame, shapes, colour, blur = 1) {
  const { width, height, light } = frame;
  const mask = await drawMask(frame, shapes, blur);
  for (let i = 0; i < mask.length; i++) {
    if (mask[i] === 0) continue;
    const alpha = mask[i] / 255;
    const shade = typeof colour === 'function' ? colour((i % width) / width, Math.floor(i / width) / height) : colour;
    for (let c = 0; c < 3; c++) light[i * 3 + c] = light[i * 3 + c] * (1 - alpha) + shade[c] * alpha;
  }
}

/** Adds the shapes of an SVG as light; blur in pixels. */
export async function shine(frame, shapes, colour, blur) {
  const mask = await drawMask(frame, shapes, blur);
  for (let i = 0; i < mask.length; i++) for (let c = 0; c < 3; c++) frame.light[i * 3 + c] += (colour[c] * mask[i]) / 255;
}

/** Replaces the part below `shore` (0…1) by a reflection of the part above, compressed by `squeeze`. */
export function mirror({ width, height, light }, shore, squeeze) {
  const line = Math.round(shore * height);
  for (let y = line; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const depth = (y - line) / (height - line);
      const sway = Math.sin((y * 0.35) / (0.3 + depth) + Math.sin(x * 0.012 + y * 0.05) * 2) * (3 + 16 * depth);
      const sourceY = Math.max(0, Math.round(line - (y - line) * squeeze + sway * 1.5));
      const sourceX = Math.min(width - 1, Math.max(0, Math.round(x + sway)));
      let at = (y * width + x) * 3;
      for (let c = 0; c < 3; c++, at++) {
        let sum = 0;
        for (let k = -4; k <= 4; k++) sum += light[(Math.max(0, Math.min(line - 1, sourceY + k * 5)) * width + sourceX) * 3 + c];
        light[at] = (sum / 9) * 0.7 + 0.004;
      }
    }
  }
}

/** Longer side of the finished pictures, pixels. */
const LONGEST = 2400;
/** Largest tilt: a camera in the hand is never exactly level. */
const TILT_DEGREES = 1;

/** Develops the picture: bloom, vignette, film curve, a slight tilt, grain; returns a JPEG without metadata. */
export async function develop(frame, random, { bloom = 0.25, grain = 7, tint = [1, 1, 1] } = {}) {
  const { width, height, light } = frame;
  const bright = Buffer.alloc(light.length);
  for (let i = 0; i < light.length; i++) bright[i] = Math.min(255, Math.max(0, light[i] - 0.5) * 110);
  const small = await sharp(bright, { raw: { width, height, channels: 3 } })
    .resize(250)
    .blur(9)
    .png()
    .toBuffer();
  const haze = await sharp(small).resize(width, height, { fit: 'fill', kernel: 'cubic' }).raw().toBuffer();
  const out = Buffer.alloc(light.length);
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [(i % width) / width - 0.5, Math.floor(i / width) / height - 0.5];
    const edge = 1 - 1.05 * (x * x + y * y);
    for (let c = 0; c < 3; c++) {
      const value = Math.max(0, (light[i * 3 + c] + (haze[i * 3 + c] / 110) * bloom * 2) * edge * tint[c]);
      out[i * 3 + c] = Math.max(0, Math.min(255, 268 * (1 - Math.exp(-1.45 * value)) ** (1 / 1.75) - 9 + random() - 0.5));
    }
  }
  const picture = await tilted(sharp(out, { raw: { width, height, channels: 3 } }).blur(0.7), width, height, random);
  for (let i = 0; i < picture.data.length; i += 3) {
    const noise = (random() + random() + random() - 1.5) * grain;
    for (let c = 0; c < 3; c++) picture.data[i + c] = Math.max(0, Math.min(255, picture.data[i + c] + noise + (random() - 0.5) * 3));
  }
  return sharp(picture.data, { raw: picture.info }).blur(0.6).jpeg({ quality: 78, mozjpeg: true }).toBuffer();
}

/** Rotates a picture by up to TILT_DEGREES, cuts the empty corners off, and scales it to the final size. */
async function tilted(image, width, height, random) {
  const degrees = (random() * 2 - 1) * TILT_DEGREES;
  const turned = await image.rotate(degrees, { background: '#000' }).png().toBuffer({ resolveWithObject: true });
  const lost = Math.abs(Math.sin((degrees * Math.PI) / 180));
  const [cropWidth, cropHeight] = [Math.floor(width - 2 * lost * height), Math.floor(height - 2 * lost * width)];
  const [left, top] = [Math.floor((turned.info.width - cropWidth) / 2), Math.floor((turned.info.height - cropHeight) / 2)];
  const scale = LONGEST / Math.max(width, height);
  return sharp(turned.data)
    .extract({ left, top, width: cropWidth, height: cropHeight })
    .resize(Math.round(width * scale), Math.round(height * scale), { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true });
}

/** Colour of lamps, linear RGB. */
export const WARM = [1.5, 0.72, 0.22];

export const pick = (random, list) => list[Math.floor(random() * list.length)];
/** Joins the texts of `count` calls. */
export const times = (count, draw) => Array.from({ length: count }, (_, i) => draw(i)).join('');
export const scaled = (colour, power) => colour.map((c) => c * power);
