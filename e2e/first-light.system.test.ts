import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostEvent, Photo } from '@feierbild/contract/entities.ts';
import type { Browser, Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminOf, createEvent, deviceOf, hostOf, type Client, type EventUnderTest } from './support/api.ts';
import { launchBrowser, openPage } from './support/browser.ts';
import { takeOver } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import { startProxy, type Proxy } from './support/proxy.ts';
import { DONE, KEPT, OPEN, stop } from './support/queue.ts';
import { startServer, type TestServer } from './support/server.ts';
import { sha256 } from './support/sha256.ts';
import { announce } from './support/tus.ts';

/** A line of 2 Mbit/s. */
const LINE = { bytesPerSecond: 250_000, delayMs: 30 };
const COUNT = 3;

/** Draws a photo as phones take it, with fine detail in a large file, which a small picture does not need. */
async function draw(seed: number): Promise<Buffer> {
  return sharp(await drawPhoto(seed, 800, 600))
    .resize(2400, 1800)
    .jpeg({ quality: 96 })
    .toBuffer();
}

describe('a photo on a slow line', () => {
  let server: TestServer;
  let browser: Browser;
  let proxy: Proxy;
  let event: EventUnderTest;
  let host: Client;
  let files: { name: string; mimeType: string; buffer: Buffer }[];

  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), launchBrowser()]);
    proxy = await startProxy(server.url, LINE);
    event = await createEvent(await adminOf(server.url));
    host = await hostOf(server.url, event);
    const buffers = await Promise.all(Array.from({ length: COUNT }, (_, n) => draw(n + 1)));
    files = buffers.map((buffer, n) => ({ name: `IMG_${n}.jpg`, mimeType: 'image/jpeg', buffer }));
  });
  afterAll(async () => {
    await browser?.close();
    await proxy?.close();
    await server?.dispose();
  });

  const wall = async (): Promise<Photo[]> => (await host.json<{ photos: Photo[] }>('GET', `/api/events/${event.code}/slideshow`)).photos;
  const states = async (): Promise<string[]> => (await wall()).map(({ state }) => state).toSorted();

  async function open(): Promise<Page> {
    const { page } = await openPage(browser, proxy.url);
    await page.goto(`/event/${event.code}`);
    await page.getByRole('checkbox').check();
    return page;
  }

  it('is on the wall by its preview before an original has come, and says so to sender and host', async () => {
    const screen = await openPage(browser, server.url);
    await takeOver(screen.context, host, server.url);
    await screen.page.goto(`/slideshow/${event.code}`);
    const page = await open();
    await page.locator('input[type=file]').setInputFiles(files);
    // On a busy machine, drawing takes longer than originals would wait, so it is awaited before the press.
    await page
      .locator('img[src^="blob:"]')
      .nth(COUNT - 1)
      .waitFor();
    await page.getByRole('button', { name: `Hochladen (${COUNT})` }).click();
    await expect.poll(states).toEqual(Array(COUNT).fill('announced'));
    // The wall has drawn the previews.
    const drawn = () =>
      screen.page
        .getByRole('listitem')
        .getByRole('img')
        .evaluateAll((all) => all.filter((one) => (one as HTMLImageElement).naturalWidth > 0).length);
    await expect.poll(drawn).toBe(COUNT);
    await page.getByText('Original folgt').first().waitFor();
    await page.getByText(`${COUNT} sind schon zu sehen, die Originale folgen.`).waitFor();
    expect(await host.json<HostEvent>('GET', `/api/events/${event.code}`)).toMatchObject({
      previews: { coming: COUNT, left: 0 },
      storage: { photos: { count: 0 } },
    });

    await page.getByRole('button', { name: DONE }).waitFor();
    await expect.poll(states).toEqual(Array(COUNT).fill('stored'));
    expect(await host.json<HostEvent>('GET', `/api/events/${event.code}`)).toMatchObject({
      previews: { coming: 0, left: 0 },
      storage: { photos: { count: COUNT } },
    });
    const originals = (await wall()).map(async ({ id }) =>
      Buffer.from(await (await host.request(`/api/photos/${id}/download`)).arrayBuffer()),
    );
    const hashes = (await Promise.all(originals)).map(sha256).toSorted();
    expect(hashes).toEqual(files.map(({ buffer }) => sha256(buffer)).toSorted());
    await page.context().close();
    await screen.context.close();
  });

  it('is shown also where it is one of many, and not on the wall any more where the guest ends the sending', async () => {
    const before = (await wall()).length;
    const page = await open();
    const photo = await draw(9);
    // These are more photos than the page draws ahead of the line.
    const many = Array.from({ length: 15 }, (_, n) => ({
      ...files[0]!,
      name: `IMG_9${n}.jpg`,
      buffer: Buffer.concat([photo, randomBytes(8)]),
    }));
    let previews = 0;
    page.on('request', (request) => request.url().endsWith('/preview') && previews++);
    await page.locator('input[type=file]').setInputFiles(many);
    await page.locator('img[src^="blob:"]').nth(11).waitFor();
    await page.getByRole('button', { name: 'Hochladen (15)' }).click();
    await expect.poll(async () => (await wall()).length).toBe(before + 15);
    expect(previews).toBeGreaterThan(12);
    await stop(page);
    await expect.poll(states).not.toContain('announced');
    expect((await wall()).length).toBeLessThan(before + 15);
    await page.context().close();
  });

  /** Announces a file by its preview, without its original. */
  async function announceFile({ name, buffer: original }: { name: string; buffer: Buffer }, code: string, device: string): Promise<void> {
    await announce(server.url, { code, device, name, original, preview: await sharp(original).resize(1280).jpeg().toBuffer() });
  }

  it('is counted apart on its host’s dashboard, and leads to the gallery like any other', async () => {
    const first = await createEvent(await adminOf(server.url));
    await announceFile(files[0]!, first.code, await deviceOf(server.url));
    const { page, context } = await openPage(browser, server.url);
    await takeOver(context, await hostOf(server.url, first), server.url);
    await page.goto(`/manage/${first.code}`);
    await page.getByText('ein Original unterwegs').waitFor();
    await page.getByRole('link', { name: 'Das erste Foto ansehen' }).click();
    await page.getByText('Original folgt').waitFor();
    await context.close();
  });

  it('is stored once where the page that announced it has lost all its data, and its file is chosen again', async () => {
    const device = await deviceOf(server.url);
    const file = { ...files[0]!, name: 'IMG_11.jpg', buffer: await draw(11) };
    await announceFile(file, event.code, device);
    const { page, context } = await openPage(browser, server.url);
    await context.addInitScript((id) => localStorage.setItem('device_id', id), device);
    await page.goto(`/event/${event.code}`);
    await page.getByText('Original folgt').waitFor();
    await page.getByRole('checkbox').check();
    await page.locator('input[type=file]').setInputFiles([file]);
    await page.getByRole('button', { name: 'Hochladen (1)' }).click();
    await page.getByRole('button', { name: DONE }).waitFor();
    const same = async () => (await wall()).filter(({ filename }) => filename === file.name);
    await expect.poll(async () => (await same()).map(({ state }) => state)).toEqual(['stored']);
    await context.close();
  });

  it('leaves no preview where its answer was lost and the server has the photo already, under another name', async () => {
    const { page, context } = await openPage(browser, server.url);
    await page.goto(`/event/${event.code}`);
    await page.getByRole('checkbox').check();
    const send = async (name: string): Promise<void> => {
      await page.locator('input[type=file]').setInputFiles([{ ...files[0]!, name, buffer: file }]);
      await page.locator('img[src^="blob:"]').waitFor();
      await page.getByRole('button', { name: 'Hochladen (1)' }).click();
      await page.getByRole('button', { name: DONE }).waitFor();
    };
    const file = await draw(61);
    await send('IMG_61.jpg');
    let announced = 0;
    await page.route(/\/preview$/, async (route) => {
      await route.fetch();
      announced += (await states()).filter((state) => state === 'announced').length;
      await route.abort('connectionfailed');
    });
    await send('Kopie.jpg');
    expect(announced).toBeGreaterThan(0);
    await expect.poll(states).not.toContain('announced');
    await context.close();
  });

  it('is not on the wall any more where it is taken out while the line is gone, for which its page has to stay open', async () => {
    const page = await open();
    await page
      .locator('input[type=file]')
      .setInputFiles(await Promise.all([71, 72].map(async (n) => ({ ...files[0]!, name: `IMG_${n}.jpg`, buffer: await draw(n) }))));
    await page.locator('img[src^="blob:"]').nth(1).waitFor();
    // Previews get through, originals do not.
    proxy.refuse(/\/uploads?(\/[\w-]+)?$/);
    await page.getByRole('button', { name: 'Hochladen (2)' }).click();
    await page.getByText('2 sind schon zu sehen, die Originale folgen.').waitFor();
    await page.getByText(`0 von 2 angekommen. ${KEPT}`).waitFor();
    const takeOut = async (name: string): Promise<void> => {
      const tile = page.getByRole('button', { name: new RegExp(`^${name}`) });
      // A press right after another one, or during a run, removes nothing.
      const press = () => tile.evaluateAll((found) => found.forEach((one) => (one as HTMLElement).click()));
      await expect.poll(async () => (await press(), tile.count())).toBe(0);
    };
    await takeOut('IMG_71.jpg');
    await page.getByText(`0 von 1 angekommen. ${OPEN}`).waitFor();
    await takeOut('IMG_72.jpg');
    await page.getByText('Was zu sehen ist, wird noch entfernt: Bitte die Seite so lange offen lassen.').waitFor();
    proxy.refuse(null);
    await expect.poll(states).not.toContain('announced');
    await page.getByText('Was zu sehen ist').waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('is sent without a preview for a while where the server has refused one', async () => {
    const { page, context } = await openPage(browser, server.url);
    let asked = 0;
    await page.route(/\/preview$/, async (route) => {
      asked++;
      await route.fulfill({ status: 415, json: { error: 'Nein', code: 'preview_refused' } });
    });
    await page.goto(`/event/${event.code}`);
    await page.getByRole('checkbox').check();
    const buffers = await Promise.all([31, 32, 33, 34, 35, 36].map(draw));
    await page.locator('input[type=file]').setInputFiles(buffers.map((buffer, n) => ({ ...files[0]!, name: `IMG_3${n}.jpg`, buffer })));
    await page.getByRole('button', { name: 'Hochladen (6)' }).click();
    await page.getByRole('button', { name: DONE }).waitFor();
    // Two previews may be in flight when the first one is refused.
    expect([1, 2]).toContain(asked);
    await context.close();
  });

  it('is not drawn again where the browser has not survived drawing it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-'));
    const paths = await Promise.all(
      ['IMG_51.jpg', 'IMG_52.jpg'].map(async (name, n) => {
        await writeFile(join(folder, name), await draw(51 + n));
        return join(folder, name);
      }),
    );
    const { page, context } = await openPage(browser, server.url);
    const { size } = await stat(paths[0]!);
    await context.addInitScript((note) => localStorage.setItem('drawing', note), String(size));
    await page.goto(`/event/${event.code}`);
    await page.getByRole('checkbox').check();
    await page.locator('input[type=file]').setInputFiles(paths);
    await page.locator('img[src^="blob:"]').waitFor();
    await page.getByRole('button', { name: 'Hochladen (2)' }).click();
    await page.getByRole('button', { name: DONE }).waitFor();
    expect(await page.locator('img[src^="blob:"]').count()).toBe(1);
    const drawnOf = async (name: string) => (await wall()).find(({ filename }) => filename === name)?.preview_url.endsWith('?drawn');
    await expect.poll(() => drawnOf('IMG_52.jpg')).toBe(true);
    expect(await drawnOf('IMG_51.jpg')).toBe(false);
    await context.close();
    await rm(folder, { recursive: true });
  });

  // A preview that the server makes during the upload is small, too; its address ends in `?small`.
  it.each([
    ['draws', '', 'drawn'],
    [
      'answers noise',
      'OffscreenCanvasRenderingContext2D.prototype.getImageData = (_x, _y, width, height) => noise(width, height);',
      'small',
    ],
    ['draws nothing', 'OffscreenCanvasRenderingContext2D.prototype.drawImage = () => undefined;', 'small'],
    ['squeezes', 'self.createImageBitmap = (file, how) => make(file, { ...how, resizeWidth: 800, resizeHeight: 800 });', 'small'],
    ['takes too long', 'let asked = 0; self.createImageBitmap = (...all) => (asked++ ? make(...all) : new Promise(() => {}));', 'small'],
    ['encodes otherwise', 'OffscreenCanvas.prototype.convertToBlob = function () { return encode.call(this); };', 'small'],
  ])('has a preview only of a browser that draws it truly: one that %s', async (how, spoil, drawn) => {
    const { page, context } = await openPage(browser, server.url);
    const before = `const make = self.createImageBitmap.bind(self), encode = OffscreenCanvas.prototype.convertToBlob;
      const noise = (width, height) => new ImageData(Uint8ClampedArray.from({ length: 4 * width * height }, () => 256 * Math.random()), width, height);`;
    await page.route(/thumbnail\.worker/, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: `${before}${spoil}\n${await answer.text()}` });
    });
    await page.goto(`/event/${event.code}`);
    await page.getByRole('checkbox').check();
    const name = `IMG ${how}.jpg`;
    await page.locator('input[type=file]').setInputFiles([{ ...files[0]!, name, buffer: await draw(20 + how.length) }]);
    // The thumbnail shows that the worker has finished, even without a preview.
    await page.locator('img[src^="blob:"]').waitFor();
    await page.getByRole('button', { name: 'Hochladen (1)' }).click();
    await page.getByRole('button', { name: DONE }).waitFor();
    const shown = async () => (await wall()).find(({ filename }) => filename === name);
    await expect.poll(async () => (await shown())?.state).toBe('stored');
    expect((await shown())?.preview_url.split('?')[1]).toBe(drawn);
    await context.close();
  });
});
