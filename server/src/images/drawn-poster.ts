import { videoLength } from '@feierbild/contract/video-length.ts';
import type { Rendition } from './decoder.ts';
import { encodePng } from './png.ts';

const BACKGROUND = 0x2a;
const FOREGROUND = 0xe8;
/** Digits 0 to 9 and the colon: five rows of three bits each. */
const GLYPHS = [0x7b6f, 0x2c97, 0x73e7, 0x73cf, 0x5bc9, 0x79cf, 0x79ef, 0x7249, 0x7bef, 0x7bcf, 0x0410];
const GLYPH = { width: 3, height: 5 };

/** Draws a picture for a video that has no other yet: its shape, a triangle and its length, `1:05`. A grey PNG, at most `edge` px. */
export function drawnPoster(video: { width: number; height: number; durationMs: number | null }, edge: number): Rendition {
  const scale = edge / Math.max(video.width, video.height);
  const [width, height] = [Math.max(1, Math.round(video.width * scale)), Math.max(1, Math.round(video.height * scale))];
  const pixels = Buffer.alloc(width * height, BACKGROUND);
  const rect = (left: number, top: number, wide: number, high: number): void => {
    for (let y = Math.max(0, top); y < Math.min(height, top + high); y++) {
      pixels.fill(FOREGROUND, y * width + Math.max(0, left), y * width + Math.max(0, Math.min(width, left + wide)));
    }
  };

  const half = Math.round(Math.min(width, height) / 8);
  const [left, middle] = [Math.round(width / 2 - half * 0.7), Math.round(height / 2)];
  for (let y = -half; y <= half; y++) rect(left, middle + y, Math.round((half - Math.abs(y)) * 1.7), 1);

  const text = videoLength(video.durationMs);
  const dot = Math.max(1, Math.round(edge / 130));
  const start = Math.round(width / 2 - (text.length * (GLYPH.width + 1) * dot) / 2);
  for (const [index, letter] of [...text].entries()) {
    const rows = GLYPHS[letter === ':' ? 10 : Number(letter)] as number;
    for (let bit = 0; bit < GLYPH.width * GLYPH.height; bit++) {
      if (!((rows >> (GLYPH.width * GLYPH.height - 1 - bit)) & 1)) continue;
      const [x, y] = [bit % GLYPH.width, Math.floor(bit / GLYPH.width)];
      rect(start + (index * (GLYPH.width + 1) + x) * dot, middle + half + (2 + y) * dot, dot, dot);
    }
  }
  const bytes = encodePng({ data: pixels, width, height, channels: 1, stride: width }, { level: 6 });
  return { bytes, type: 'image/png', width, height };
}
