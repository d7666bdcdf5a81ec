import type { Page, Request } from 'playwright';
import { beforeEach, describe, expect, it } from 'vitest';
import { openPage } from './support/browser.ts';
import { standStill } from './support/clock.ts';
import { takeOver } from './support/login.ts';
import { brightnessOf } from './support/picture.ts';
import { startProxy } from './support/proxy.ts';
import { settled } from './support/settled.ts';
import { showsOf, type Show } from './support/show.ts';
import { useServer } from './support/use-server.ts';

/** Time within which the wall asks for its list once more, as one without photos does; it asks again only after two minutes. */
const FIRST_ASKED_MS = 11_000;
/** Time from the last sign of life to the new connection. */
const SILENCE_MS = 60_000;
const STEP_MS = 1_000;

describe('a wall behind a proxy that swallows its line', () => {
  let begin: () => Promise<Show>;
  let show: Show;

  useServer(async (started) => void (begin = await showsOf(started)));
  beforeEach(async () => void (show = await begin()));

  it.each([
    ['has heard no news yet', 6],
    ['has heard news before', 7],
  ])('connects anew after a minute, shows what came meanwhile, and has gone on without a dark moment; it %s', async (_, before) => {
    const { server, browser, event, host, add } = show;
    const proxy = await startProxy(server.url);
    const { page, context, errors } = await openPage(browser, proxy.url, { width: 480, height: 270 });
    await takeOver(context, host, proxy.url);
    let streams = 0;
    page.on('request', (request) => (streams += Number(new URL(request.url()).pathname.endsWith('/live'))));
    const open = new Set<Request>();
    page.on('request', (request) => request.resourceType() !== 'eventsource' && open.add(request));
    page.on('requestfinished', (request) => open.delete(request));
    await page.clock.install();
    // The clock stops before the start, so that only the test lets time pass.
    await standStill(page);
    const connected = page.waitForResponse((answer) => new URL(answer.url()).pathname.endsWith('/live'));
    await page.goto(`/slideshow/${event.code}`);
    await shown(page, 6).waitFor();
    await connected;
    const until = async (isThere: () => Promise<boolean>): Promise<void> => {
      await expect.poll(async () => (await page.clock.runFor(20), isThere())).toBe(true);
    };
    await page.clock.runFor(FIRST_ASKED_MS);
    if (before === 7) {
      await add(10);
      await until(() => shown(page, 7).isVisible());
      await page.clock.runFor(1000);
    }
    // Only the live channel may be on the line, and nothing may fade.
    await expect.poll(() => open.size).toBe(0);
    await settled(page);

    proxy.become('silent');
    const missed = await add(11);
    await expect.poll(proxy.swallowed).toBeGreaterThan(0);
    proxy.become('open');
    const light = await brightness(page);
    const lights: number[] = [];
    const seen: string[] = [];
    const pass = async (ms: number): Promise<void> => {
      for (let passed = 0; passed < ms; passed += STEP_MS) {
        await page.clock.runFor(STEP_MS);
        lights.push(await brightness(page));
        const names = await page
          .locator('main img[alt^="Foto"]')
          .evaluateAll((all) => all.map((image) => image.getAttribute('alt')).join());
        if (names !== seen.at(-1)) seen.push(names);
      }
    };
    await pass(SILENCE_MS - 2 * FIRST_ASKED_MS);
    expect(streams).toBe(1);
    expect(seen.length).toBeGreaterThanOrEqual(4);
    // The wall does not know the missed photo yet.
    for (const names of seen) expect(names).toMatch(new RegExp(`^Foto \\d von ${before}$`));
    for (let passed = 0; passed < 2 * FIRST_ASKED_MS && streams === 1; passed += STEP_MS) await pass(STEP_MS);
    await expect.poll(() => streams).toBe(2);
    const isHere = () => page.locator(`main img[alt$="von ${before + 1}"][src*="${missed}"]`).isVisible();
    await until(async () => (lights.push(await brightness(page)), isHere()));
    expect(Math.min(...lights)).toBeGreaterThan(0.5 * light);
    expect(errors).toEqual([]);
    await context.close();
    await proxy.close();
  });
});

const shown = (page: Page, total: number) => page.getByRole('img', { name: new RegExp(`^Foto \\d von ${total}$`) }).first();

const brightness = async (page: Page): Promise<number> => brightnessOf(await page.screenshot({ type: 'jpeg', quality: 50 }));
