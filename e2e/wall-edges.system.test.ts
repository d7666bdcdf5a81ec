import { berlinInstant } from '@feierbild/contract/berlin.ts';
import type { Browser, Page } from 'playwright';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { adminOf, createEvent, dayFromToday, deviceOf, hostOf, upload } from './support/api.ts';
import { openPage } from './support/browser.ts';
import { takeOver } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import type { TestServer } from './support/server.ts';
import { useServer } from './support/use-server.ts';

const SCREENS = [
  { width: 1280, height: 720 },
  { width: 1920, height: 1080 },
  { width: 3840, height: 2160 },
];
/** Screens of old televisions, and a laptop's window below the bars of its browser. */
const LOW = [
  { width: 640, height: 360 },
  { width: 720, height: 480 },
  { width: 720, height: 576 },
  { width: 854, height: 480 },
  { width: 1024, height: 576 },
  { width: 1366, height: 625 },
];
/** Share of each edge that stays free, because televisions cut 2.5 %. */
const CUT = 0.026;
/** Modules that the standard of QR codes requires around a code. */
const QUIET_ZONE = 4;

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

describe.each(['all styles', 'the styles that Chromium 68 knows'])('a television that cuts the edges, with %s', (styles) => {
  let server: TestServer;
  let browser: Browser;
  useServer((started) => void ({ server, browser } = started));

  /** Opens a wall whose still things drift as far as they may; `towards` is 0 for left and up, 1 for right and down. */
  async function wallOf(photos: number, towards: number) {
    const event = await createEvent(await adminOf(server.url));
    const device = await deviceOf(server.url);
    const add = async (seed: number) => upload({ url: server.url, code: event.code, device, file: await drawPhoto(seed, 640, 480) });
    for (let seed = 0; seed < photos; seed++) await add(seed);
    const { page, context } = await openPage(browser, server.url, SCREENS[0]);
    await takeOver(context, await hostOf(server.url, event), server.url);
    // Noon is far from the hour in which a wall begins anew.
    await page.clock.install({ time: berlinInstant(`${dayFromToday(0)}T12:00`) });
    await page.goto(`/slideshow/${event.code}`);
    await page.getByRole('img', { name: 'QR-Code zum Event' }).waitFor();
    await page.evaluate((value) => (Math.random = () => value), towards === 1 ? 0.999999 : 0);
    if (styles !== 'all styles') await page.evaluate(leaveOutWhatOldOnesDo);
    return { page, context, add };
  }

  it('is shown a code with the quiet zone that readers need, and nothing to read under its edges, however far it drifts', async () => {
    const { page, context, add } = await wallOf(5, 1);
    const drifts: number[] = [];
    for (const screen of SCREENS) {
      await page.setViewportSize(screen);
      await page.clock.fastForward(16 * 60_000);
      drifts.push(await page.locator('main').evaluate((main) => parseFloat(getComputedStyle(main).getPropertyValue('--drift-x'))));
      expectInside(await boxesOf(page, 'button, [class*=invitation], [class*=names]'), screen);
      await expect.poll(() => quietZone(page), { message: `${screen.width} px` }).toBeGreaterThanOrEqual(QUIET_ZONE);
    }
    // The drift is the same on the wall, whatever its pixels.
    expect(drifts[0]).toBeGreaterThanOrEqual(6);
    expect(drifts[2]! / drifts[1]!).toBeCloseTo(2, 0);

    await page.evaluate(() => (Math.random = () => 0));
    for (const [n, screen] of SCREENS.slice(0, 2).entries()) {
      await page.setViewportSize(screen);
      await page.clock.fastForward(16 * 60_000);
      const pill = page.waitForFunction(() => {
        const boxes = [...document.querySelectorAll('[class*=pill], [class*=names]')].map((each) => each.getBoundingClientRect());
        return document.querySelector('[class*=pill]') && boxes.map(({ left, top, right, bottom }) => ({ left, top, right, bottom }));
      });
      await add(60 + n);
      expectInside(((await (await pill).jsonValue()) as Box[] | null) ?? [], screen);
    }
    await context.close();
  });

  it('is shown such a code while it waits for photos, too', async () => {
    const { page, context } = await wallOf(2, 0);
    for (const screen of SCREENS) {
      await page.setViewportSize(screen);
      expectInside(await boxesOf(page, 'h1, main > p, main li, main a, [class*=invitation]'), screen);
      await expect.poll(() => quietZone(page), { message: `${screen.width} px` }).toBeGreaterThanOrEqual(QUIET_ZONE);
    }
    await context.close();
  });

  it('has all of that in sight where it is low, without a remote control that scrolls', async () => {
    const { page, context } = await wallOf(2, 0);
    for (const screen of LOW) {
      await page.setViewportSize(screen);
      const name = `${screen.width} x ${screen.height}`;
      const boxes = await boxesOf(page, 'h1, main > p, main li, main a, [class*=invitation]');
      expectInside(boxes, screen);
      for (const [n, one] of boxes.entries())
        for (const other of boxes.slice(n + 1)) expect.soft(overlap(one, other), `${name}: ${JSON.stringify([one, other])}`).toBe(false);
      await expect.poll(() => quietZone(page), { message: name }).toBeGreaterThanOrEqual(QUIET_ZONE);
    }
    await context.close();
  });

  it('has all that a code is typed into in sight where it is low', async () => {
    const { page, context } = await openPage(browser, server.url, SCREENS[0]);
    await page.goto('/tv');
    await page.getByRole('textbox', { name: 'Code' }).waitFor();
    if (styles !== 'all styles') await page.evaluate(leaveOutWhatOldOnesDo);
    for (const screen of LOW) {
      await page.setViewportSize(screen);
      expectInside(await boxesOf(page, 'header svg, main h1, main label, main input, main button'), screen);
    }
    await context.close();
  });

  it('is told by whom, and what is missing', async () => {
    const { page, context } = await openPage(browser, server.url, SCREENS[0]);
    await page.goto('/leinwand/ABCD2345');
    await page.getByRole('heading', { name: 'Im Link fehlt ein Teil' }).waitFor();
    if (styles !== 'all styles') await page.evaluate(leaveOutWhatOldOnesDo);
    for (const screen of SCREENS) {
      await page.setViewportSize(screen);
      expectInside(await boxesOf(page, 'header svg, main h1'), screen);
    }
    await context.close();
  });
});

/** Removes rules for browsers that know clamp(), and applies those for others, one of which is Chromium 68. */
function leaveOutWhatOldOnesDo(): void {
  for (const sheet of document.styleSheets) {
    for (let n = sheet.cssRules.length - 1; n >= 0; n--) {
      const rule = sheet.cssRules[n];
      if (!(rule instanceof CSSSupportsRule)) continue;
      const inside = [...rule.cssRules].map(({ cssText }) => cssText);
      sheet.deleteRule(n);
      if (rule.conditionText.startsWith('not')) inside.forEach((text) => sheet.insertRule(text, n));
    }
  }
}

function boxesOf(page: Page, selector: string): Promise<Box[]> {
  return page.locator(selector).evaluateAll((all) =>
    all.map((each) => {
      const { left, top, right, bottom } = each.getBoundingClientRect();
      return { left, top, right, bottom };
    }),
  );
}

function expectInside(boxes: readonly Box[], { width, height }: (typeof SCREENS)[number]): void {
  expect(boxes.length).toBeGreaterThan(1);
  const least = (side: (box: Box) => number): number => Math.min(...boxes.map(side));
  const free = {
    left: least(({ left }) => left) / width,
    top: least(({ top }) => top) / height,
    right: least(({ right }) => width - right) / width,
    bottom: least(({ bottom }) => height - bottom) / height,
  };
  for (const [side, part] of Object.entries(free)) expect.soft(part, `${side} of ${width} px`).toBeGreaterThanOrEqual(CUT);
}

const overlap = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** Measures a QR code's white margin in its pixels, modules. */
async function quietZone(page: Page): Promise<number> {
  const drawn = (await page.getByRole('img', { name: 'QR-Code zum Event' }).boundingBox())!;
  const { data, info } = await sharp(await page.screenshot())
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number): number => data[y * info.width + x]!;
  const columns = Array.from({ length: Math.floor(drawn.width) }, (_, n) => Math.ceil(drawn.x) + n);
  const rows = Array.from({ length: Math.floor(drawn.height) }, (_, n) => Math.ceil(drawn.y) + n);
  const isDark = (x: number, y: number): boolean => at(x, y) < 128;
  const left = columns.find((x) => rows.some((y) => isDark(x, y)))!;
  const right = columns.findLast((x) => rows.some((y) => isDark(x, y)))!;
  const top = rows.find((y) => columns.some((x) => isDark(x, y)))!;
  const bottom = rows.findLast((y) => columns.some((x) => isDark(x, y)))!;
  // A corner's square is seven modules wide.
  const afterSquare = columns.find((x) => x > left && !isDark(x, top))!;
  const module = (afterSquare - left) / 7;
  const ring = (by: number): number[] => [
    ...columnsOf(left - by, right + by).flatMap((x) => [at(x, top - by), at(x, bottom + by)]),
    ...columnsOf(top - by, bottom + by).flatMap((y) => [at(left - by, y), at(right + by, y)]),
  ];
  let margin = 0;
  while (ring(margin + 1).every((light) => light > 200)) margin++;
  return (margin + 1) / module;
}

const columnsOf = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n);
