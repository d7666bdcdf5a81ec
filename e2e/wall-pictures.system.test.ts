import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { deviceOf, upload } from './support/api.ts';
import { drawPhoto } from './support/photos.ts';
import { holdMotions, MOMENTS } from './support/motions.ts';
import { compare } from './support/picture.ts';
import { settled } from './support/settled.ts';
import { holdAtFirst, showsOf, steppedWall, type Show } from './support/show.ts';
import { announce } from './support/tus.ts';
import { useServer } from './support/use-server.ts';

describe('a picture on the wall', () => {
  let begin: () => Promise<Show>;
  let server: Show['server'];
  let event: Show['event'];
  let host: Show['host'];
  let ids: Show['ids'];
  let stage: Show['stage'];
  let wallOf: Show['wallOf'];

  useServer(async (started) => void (begin = await showsOf(started)));
  beforeEach(async () => void ({ server, event, host, ids, stage, wallOf } = await begin()));

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

  it('that is drawn in black on nothing is seen while the wall waits for others, too', async () => {
    for (const id of ids) await host.json('PUT', `/api/photos/${id}/slideshow`, { value: false });
    const drawing = sharp({ create: { width: 600, height: 600, channels: 4, background: '#0000' } }).composite([
      { input: { create: { width: 300, height: 600, channels: 4, background: '#000' } }, left: 0, top: 0 },
    ]);
    const file = await drawing.png().toBuffer();
    await upload({ url: server.url, code: event.code, device: await deviceOf(server.url), file, name: 'herz.png' });
    const { page, context } = await stage();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(`/slideshow/${event.code}`);
    const lamp = page.getByRole('listitem').getByRole('img', { name: 'Foto 1' });
    await lamp.waitFor();
    const lights = async () => {
      const picture = await page.screenshot({ clip: (await lamp.boundingBox())! });
      const [ink, paper] = await Promise.all([0.25, 0.75].map((left) => brightnessAt(picture, left)));
      return { ink: ink! < 60, paper: paper! > 230 };
    };
    await expect.poll(lights).toEqual({ ink: true, paper: true });
    await context.close();
  });

  it('keeps its place in a collage while originals come instead of previews, and fades over', async () => {
    const { page, context } = await stage();
    const until = await steppedWall(page, event);
    const device = await deviceOf(server.url);
    // Some phones take photos of this size. A preview has whole pixels, so its ratio differs, and four equal photos may lie in two ways.
    const originals = await Promise.all([60, 61, 62, 63].map((seed) => drawPhoto(seed, 2040, 1536)));
    const sends: (() => Promise<unknown>)[] = [];
    for (const [n, original] of originals.entries()) {
      const preview = await sharp(original).resize(1280).jpeg().toBuffer();
      sends.push(await announce(server.url, { code: event.code, device, name: `IMG_${n}.jpg`, original, preview }));
    }
    const photos = page.getByRole('img', { name: /^Foto \d+ von 10$/ });
    await until(async () => (await photos.count()) === originals.length);
    await page.keyboard.press(' ');
    await page.clock.resume();
    await page.mouse.move(5, 5);
    await page.getByText('Neu von Anna').waitFor({ state: 'detached' });
    await page.locator('main[data-active="false"]').waitFor();
    await settled(page);
    const moveTo = await holdMotions(page);

    const places = () =>
      photos.evaluateAll((all) =>
        all.map((image) => image.getBoundingClientRect()).map(({ x, y, width, height }) => [x, y, width, height].map(Math.round)),
      );
    const frame = () => page.screenshot({ type: 'jpeg', quality: 90 });
    const [before, picture] = [await places(), await frame()];
    const better = () => page.locator('main img[alt^="Foto"][src$="?wide"]').count();
    const isMoving = () => page.evaluate(() => document.getAnimations().length > 0);
    const announced = async () => {
      const all = await host.json<{ photos: { state: string }[] }>('GET', `/api/events/${event.code}/slideshow`);
      return all.photos.filter(({ state }) => state !== 'stored').length;
    };
    for (const [n, send] of sends.entries()) {
      // A request on a slow line is answered once the original is decoded.
      await page.route('**/slideshow?seq=*', async (route) => {
        await expect.poll(announced).toBe(originals.length - n - 1);
        await route.continue();
      });
      await send();
      await expect.poll(better).toBe(n + 1);
      for (const share of MOMENTS) {
        expect(await isMoving()).toBe(true);
        await moveTo(share);
        expect(await places()).toEqual(before);
        const { alike, text } = await compare(picture, await frame(), 12);
        expect(alike, text).toBe(true);
      }
      await moveTo(1);
      await expect.poll(isMoving).toBe(false);
      expect(await places()).toEqual(before);
      await page.unroute('**/slideshow?seq=*');
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
    // Safari before 18 has no such filters.
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

/** Measures a picture's brightness at this share of its width, in the middle of its height. */
async function brightnessAt(picture: Buffer, left: number): Promise<number> {
  const { data, info } = await sharp(picture).greyscale().raw().toBuffer({ resolveWithObject: true });
  return data[Math.floor(info.height / 2) * info.width + Math.floor(info.width * left)]!;
}
