import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright';
import sharp from 'sharp';

const ROOT = join(import.meta.dirname, '../..');
const PUBLIC = join(ROOT, 'web/public');
const FONT = join(ROOT, 'node_modules/@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2');
const ACCENT = '#a81f4b';
const PAPER = '#faf7f2';
/** Longer side, pixels: twice the size in the largest window. */
const HERO_PIXELS = 480;

/** Returns the spark, the sign's second path; the first one is the frame. */
const sparkOf = (sign: string): string => [...sign.matchAll(/<path[\s\S]*?\/>/g)].at(-1)?.[0] ?? '';

/** Returns the white spark alone, for any ground. */
const sparkAlone = (sign: string): string => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="3 3 26 26">${sparkOf(sign)}</svg>`;

/** Fills the square with the sign, with a margin around the spark: launchers crop icons to their own shapes. */
function fullBleed(sign: string, scale: number): string {
  const spark = sparkOf(sign);
  const shift = 16 * (1 - scale);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" fill="${ACCENT}"/><g transform="translate(${shift} ${shift}) scale(${scale})">${spark}</g></svg>`;
}

/** Draws the icons of phones and tabs, from the sign. */
export async function drawIcons(): Promise<void> {
  const sign = await readFile(join(PUBLIC, 'zeichen.svg'), 'utf8');
  const draw = async (svg: string, size: number, name: string): Promise<void> => {
    await sharp(Buffer.from(svg), { density: (72 * size) / 32 })
      .resize(size, size)
      .png({ compressionLevel: 9, palette: true })
      .toFile(resolve(PUBLIC, name));
  };
  await draw(sign, 192, 'zeichen-192.png');
  await draw(sign, 512, 'zeichen-512.png');
  await draw(fullBleed(sign, 0.8), 512, 'zeichen-rand-512.png');
  await draw(fullBleed(sign, 1), 180, 'apple-touch-icon.png');
  await draw(sparkAlone(sign), 84, join(ROOT, 'server/src/images/card/sign.png'));
}

/** Draws the pictures of the landing page's head, in the order of their columns. */
export async function drawHeroPictures(files: string[], folder: string): Promise<void> {
  for (const [n, file] of files.entries()) {
    const picture = sharp(file).resize(HERO_PIXELS, HERO_PIXELS, { fit: 'inside' });
    await picture
      .clone()
      .avif({ quality: 48, effort: 6 })
      .toFile(join(folder, `fest-${n + 1}.avif`));
    await picture
      .clone()
      .webp({ quality: 70 })
      .toFile(join(folder, `fest-${n + 1}.webp`));
  }
}

/** Draws the preview of a shared address in messengers: 1200 × 630, with `photos` (JPEG files) beside the words. */
export async function drawSharePreview(browser: Browser, photos: string[]): Promise<void> {
  const font = (await readFile(FONT)).toString('base64');
  const sign = await readFile(join(PUBLIC, 'zeichen.svg'), 'utf8');
  const pictures = await Promise.all(
    photos.map(
      async (file) =>
        `data:image/jpeg;base64,${(await sharp(file).resize(560, 560, { fit: 'cover' }).jpeg({ quality: 90 }).toBuffer()).toString('base64')}`,
    ),
  );
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
  await page.setContent(`<!doctype html><style>
    @font-face { font-family: Display; src: url(data:font/woff2;base64,${font}); font-weight: 200 800; }
    body { margin: 0; display: grid; grid-template-columns: 1fr 520px; width: 1200px; height: 630px; background: ${PAPER}; color: #221c1d; font-family: Display; }
    main { display: grid; align-content: center; gap: 34px; padding: 0 40px 0 64px; }
    header { display: flex; align-items: center; gap: 18px; font-size: 40px; font-weight: 700; letter-spacing: -0.02em; }
    header svg { width: 60px; height: 60px; }
    p { margin: 0; font-size: 76px; font-weight: 700; line-height: 1.05; letter-spacing: -0.03em; }
    div { display: grid; grid-template-columns: 1fr 1fr; gap: 10px; padding: 10px; }
    img { width: 100%; height: 300px; object-fit: cover; border-radius: 14px; }
  </style><main><header>${sign}Feierbild</header><p>Alle Fotos<br>vom Fest.<br>An einem Ort.</p></main><div>${pictures.map((src) => `<img src="${src}">`).join('')}</div>`);
  await page.evaluate(() => document.fonts.ready);
  const png = await page.screenshot();
  await writeFile(join(PUBLIC, 'vorschau.png'), await sharp(png).png({ palette: true, quality: 85, compressionLevel: 9 }).toBuffer());
  await page.close();
}

/** Sizes of the README's picture and its parts, pixels: phone, wall and gallery side by side, of the landing page's pictures. */
const README_PICTURE = { width: 1600, height: 620 };
/** Background, darker than the pages' paper, so that their edges are visible. */
const README_GROUND = '#e6dccb';
const README_PARTS = [
  { name: 'leinwand', left: 330, top: 40, width: 760 },
  { name: 'galerie', left: 760, top: 250, width: 760 },
  { name: 'hochladen', left: 80, top: 60, width: 300 },
];

/** Draws the README's picture. `landing` is the folder of the landing page's pictures. */
export async function drawReadmePicture(landing: string, file: string): Promise<void> {
  const layers = await Promise.all(
    README_PARTS.map(async ({ name, left, top, width }) => {
      const part = await sharp(join(landing, `${name}.webp`))
        .resize({ width })
        .toBuffer({ resolveWithObject: true });
      const height = Math.min(part.info.height, README_PICTURE.height - top);
      const corners = `<svg width="${width}" height="${height}"><rect width="${width}" height="${height + 40}" rx="14"/></svg>`;
      const shown = sharp(part.data).extract({ left: 0, top: 0, width, height });
      return {
        input: await shown
          .composite([{ input: Buffer.from(corners), blend: 'dest-in' }])
          .png()
          .toBuffer(),
        left,
        top,
      };
    }),
  );
  const ground = sharp({ create: { ...README_PICTURE, channels: 3, background: README_GROUND } });
  await ground.composite(layers).webp({ quality: 78, smartSubsample: true }).toFile(file);
}
