import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import sharp from 'sharp';

const ROOT = join(import.meta.dirname, '../..');
const PUBLIC = join(ROOT, 'web/public');
const FONT = join(ROOT, 'node_modules/@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2');
const ACCENT = '#a81f4b';
const PAPER = '#faf7f2';
/** Longer side: twice what the largest window shows. */
const HERO_PIXELS = 480;

/** Launchers crop icons to their own shapes: the sign then fills the square, with a margin around the spark. */
function fullBleed(sign: string, scale: number): string {
  // The frame is the first path, the spark the second.
  const spark = [...sign.matchAll(/<path[\s\S]*?\/>/g)].at(-1)?.[0] ?? '';
  const shift = 16 * (1 - scale);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" fill="${ACCENT}"/><g transform="translate(${shift} ${shift}) scale(${scale})">${spark}</g></svg>`;
}

/** The icons of phones and tabs, from the sign. */
export async function drawIcons(): Promise<void> {
  const sign = await readFile(join(PUBLIC, 'zeichen.svg'), 'utf8');
  const draw = async (svg: string, size: number, name: string): Promise<void> => {
    await sharp(Buffer.from(svg), { density: (72 * size) / 32 })
      .resize(size, size)
      .png({ compressionLevel: 9, palette: true })
      .toFile(join(PUBLIC, name));
  };
  await draw(sign, 192, 'zeichen-192.png');
  await draw(sign, 512, 'zeichen-512.png');
  await draw(fullBleed(sign, 0.8), 512, 'zeichen-rand-512.png');
  await draw(fullBleed(sign, 1), 180, 'apple-touch-icon.png');
}

/** Pictures of the landing page's head, in the order of their columns. */
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

/** What messengers show for a shared address: 1200 × 630, with `photos` (JPEG files) beside the words. */
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
