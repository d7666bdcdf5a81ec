import { SLIDESHOW_INTERVAL } from '@feierbild/contract/constants.ts';
import type { Page } from 'playwright';
import { beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from './support/accessible.ts';
import { deviceOf, upload } from './support/api.ts';
import { DESKTOP } from './support/browser.ts';
import { standStill } from './support/clock.ts';
import { holdMotions, MOMENTS } from './support/motions.ts';
import { drawPhoto } from './support/photos.ts';
import { brightnessOf } from './support/picture.ts';
import { settled } from './support/settled.ts';
import { holdAtFirst, showsOf, steppedWall, type Show } from './support/show.ts';
import { useServer } from './support/use-server.ts';

describe('the pictures of a slideshow', () => {
  let begin: () => Promise<Show>;
  let server: Show['server'];
  let event: Show['event'];
  let host: Show['host'];
  let ids: Show['ids'];
  let add: Show['add'];
  let stage: Show['stage'];
  let wallOf: Show['wallOf'];

  useServer(async (started) => void (begin = await showsOf(started)));
  beforeEach(async () => void ({ server, event, host, ids, add, stage, wallOf } = await begin()));

  it('asks after ever longer pauses while no picture can be loaded, and goes on when they come again', async () => {
    const { page, context } = await stage();
    const { photos } = await host.json<{ photos: unknown[] }>('GET', `/api/events/${event.code}/slideshow`);
    let expected = photos.length;
    let refused = 0;
    await page.route('**/preview', (route) => (refused++, route.abort()));
    await page.clock.install();
    // The clock stops before the start, so that on a busy machine no pause passes, and no picture is late.
    await standStill(page);
    await page.goto(`/slideshow/${event.code}`);
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    // Each picture is requested once, later ones one at a time.
    await expect.poll(() => refused).toBe(expected);
    for (const pause of [1, 2, 4, 8, 12, 12].map((times) => times * SLIDESHOW_INTERVAL)) {
      // The answer to this request follows those to all earlier ones.
      const beat = () => page.evaluate(() => fetch('/api/site').then(() => undefined));
      await beat();
      await page.clock.fastForward(pause - 1000);
      await beat();
      expect(refused).toBe(expected);
      await page.clock.fastForward(1000);
      expected += 1;
      await expect.poll(() => refused).toBe(expected);
    }
    await page.unroute('**/preview');
    await page.clock.fastForward(12 * SLIDESHOW_INTERVAL);
    await expect
      .poll(() => page.getByRole('img', { name: /^Foto \d/ }).evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    await context.close();
  });

  it('runs through no large event while no picture can be loaded', async () => {
    const { page, context } = await stage();
    const most = 100;
    let refused = 0;
    await page.route('**/slideshow?after=0', async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { photos: { id: string }[] };
      const photos = Array.from({ length: 4 * most }, (_, n) => ({
        ...answer.photos[0],
        id: `${n}`,
        preview_url: `/api/photos/${n}/preview`,
      }));
      await route.fulfill({ response, json: { ...answer, photos } });
    });
    await page.route('**/preview', (route) => (refused++, route.abort()));
    await page.clock.install();
    await standStill(page);
    await page.goto(`/slideshow/${event.code}`);
    await expect.poll(() => refused).toBe(most);
    const beat = () => page.evaluate(() => fetch('/api/site').then(() => undefined));
    await beat();
    await page.clock.fastForward(SLIDESHOW_INTERVAL - 1000);
    await beat();
    expect(refused).toBe(most);
    await page.clock.fastForward(1000);
    await expect.poll(() => refused).toBe(most + 1);
    await context.close();
  });

  /** Returns the background beside the photos of the newest slide. */
  const behind = (page: Page) => page.evaluate(() => [...document.querySelectorAll('canvas')].at(-1)?.toDataURL());

  /** Adds to the next news another address of this photo's preview. */
  async function replaceInNews(page: Page, photo: string): Promise<void> {
    const { photos } = await host.json<{ photos: { id: string; preview_url: string }[] }>('GET', `/api/events/${event.code}/slideshow`);
    const shown = photos.find(({ id }) => id === photo)!;
    const better = { ...shown, preview_url: shown.preview_url.replace(/(\?.*)?$/, '?replaced') };
    await page.route('**/slideshow?seq=*', async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { photos: object[] };
      await route.fulfill({ response, json: { ...answer, photos: [better, ...answer.photos] } });
    });
  }

  it('takes further new photos into the slide of new ones, as a collage whose photos stay, and shows none that went', async () => {
    const { page, context, errors } = await stage();
    const until = await steppedWall(page, event);
    const shown = () => page.getByRole('img', { name: /^Foto/ });
    const first = await add(20);
    await until(() => page.getByRole('img', { name: 'Foto 7 von 7' }).isVisible());
    const kept = await shown().elementHandle();
    const second = await add(21);
    await until(() => page.getByRole('img', { name: 'Foto 8 von 8' }).isVisible());
    const third = await add(22);
    await until(() => page.getByRole('img', { name: 'Foto 9 von 9' }).isVisible());
    const sources = () => shown().evaluateAll((all) => all.map((image) => image.getAttribute('src') ?? ''));
    expect(await sources()).toEqual([first, second, third].map((id) => expect.stringContaining(id)));
    // The first photo's element has moved, and was not loaded again.
    expect(await kept?.evaluate((image) => image.isConnected)).toBe(true);
    await settled(page);
    const boxes = await Promise.all((await shown().all()).map((image) => image.boundingBox()));
    for (const box of boxes) expect((box?.width ?? 0) * (box?.height ?? 0)).toBeGreaterThan(DESKTOP.width * DESKTOP.height * 0.06);
    const code = (await page.getByRole('img', { name: 'QR-Code zum Event' }).boundingBox())!;
    for (const box of boxes) expect(box!.x + box!.width <= code.x || box!.y + box!.height <= code.y).toBe(true);
    // A pause keeps the slide during the check, which needs a running clock.
    await page.keyboard.press(' ');
    await page.clock.resume();
    expect(await violationsOf(page)).toEqual([]);
    await standStill(page);
    await page.keyboard.press(' ');

    const blurred = await behind(page);
    await host.json('DELETE', `/api/photos/${first}`, undefined, 204);
    const left = [second, third];
    await until(async () => (await sources()).length === left.length);
    expect(await sources()).toEqual(left.map((id) => expect.stringContaining(id)));
    // The deleted photo is not even in the blurred background.
    expect(await page.locator(`img[src*="${first}"]`).count()).toBe(0);
    expect(await behind(page)).not.toBe(blurred);
    await page.clock.runFor(SLIDESHOW_INTERVAL);
    await until(() => page.getByRole('img', { name: 'Foto 2 von 8' }).isVisible());
    expect(errors).toEqual([]);
    await context.close();
  });

  it('lets a new photo join although a better picture of another one does not come', async () => {
    const { page, context } = await stage();
    const until = await steppedWall(page, event);
    const first = await add(20);
    await until(() => page.getByRole('img', { name: 'Foto 7 von 7' }).isVisible());
    await replaceInNews(page, first);
    let held = false;
    const end = Promise.withResolvers<void>();
    await page.route('**/preview?replaced', async (route) => {
      held = true;
      await end.promise;
      await route.abort();
    });
    await add(21);
    await until(() => page.getByRole('img', { name: 'Foto 8 von 8' }).isVisible());
    expect(held).toBe(true);
    end.resolve();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });

  it('fills what photos leave free anew where one of them gets another picture', async () => {
    const { page, context } = await stage();
    const until = await steppedWall(page, event);
    const first = await add(20);
    await until(() => page.getByRole('img', { name: 'Foto 7 von 7' }).isVisible());
    const before = await behind(page);
    await replaceInNews(page, first);
    const other = new URL(`/api/photos/${ids[0]}/preview`, server.url).href;
    await page.route('**/preview?replaced', async (route) => route.fulfill({ response: await route.fetch({ url: other }) }));
    await add(21);
    await until(() => page.getByRole('img', { name: 'Foto 8 von 8' }).isVisible());
    await until(async () => (await behind(page)) !== before);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });

  it('shows a whole table of new photos of one phone, six at a time, before its order goes on', async () => {
    const { page, context } = await stage();
    const until = await steppedWall(page, event);
    const fresh: string[] = [];
    while (fresh.length < 20) fresh.push(await add(20 + fresh.length));
    const seen = new Set<string>();
    const newcomers = async (): Promise<number> => {
      const sources = await page
        .getByRole('img', { name: /^Foto .* von 26$/ })
        .evaluateAll((all) => all.map((image) => image.getAttribute('src') ?? ''));
      for (const id of fresh) if (sources.some((source) => source.includes(id))) seen.add(id);
      return seen.size;
    };
    for (const count of [6, 12, 18, 20]) {
      await until(async () => (await newcomers()) >= count);
      await page.clock.runFor(SLIDESHOW_INTERVAL);
    }
    await context.close();
  });

  it('takes photos in while they come faster than the list is answered, and asks only for what came since', async () => {
    const { page, context } = await stage();
    const asked: string[] = [];
    let seed = 40;
    await page.route(/\/slideshow(\?|$)/, async (route) => {
      if (route.request().resourceType() === 'document') return route.continue();
      asked.push(new URL(route.request().url()).search);
      const response = await route.fetch();
      // News of another photo come before each answer.
      if (asked.length > 1) await add(seed++);
      await route.fulfill({ response });
    });
    await page.goto(`/slideshow/${event.code}`);
    await page.getByRole('img', { name: 'Foto 1 von 6' }).waitFor();
    await add(seed++);
    await page
      .getByRole('img', { name: /^Foto \d+ von (9|\d{2,})$/ })
      .first()
      .waitFor();
    expect(asked.filter((query) => !query.includes('seq='))).toEqual(['?after=0']);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });

  it('shows two portraits that follow each other side by side, and a landscape photo as large as 8 % of its height allow', async () => {
    const device = await deviceOf(server.url);
    for (const seed of [50, 51]) await upload({ url: server.url, code: event.code, device, file: await drawPhoto(seed, 480, 640) });
    const { page, context } = await stage();
    await page.goto(`/slideshow/${event.code}`);
    const box = async (place: number) => {
      const found = await page.getByRole('img', { name: `Foto ${place} von 8` }).boundingBox();
      if (!found) throw new Error('not on the wall');
      return found;
    };
    expect((await box(1)).height).toBeCloseTo(DESKTOP.height / 0.92, 0);
    await page.keyboard.press('ArrowLeft');
    const [left, right] = [await box(7), await box(8)];
    expect(right.x - left.x - left.width).toBeCloseTo(24, 0);
    expect(left.height).toBeCloseTo(right.height, 0);
    expect(left.height).toBeGreaterThan(DESKTOP.height * 0.9);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('img', { name: 'Foto 1 von 8' }).waitFor();
    await context.close();
  });

  it.each([
    ['one fades into the next', (page: Page) => page.keyboard.press('ArrowRight')],
    ['the next one takes the place of a deleted one', () => host.json('DELETE', `/api/photos/${ids[0]}`, undefined, 204)],
  ])('never gets darker than its pictures while %s', async (_, goOn) => {
    const { page, context } = await stage();
    await page.goto(`/slideshow/${event.code}`);
    await holdAtFirst(page);
    await page.mouse.move(5, 5);
    const brightness = async (): Promise<number> => brightnessOf(await page.screenshot({ type: 'jpeg', quality: 50 }));
    await settled(page);
    const before = await brightness();
    const moveTo = await holdMotions(page);
    await goOn(page);
    await page.locator(`main img[alt^="Foto"][src*="${ids[1]}"]`).waitFor();
    const fading = () => page.evaluate(() => document.getAnimations().some((one) => one instanceof CSSAnimation));
    await expect.poll(fading).toBe(true);
    const frames: number[] = [];
    for (const share of MOMENTS) {
      await moveTo(share);
      frames.push(await brightness());
    }
    await moveTo(1);
    await expect.poll(fading).toBe(false);
    const after = await brightness();
    expect(Math.min(...frames)).toBeGreaterThan(0.6 * Math.min(before, after));
    await context.close();
  });

  it('keeps a photo that is shown again on its layer of before, and the lowest, which covers the wall, and one more under a new one', async () => {
    const { page, context } = await stage();
    await page.goto(`/slideshow/${event.code}`);
    await page.getByRole('img', { name: 'Foto 1 von 6' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await settled(page);
    const motions = await context.newCDPSession(page);
    await motions.send('Animation.enable');
    // The animations end only when the test lets them.
    await motions.send('Animation.setPlaybackRate', { playbackRate: 0 });
    const alt = await page.getByRole('img', { name: /^Foto/ }).getAttribute('alt');
    const id = ids[Number(/\d+/.exec(alt ?? '')?.[0]) - 1];
    const drawn = () =>
      page
        .locator(`main img[src*="${id}"]:not([aria-hidden])`)
        .evaluateAll((all) => (all as HTMLImageElement[]).map(({ complete, naturalWidth }) => complete && naturalWidth > 0));
    // A better picture that has faded in has this class.
    await page.getByRole('img', { name: /^Foto/ }).evaluate((image) => image.classList.add('faded-in'));
    await host.json('PUT', `/api/events/${event.code}/wall`, { version: (await wallOf()).version, photo: id });
    await expect.poll(drawn).toEqual([true, true]);
    // The photo's copy on the previous layer does not fade in again.
    expect(await page.locator('main img.faded-in').count()).toBe(0);
    const layers = page.locator('main > div').first().locator('> div');
    // The lowest layer covers the wall.
    await layers.first().evaluate((lowest) => void (lowest.dataset.lowest = ''));
    for (const place of [1, 2, 3, 4]) {
      await page.keyboard.press('ArrowRight');
      const next = ((ids.indexOf(id!) + place) % 6) + 1;
      await page.getByRole('img', { name: `Foto ${next} von 6` }).waitFor();
      expect(await layers.count()).toBeLessThanOrEqual(3);
      expect(await layers.first().getAttribute('data-lowest')).toBe('');
    }
    await motions.send('Animation.setPlaybackRate', { playbackRate: 1 });
    await expect.poll(() => layers.count()).toBe(1);
    await context.close();
  });

  it('goes on at its place when anything but the server answers, and ends by the server’s own word', async () => {
    const { page, context } = await stage();
    await page.clock.install();
    await page.goto(`/slideshow/${event.code}`);
    await holdAtFirst(page);
    await page.getByRole('button', { name: 'Nächstes Foto' }).click();
    const second = page.getByRole('img', { name: 'Foto 2 von 6' });
    await second.waitFor();
    const html = { contentType: 'text/html', body: '404 page not found' };
    let answered = 0;
    for (const answer of [
      { status: 404, ...html },
      { status: 401, ...html },
      { status: 403, json: { error: 'forbidden' } },
      { status: 200, ...html },
      { status: 408, json: { error: 'Zu spät', code: 'request_timeout' } },
      { status: 429, json: { error: 'Zu viele', code: 'too_many_attempts' } },
      { status: 403, json: { error: 'Event ist nicht aktiv', code: 'event_inactive' } },
    ]) {
      const own = answer.json?.code === 'event_inactive';
      const before = ++answered;
      await page.unroute('**/slideshow?*');
      await page.route('**/slideshow?*', async (route) => {
        await route.fulfill(answer);
        answered = before + 1;
      });
      await page.clock.runFor(130_000);
      await expect.poll(() => answered).toBe(before + 1);
      if (own) await page.getByRole('heading', { name: 'Hoppla!' }).waitFor();
      else {
        await page.evaluate(() => fetch('/api/site'));
        await second.waitFor();
        expect(new URL(page.url()).pathname).toBe(`/slideshow/${event.code}`);
      }
    }
    await context.close();
  });
});
