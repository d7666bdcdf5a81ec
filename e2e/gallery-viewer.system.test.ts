import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright';
import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from './support/accessible.ts';
import { createClient, createEvent, deviceOf, hostOf, OPEN_GALLERY, upload, type Client, type EventUnderTest } from './support/api.ts';
import { DESKTOP, expectLogged, openPage, PHONE } from './support/browser.ts';
import { openLive } from './support/live.ts';
import { useAdmin } from './support/use-server.ts';
import { takeOver } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import { insertPhotos } from './support/rows.ts';
import type { TestServer } from './support/server.ts';

declare global {
  interface Window {
    /** Number of formatted dates. */
    formatted: number;
    /** Number of calls of `history.replaceState`. */
    written?: number;
  }
}

/** Returns the background colours of the loaded pictures. */
const groundsOf = (pictures: Element[]): string[] =>
  pictures.filter((picture) => (picture as HTMLImageElement).naturalWidth > 0).map((picture) => getComputedStyle(picture).backgroundColor);

describe("what the host's gallery shows", () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;
  let event: EventUnderTest;
  let host: Client;
  let page: Page;
  let context: BrowserContext;

  useAdmin((started) => ({ server, browser, admin } = started));
  beforeEach(async () => {
    event = await createEvent(admin);
    host = await hostOf(server.url, event);
    ({ page, context } = await openPage(browser, server.url, DESKTOP));
    await takeOver(context, host, server.url);
    return () => context.close();
  });

  const database = () => join(server.dataDir, 'feierbild.sqlite');
  const send = async (seed: number): Promise<void> => {
    const file = await drawPhoto(seed, 320, 240);
    expect((await upload({ url: server.url, code: event.code, device: await deviceOf(server.url), file })).status).toBe(201);
  };

  it('stays when the code of the viewer does not arrive, and opens the photo when it does', async () => {
    await send(1);
    expectLogged(context, /Failed to fetch dynamically imported module/);
    await page.route('**/photo-viewer-*.js', (route) => route.abort());
    await page.goto(`/gallery/${event.code}`);
    await page.locator('[data-photo]').click();
    await page.getByRole('heading', { name: 'Das Foto ließ sich nicht öffnen' }).waitFor();
    await page.getByRole('heading', { name: 'Hochzeit Anna & Jörg', level: 1 }).waitFor();
    await page.unroute('**/photo-viewer-*.js');
    await page.getByRole('button', { name: 'Erneut versuchen' }).click();
    await page.locator('img[src*="/preview"]').waitFor();
  });

  it('lays what is transparent on white in grids, tiles and full screens, and only once it is there', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><circle cx="200" cy="150" r="60"/></svg>';
    const file = await sharp(Buffer.from(svg)).png().toBuffer();
    expect((await upload({ url: server.url, code: event.code, device: await deviceOf(server.url), file })).status).toBe(201);
    const { url } = await host.json<{ url: string }>('PUT', `/api/events/${event.code}/gallery`, OPEN_GALLERY);
    const shown = page.locator('img:is([src*="/thumbnail"], [src*="/preview"], [src*="/temp_download/"])');
    const onWhite = async (count: number): Promise<void> => {
      await expect.poll(() => shown.evaluateAll(groundsOf)).toEqual(Array(count).fill('rgb(255, 255, 255)'));
    };
    const [photo] = (await host.json<{ photos: { id: string }[] }>('GET', `/api/events/${event.code}/photos`)).photos;
    const link = await host.json<{ download_url: string }>('POST', `/api/photos/${photo?.id}/link`, undefined, 201);
    const release = Promise.withResolvers<void>();
    await page.route('**/thumbnail', async (route) => {
      await release.promise;
      await route.continue();
    });
    await page.goto(`/gallery/${event.code}`);
    await shown.waitFor({ state: 'attached' });
    expect(await shown.evaluate((picture) => getComputedStyle(picture).backgroundColor)).toBe('rgba(0, 0, 0, 0)');
    release.resolve();
    await onWhite(1);
    await page.locator('[data-photo]').click();
    await onWhite(2);
    await page.goto(`/manage/${event.code}`);
    // One picture is in the strip, one on a tile.
    await onWhite(2);
    await page.goto(link.download_url);
    await onWhite(1);
    await page.goto(url);
    await onWhite(1);
    await page.locator('[data-photo]').click();
    await onWhite(2);
  });

  it('asks again for a picture that does not come, and lets its photo be deleted meanwhile', async () => {
    await send(1);
    await send(2);
    let asked = 0;
    await page.route('**/preview', (route) => {
      asked += 1;
      return route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' });
    });
    await page.goto(`/gallery/${event.code}`);
    await page.locator('[data-photo]').first().click();
    await page.getByText('Dieses Bild lässt sich gerade nicht zeigen.').first().waitFor();
    const before = asked;
    await expect.poll(() => asked).toBeGreaterThan(before);
    await page.getByRole('button', { name: 'Löschen' }).click();
    await page.getByRole('button', { name: 'Endgültig löschen' }).click();
    await page.getByRole('dialog', { name: 'Foto löschen?' }).waitFor({ state: 'detached' });
    await page.unroute('**/preview');
    const picture = page.locator('.yarl__slide_current img');
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
    await expect.poll(() => picture.evaluate((img) => getComputedStyle(img).opacity)).toBe('1');
    expect(await page.getByText('Dieses Bild lässt sich gerade nicht zeigen.').count()).toBe(0);
  });

  it('opens a photo out of its tile and closes it there; with reduced motion it stands still', async () => {
    await send(1);
    /** Calls `act`, and returns the widths of the moving copy meanwhile, one for each frame. */
    const flight = async (act: () => Promise<void>): Promise<number[]> => {
      await page.evaluate(() => {
        const widths: number[] = [];
        Object.assign(window, { widths });
        const look = (): void => {
          const copy = document.querySelector('body > img');
          if (copy) widths.push(copy.getBoundingClientRect().width);
          requestAnimationFrame(look);
        };
        look();
      });
      await act();
      return page.evaluate(() => (window as unknown as { widths: number[] }).widths);
    };
    const open = async (): Promise<void> => {
      await page.locator('[data-photo]').click();
      await page.locator('.yarl__slide_current img').waitFor();
      await page.locator('body > img').waitFor({ state: 'detached' });
      // The viewer hears keys once it has the focus.
      await page.locator('.yarl__portal :focus, .yarl__portal:focus').waitFor();
    };
    const close = async (): Promise<void> => {
      await page.keyboard.press('Escape');
      await page.locator('.yarl__root').waitFor({ state: 'detached' });
      await page.locator('body > img').waitFor({ state: 'detached' });
    };
    await page.goto(`/gallery/${event.code}`);
    // The motion is so slow that a busy machine draws several frames of it.
    const motions = await context.newCDPSession(page);
    await motions.send('Animation.enable');
    await motions.send('Animation.setPlaybackRate', { playbackRate: 0.2 });
    const tile = await page.locator('[data-photo] img').evaluate(async (image: HTMLImageElement) => {
      await image.decode();
      return image.getBoundingClientRect().width;
    });
    const opening = await flight(open);
    expect(Math.max(...opening)).toBeGreaterThan(tile);
    const closing = await flight(close);
    expect(closing.at(-1)).toBeLessThan(closing[0] ?? 0);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await flight(open)).toEqual([]);
    expect(await flight(close)).toEqual([]);
  });

  it('has on a phone its buttons at the bottom, deleting apart, the photo from edge to edge, and dates in one form', async () => {
    const file = await sharp(await drawPhoto(1, 1600, 1200))
      .withExif({ IFD2: { DateTimeOriginal: '2026:05:17 21:04:00' } })
      .jpeg()
      .toBuffer();
    expect((await upload({ url: server.url, code: event.code, device: await deviceOf(server.url), file })).status).toBe(201);
    const phone = await openPage(browser, server.url, PHONE);
    await takeOver(phone.context, host, server.url);
    await phone.page.goto(`/gallery/${event.code}`);
    await phone.page.locator('[data-photo]').tap();
    const button = (name: string) => phone.page.getByRole('button', { name });
    await phone.page.getByText(/^\S+ · \d\d:\d\d$/).waitFor();
    await button('Alle Angaben').tap();
    await phone.page.getByText(/^Foto von .*, \d+\. \S+ \d{4}, \d\d:\d\d · aufgenommen 17\. Mai 2026, 21:04 · .*, .*\sMB$/).waitFor();
    expect(await phone.page.locator('.yarl__toolbar').innerText()).toMatch(/^Slideshow\s+Weitergeben\s+Herunterladen\s+Löschen$/);
    const [mark, link, trash] = await Promise.all(
      ['In der Slideshow', 'Link zum Weitergeben', 'Löschen'].map((name) => button(name).boundingBox()),
    );
    for (const box of [mark, link, trash]) {
      expect(box?.height).toBeGreaterThanOrEqual(48);
      expect(box?.y).toBeGreaterThan(PHONE.height - 80);
    }
    expect((trash?.x ?? 0) - (link?.x ?? 0)).toBeGreaterThan(150);
    expect((await button('Schließen').boundingBox())?.y).toBeLessThan(80);
    expect(await button('Vergrößern').count()).toBe(0);
    await expect.poll(async () => (await phone.page.locator('img[src*="/preview"]').boundingBox())?.width).toBeCloseTo(PHONE.width, 0);
    expect(await violationsOf(phone.page)).toEqual([]);
    await phone.context.close();
  });

  it('writes its address when it rests at a photo, and goes on where the browser refuses that', async () => {
    insertPhotos(database(), event.id, 40);
    await page.addInitScript(() => {
      const replace = history.replaceState.bind(history);
      history.replaceState = (state, title, url) => {
        window.written = (window.written ?? 0) + 1;
        if (window.written > 20) throw new DOMException('too many', 'SecurityError');
        replace(state, title, url);
      };
    });
    await page.goto(`/gallery/${event.code}`);
    await page.locator('[data-photo]').first().click();
    const current = () => page.locator('.yarl__slide_current img[src*="/preview"]');
    const seen = async () => /photos\/([^/]+)/.exec((await current().getAttribute('src')) ?? '')?.[1];
    const address = () => page.evaluate(() => new URLSearchParams(location.search).get('foto'));
    const written = () => page.evaluate(() => window.written ?? 0);
    await current().waitFor();
    const [first, before] = [await seen(), await written()];
    for (let n = 0; n < 20; n++) await page.keyboard.press('ArrowRight');
    await expect.poll(async () => (await address()) !== first && (await address()) === (await seen())).toBe(true);
    expect((await written()) - before).toBeLessThan(5);
    await page.evaluate(() => (window.written = 100));
    await page.keyboard.press('ArrowRight');
    await expect.poll(written).toBeGreaterThan(100);
    const refused = await seen();
    await page.keyboard.press('ArrowRight');
    await expect.poll(seen).not.toBe(refused);
  });

  it('goes from one of 10,000 photos to the next without touching the others', async () => {
    insertPhotos(database(), event.id, 10_000);
    await page.addInitScript(() => {
      window.formatted = 0;
      const { get } = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format') as { get(): (date: Date) => string };
      Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
        get(this: Intl.DateTimeFormat) {
          window.formatted += 1;
          return get.call(this);
        },
      });
    });
    await page.goto(`/gallery/${event.code}`);
    await page.getByText('10.000 Fotos').first().waitFor();
    await page.getByLabel('Sortierung').selectOption('Zuletzt hochgeladen');
    await page.getByText('Fotos werden geladen').waitFor({ state: 'detached' });
    await page.locator('[data-photo]').first().click();
    await page.getByRole('button', { name: 'Nächstes Foto' }).waitFor();
    const address = page.url();
    await page.evaluate(() => (window.formatted = 0));
    await page.keyboard.press('ArrowRight');
    await page.waitForURL((url) => url.href !== address);
    expect(await page.evaluate(() => window.formatted)).toBeLessThan(500);
  });

  it('says of a day only how many photos it has in all', async () => {
    insertPhotos(database(), event.id, 94);
    await page.goto(`/gallery/${event.code}`);
    await page.getByText('94 Fotos').first().waitFor();
    const days = page.locator('main h2');
    const counts = async (): Promise<number[]> =>
      (await days.allTextContents()).flatMap((text) => (/(\d+) Fotos?$/.exec(text) ?? []).slice(1).map(Number));
    const { photos } = await host.json<{ photos: { created_at: string }[] }>(
      'GET',
      `/api/events/${event.code}/photos?after=0&per_page=100`,
    );
    const inBerlin = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' });
    const days94 = Map.groupBy(photos, ({ created_at }) => inBerlin.format(new Date(created_at)));
    const allowed = [...days94.values()].map(({ length }) => length);
    // The counts are right while the last photos are still to come, and afterwards.
    for (const count of await counts()) expect(allowed).toContain(count);
    const atEnd = async () => {
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      return (await counts()).at(-1);
    };
    await expect.poll(atEnd).toBe(allowed.at(-1));
  });

  it('counts what came since the ZIP as soon as it comes', async () => {
    await send(1);
    await host.json('POST', `/api/events/${event.code}/create-zip`);
    await openLive(page, `/gallery/${event.code}`);
    await page.getByText('Neu generieren').waitFor();
    await send(2);
    await page.getByText('1 neues Foto seitdem').waitFor();
    await send(3);
    await page.getByText('2 neue Fotos seitdem').waitFor();
  });

  it('counts the hearts given since it was opened, once somebody reaches the filter or comes back to the page', async () => {
    await send(1);
    await send(2);
    const { url } = await host.json<{ url: string }>('PUT', `/api/events/${event.code}/gallery`, OPEN_GALLERY);
    const guest = createClient(server.url);
    await guest.json('POST', '/auth/gallery/login', { code: event.code, token: url.split('#')[1] });
    const { photos } = await host.json<{ photos: { id: string }[] }>('GET', `/api/events/${event.code}/photos`);
    const love = async (place: number): Promise<unknown> => {
      const headers = { 'content-type': 'application/json', 'device-id': await deviceOf(server.url) };
      const answer = await guest.request(`/api/photos/${photos[place]?.id}/heart`, { method: 'PUT', headers, body: '{"value":true}' });
      return expect(answer.status).toBe(200);
    };
    const open = async (): Promise<void> => {
      await page.goto(`/gallery/${event.code}`);
      await expect.poll(() => page.locator('[data-photo] img').count()).toBe(2);
    };
    const loved = (count: number) => page.getByRole('option', { name: `♥ Lieblinge (${count})`, includeHidden: true });
    await open();
    await love(0);
    await page.getByLabel('Gast').hover();
    await loved(1).waitFor({ state: 'attached' });
    await open();
    await loved(1).waitFor({ state: 'attached' });
    await love(1);
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await loved(2).waitFor({ state: 'attached' });
  });

  it('advances while photos come faster than the server answers, and asks for nothing twice', async () => {
    await send(0);
    const asked: string[] = [];
    let failed = 0;
    page.on('requestfailed', () => (failed += 1));
    await page.route('**/photos?*', async (route) => {
      asked.push(new URL(route.request().url()).searchParams.get('after') ?? '');
      // The answer waits until the next photo is there.
      const { length } = asked;
      await expect.poll(() => sent).toBeGreaterThan(Math.min(length, LAST - 1));
      await route.continue();
    });
    let sent = 1;
    const LAST = 8;
    await openLive(page, `/gallery/${event.code}`);
    for (let seed = 1; seed < LAST; seed++) {
      await send(seed);
      sent += 1;
      if (seed === LAST - 2)
        await page
          .getByText(/^[2-7] Fotos$/)
          .first()
          .waitFor();
    }
    await page.getByText(`${LAST} Fotos`).first().waitFor();
    expect(failed).toBe(0);
    // Each request goes on where the answer before ended.
    expect(asked).toEqual(asked.toSorted((a, b) => Number(a) - Number(b)));
    expect(asked.length).toBeLessThanOrEqual(LAST);
  });
});
