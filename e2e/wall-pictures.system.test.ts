import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { deviceOf, upload } from './support/api.ts';
import { holdAtFirst, showsOf, type Show } from './support/show.ts';
import { useServer } from './support/use-server.ts';

describe('a picture on the wall', () => {
  let begin: () => Promise<Show>;
  let server: Show['server'];
  let event: Show['event'];
  let host: Show['host'];
  let stage: Show['stage'];
  let wallOf: Show['wallOf'];

  useServer(async (started) => void (begin = await showsOf(started)));
  beforeEach(async () => void ({ server, event, host, stage, wallOf } = await begin()));

  it('that is drawn in black on nothing is seen, on white as paper is, also where it is shown again', async () => {
    const drawing = sharp({ create: { width: 800, height: 600, channels: 4, background: '#0000' } }).composite([
      { input: { create: { width: 200, height: 200, channels: 4, background: '#000' } }, left: 0, top: 0 },
    ]);
    const file = await drawing.png().toBuffer();
    const sent = await upload({ url: server.url, code: event.code, device: await deviceOf(server.url), file, name: 'herz.png' });
    const { id } = ((await sent.json()) as { photo: { id: string } }).photo;
    const { page, context } = await stage();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(`/slideshow/${event.code}`);
    await holdAtFirst(page, 7);
    const opaque = page.getByRole('img', { name: 'Foto 1 von 7' });
    expect(await opaque.evaluate((image) => getComputedStyle(image).backgroundColor)).toBe('rgba(0, 0, 0, 0)');
    for (const time of ['first', 'second']) {
      await host.json('PUT', `/api/events/${event.code}/wall`, { version: (await wallOf()).version, photo: id });
      const shown = page.locator(`main img[alt^="Foto"][src*="${id}"]`);
      await shown.waitFor();
      const box = (await shown.boundingBox())!;
      await expect
        .poll(
          async () => {
            const wall = await page.screenshot({ clip: { ...box, height: box.height / 2 } });
            const [paper, ink] = await Promise.all([0.6, 0.1].map((left) => brightnessAt(wall, left)));
            return { paper: paper! > 230, ink: ink! < 30 };
          },
          { message: time },
        )
        .toEqual({ paper: true, ink: true });
      await page.keyboard.press('ArrowRight');
      await shown.waitFor({ state: 'detached' });
    }
    await context.close();
  });

  it.each(['with', 'without'])('is soft beside itself, in a browser %s filters for canvases', async (filters) => {
    const tile = { create: { width: 60, height: 60, channels: 3, background: '#fff' } } as const;
    const places = Array.from({ length: 40 }, (_, n) => ({ left: 120 * (n % 4) + (n % 8 < 4 ? 0 : 60), top: 60 * Math.floor(n / 4) }));
    const tiles = sharp({ create: { width: 480, height: 600, channels: 3, background: '#000' } }).composite(
      places.map((place) => ({ input: tile, ...place })),
    );
    const file = await tiles.jpeg().toBuffer();
    const sent = await upload({ url: server.url, code: event.code, device: await deviceOf(server.url), file });
    const { id } = ((await sent.json()) as { photo: { id: string } }).photo;
    const { page, context } = await stage();
    // As Safari before 18.
    if (filters === 'without')
      await page.addInitScript(() => void delete (CanvasRenderingContext2D.prototype as { filter?: string }).filter);
    await page.goto(`/slideshow/${event.code}`);
    await host.json('PUT', `/api/events/${event.code}/wall`, { version: (await wallOf()).version, photo: id });
    await page.locator(`main img[alt^="Foto"][src*="${id}"]`).waitFor();
    const steepest = await page.evaluate(() => {
      const canvas = [...document.querySelectorAll('canvas')].at(-1)!;
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      const lights = Array.from({ length: data.length / 4 }, (_, n) => data[4 * n]!);
      return Math.max(...lights.map((light, n) => (n % canvas.width === 0 ? 0 : Math.abs(light - lights[n - 1]!))));
    });
    expect(steepest).toBeLessThan(64);
    await context.close();
  });
});

/** How bright a picture is so far from its left, in the middle of its height. */
async function brightnessAt(picture: Buffer, left: number): Promise<number> {
  const { data, info } = await sharp(picture).greyscale().raw().toBuffer({ resolveWithObject: true });
  return data[Math.floor(info.height / 2) * info.width + Math.floor(info.width * left)]!;
}
