// npm run pictures: takes the product's pictures from the running product, for the landing page and the documentation.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addDays, berlinDay } from '@feierbild/contract/berlin.ts';
import type { Browser, Locator, Page } from 'playwright';
import sharp from 'sharp';
import { adminOf, createEvent, deviceOf, upload, type EventUnderTest } from '../../e2e/support/api.ts';
import { launchBrowser } from '../../e2e/support/browser.ts';
import { logInAsAdmin } from '../../e2e/support/login.ts';
import { startServer } from '../../e2e/support/server.ts';
import { drawnSamples } from '../../server/src/features/demo/samples.ts';
import { drawHeroPictures, drawIcons, drawReadmePicture, drawSharePreview } from './brand.ts';

const ROOT = join(import.meta.dirname, '../..');
const LANDING = join(ROOT, 'web/public/bilder');
const DOCS = join(ROOT, 'docs/benutzung/bilder');
const PHONE = { width: 390, height: 844 };
const WALL = { width: 1440, height: 810 };
/** Number of the photo of the fireworks. */
const WALL_PHOTO = 28;
const DESKTOP = { width: 1440, height: 900 };

const { folder, samples } = drawnSamples;
const files = samples.map(({ file }) => join(folder, file));
const named = (...names: string[]): string[] => names.map((name) => files.find((file) => file.endsWith(`-${name}.jpg`)) as string);

await mkdir(LANDING, { recursive: true });
await mkdir(DOCS, { recursive: true });
const [server, browser] = await Promise.all([startServer(), launchBrowser()]);
try {
  await drawIcons();
  await drawSharePreview(browser, named('polaroids', 'kerzen', 'konfetti', 'lichterkette'));
  await drawHeroPictures(
    named('kerzen', 'anstossen', 'lichterkette', 'konfetti', 'wiese', 'discokugel', 'sonnenuntergang', 'lampions', 'wimpel'),
    LANDING,
  );
  const admin = await adminOf(server.url);
  const event = await createEvent(admin, { title: 'Hochzeit von Lena und Jonas', subtitle: 'Schön, dass ihr da seid!', storage_limit: 15 });
  await createEvent(admin, { title: 'Sommerfest Kegelverein Immergrün', storage_limit: 5 });
  const today = berlinDay(Date.now());
  const birthday = await createEvent(admin, {
    title: 'Opa Heinz wird 80',
    start_date: addDays(today, -13),
    end_date: addDays(today, -12),
    storage_limit: 5,
  });
  await fill(server.url, event);
  await guestPictures(browser, server.url, event);
  await hostPictures(browser, server.url, event);
  await adminPictures(browser, server.url, birthday);
  await mkdir(join(ROOT, 'docs/bilder'), { recursive: true });
  await drawReadmePicture(LANDING, join(ROOT, 'docs/bilder/feierbild.webp'));
} finally {
  await browser.close();
  await server.dispose();
}

async function fill(url: string, { code }: EventUnderTest): Promise<void> {
  const devices = new Map<string, string>();
  for (const { file, name, guest } of samples) {
    const device = devices.get(guest) ?? (await deviceOf(url));
    devices.set(guest, device);
    const stored = await upload({ url, code, device, deviceName: guest, name, file: await readFile(join(folder, file)) });
    if (!stored.ok) throw new Error(await stored.text());
  }
}

async function guestPictures(on: Browser, url: string, { code }: EventUnderTest): Promise<void> {
  const page = await open(on, url, PHONE);
  await page.goto(`/event/${code}`);
  await page.getByLabel('Dein Name').fill('Sofia');
  await page
    .locator('input[type=file]')
    .setInputFiles(
      named('ringe', 'rosen', 'anstossen', 'torte', 'luftballons', 'erster-tanz', 'kerzen', 'konfetti', 'wunderkerze').filter(Boolean),
    );
  await page.getByRole('button', { name: 'Hochladen (9)' }).waitFor();
  await page.getByRole('checkbox').check();
  await page.locator('ul img').nth(8).waitFor();
  await settled(page);
  await save(page, join(LANDING, 'hochladen'), 780);
  await save(page, join(DOCS, 'gast-hochladen'));
  await page.context().close();
}

async function hostPictures(on: Browser, url: string, { code, host }: EventUnderTest): Promise<void> {
  const page = await open(on, url, DESKTOP);
  await page.goto('/login');
  await page.getByLabel('Benutzername').fill(host.username);
  await page.getByLabel('Passwort').fill(host.password);
  await page.getByRole('button', { name: 'Anmelden' }).click();
  await page.waitForURL(`**/manage/${code}`);
  await page
    .getByRole('link', { name: /Fotos ansehen$/ })
    .locator('img')
    .last()
    .waitFor();
  await settled(page);
  await save(page, join(DOCS, 'gastgeber-uebersicht'));
  await page.getByRole('button', { name: 'Teilen' }).click();
  await page.getByRole('dialog').getByText('Link kopieren').waitFor();
  await withoutAddress(page);
  await save(page.getByRole('dialog'), join(DOCS, 'gastgeber-teilen'));
  await page.goto(`/manage/${code}/karten`);
  await page.getByRole('button', { name: 'Drucken' }).waitFor();
  await settled(page);
  await withoutAddress(page);
  await save(page, join(DOCS, 'gastgeber-tischkarten'));
  await cardPicture(page);
  await page.goto(`/gallery/${code}`);
  await page.getByRole('img').last().waitFor();
  await settled(page);
  await save(page, join(LANDING, 'galerie'), 1440);
  await save(page, join(DOCS, 'gastgeber-galerie'));
  await page.goto(`/slideshow/${code}`);
  await page.getByRole('img', { name: /^Foto \d/ }).waitFor();
  await page.mouse.move(DESKTOP.width / 2, DESKTOP.height / 2);
  await page.getByRole('button', { name: 'QR-Code ausblenden' }).waitFor();
  await settled(page);
  await save(page, join(DOCS, 'gastgeber-slideshow'));
  // The shape of a projector's picture.
  await page.setViewportSize(WALL);
  // Two portraits may share a slide, so the number of steps is unknown.
  const wanted = page.getByRole('img', { name: `Foto ${WALL_PHOTO} von` });
  for (let n = 0; n < WALL_PHOTO && !(await wanted.isVisible()); n++) {
    await page.keyboard.press('ArrowRight');
    await wanted.waitFor({ timeout: 700 }).catch(() => undefined);
  }
  await wanted.waitFor();
  await page.locator('main[data-active=false]').waitFor();
  await settled(page);
  await save(page, join(LANDING, 'leinwand'), 1440);
  await page.context().close();
}

/** Takes a table card alone, three times as sharp as on the screen. */
async function cardPicture(host: Page): Promise<void> {
  const context = host.context();
  const sharper = await (context.browser() as Browser).newContext({
    viewport: DESKTOP,
    deviceScaleFactor: 3,
    locale: 'de-DE',
    storageState: await context.storageState(),
  });
  const page = await sharper.newPage();
  await page.goto(host.url());
  await page.getByText('Zweig').click();
  const card = page.locator('[data-card]').first();
  await card.waitFor();
  await settled(page);
  await withoutAddress(page);
  // The cutting marks are not part of the card.
  await page.locator('svg[class*=marks]').evaluate((marks) => marks.remove());
  await save(card, join(LANDING, 'karte'), 840);
  await sharper.close();
}

async function adminPictures(on: Browser, url: string, slip: EventUnderTest): Promise<void> {
  const page = await open(on, url, DESKTOP);
  await logInAsAdmin(page);
  await page.waitForURL('**/admin');
  await page.getByRole('button', { name: 'Später' }).click();
  await page.getByRole('heading', { name: /^Willkommen/ }).waitFor({ state: 'detached' });
  await page.getByText('Sommerfest Kegelverein').first().waitFor();
  await settled(page);
  await save(page, join(DOCS, 'verwaltung-liste'));
  await page.getByText('Opa Heinz wird 80').first().click();
  await page.getByRole('button', { name: 'Passwort zurücksetzen' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill(slip.code);
  await page.getByRole('dialog').getByRole('button', { name: 'Passwort zurücksetzen' }).click();
  await page.getByText('nur dieses eine Mal').waitFor();
  await withoutAddress(page);
  await save(page.getByRole('dialog'), join(DOCS, 'verwaltung-zettel'));
  await page.context().close();
}

async function open(on: Browser, baseURL: string, viewport: typeof PHONE): Promise<Page> {
  const context = await on.newContext({
    baseURL,
    viewport,
    deviceScaleFactor: viewport === PHONE ? 2 : 1,
    locale: 'de-DE',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  });
  return context.newPage();
}

/** Waits until pictures are decoded, fonts loaded and animations finished. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager';
    await document.fonts.ready;
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
  });
}

/** Replaces the address of this run, which means nothing to readers. */
async function withoutAddress(page: Page): Promise<void> {
  await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = (node.nodeValue ?? '')
        .replaceAll(window.location.origin, 'https://fotos.example')
        .replaceAll(window.location.host, 'fotos.example');
      if (text !== node.nodeValue) node.nodeValue = text;
    }
  });
}

/** Saves a picture as WebP; with `pixels` also as AVIF, both in that width and in half of it, as the landing page requests them. */
async function save(page: Page | Locator, path: string, pixels?: number): Promise<void> {
  const png = await page.screenshot();
  const picture = (width: number | null) => sharp(png).resize(width);
  if (pixels === undefined) {
    await picture(null).webp({ quality: 80 }).toFile(`${path}.webp`);
    return;
  }
  for (const [suffix, width] of [
    ['', pixels],
    ['-klein', pixels / 2],
  ] as const) {
    await picture(width).avif({ quality: 55, effort: 6 }).toFile(`${path}${suffix}.avif`);
    await picture(width).webp({ quality: 78 }).toFile(`${path}${suffix}.webp`);
  }
}
