import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page, Route } from 'playwright';
import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { adminOf, createEvent, deviceOf, hostOf, upload, type Client, type EventUnderTest } from './support/api.ts';
import { DESKTOP, expectLogged, openPage, PHONE } from './support/browser.ts';
import { useHouse } from './support/house.ts';
import { drawPhoto } from './support/photos.ts';
import { insertPhotos } from './support/rows.ts';
import type { TestServer } from './support/server.ts';

/** Far below what the page waits before it looks by itself, ms. */
const SOON = 8000;

interface Listed {
  id: string;
  filename: string;
  slideshow: boolean;
}

describe("the host's gallery", () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;
  let pictures: Buffer[];
  let event: EventUnderTest;
  let host: Client;
  /** The device of the guest of this name. */
  let anna: string;
  let context: BrowserContext;
  let page: Page;

  useHouse(async (house) => {
    ({ server, browser } = house);
    admin = await adminOf(server.url);
    // The camera's times run against the order of the uploads.
    pictures = await Promise.all(
      Array.from({ length: 6 }, async (_, n) =>
        sharp(await drawPhoto(n, 320, 240))
          .withExif({ IFD2: { DateTimeOriginal: `2026:05:1${9 - n} 12:00:00` } })
          .jpeg()
          .toBuffer(),
      ),
    );
  });

  beforeEach(async () => {
    event = await createEvent(admin);
    host = await hostOf(server.url, event);
    const bea = await deviceOf(server.url);
    anna = await deviceOf(server.url);
    for (const [n, file] of pictures.entries()) {
      const [device, deviceName] = n < 4 ? [anna, 'Anna'] : [bea, 'Bärbel'];
      const answer = await upload({ url: server.url, code: event.code, device, deviceName, file, name: `foto-${n}.jpg` });
      expect(answer.status).toBe(201);
    }
    return () => context.close();
  });

  async function openGallery(viewport = DESKTOP): Promise<void> {
    ({ page, context } = await openPage(browser, server.url, viewport));
    await page.goto(`/login?username=${event.host.username}&password=${event.host.password}`);
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.waitForURL(`**/manage/${event.code}`);
    await page.goto(`/gallery/${event.code}`);
    // A phone's window has not all of them in the document.
    await expect.poll(() => thumbnails().count()).toBeGreaterThan(3);
  }

  /** A page in which the event's host is logged in. */
  async function openAs(party: EventUnderTest): Promise<void> {
    ({ page, context } = await openPage(browser, server.url, DESKTOP));
    const { cookies } = await hostOf(server.url, party);
    await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: server.url })));
  }

  const thumbnails = () => page.locator('main img[src*="/thumbnail"]');
  const cards = () => page.getByRole('checkbox', { name: /^Foto von/ });
  const bar = () => page.getByRole('region', { name: 'Auswahl' });
  const listed = async (): Promise<Listed[]> =>
    (await host.json<{ photos: Listed[] }>('GET', `/api/events/${event.code}/photos?per_page=100`)).photos;
  const names = (photos: Listed[]): string[] => photos.map(({ filename }) => filename).toSorted();

  /** The files in the order in which the page shows them. */
  async function order(): Promise<string[]> {
    const files = new Map((await listed()).map(({ id, filename }) => [id, filename]));
    const sources = await thumbnails().evaluateAll((all) => all.map((img) => (img as HTMLImageElement).src));
    return sources.map((src) => files.get([...files.keys()].find((id) => src.includes(id)) ?? '') ?? src);
  }

  it('names the event, and on a phone brings the first photo within 260 px and the bar for a selection into one row of 72 px', async () => {
    await openGallery(PHONE);
    await page.getByRole('heading', { name: 'Hochzeit Anna & Jörg', level: 1 }).waitFor();
    const photo = page.locator('[data-photo]').first();
    expect((await photo.boundingBox())?.y).toBeLessThanOrEqual(260);
    expect((await page.getByRole('region', { name: 'ZIP-Download' }).boundingBox())?.height).toBe(56);
    await page.getByRole('button', { name: 'Auswählen', exact: true }).tap();
    await photo.tap();
    expect((await bar().boundingBox())?.height).toBe(72);
    await page.getByRole('button', { name: 'Auswahl aufheben' }).tap();
    await page.getByRole('link', { name: 'Übersicht' }).tap();
    await page.waitForURL(`**/manage/${event.code}`);
  });

  it('an empty gallery shows at once what guests need', async () => {
    const party = await createEvent(admin);
    await openAs(party);
    await page.goto(`/gallery/${party.code}`);
    await page.getByText(party.code, { exact: true }).waitFor();
    await page.getByRole('img', { name: 'QR-Code zum Event' }).waitFor();
    await page.setViewportSize({ width: 2560, height: 1440 });
    const rem = await page.evaluate(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
    expect((await page.locator('main').boundingBox())?.width).toBe(110 * rem);
  });

  it('selects with the mark and with Shift, and takes the selection out of the slideshow and back', async () => {
    await openGallery();
    await page
      .getByRole('checkbox', { name: /^Auswählen: Foto von/ })
      .nth(1)
      .click();
    await bar().getByText('1 Foto ausgewählt').waitFor();
    // The card has taken over the focus of its mark.
    expect(
      await cards()
        .nth(1)
        .evaluate((card) => card === document.activeElement),
    ).toBe(true);
    await cards()
      .nth(3)
      .click({ modifiers: ['Shift'] });
    await bar().getByText('3 Fotos ausgewählt').waitFor();
    await cards().nth(2).click();
    await bar().getByText('2 Fotos ausgewählt').waitFor();
    await bar().getByRole('button', { name: 'Aus der Slideshow' }).click();
    await bar().getByText('2 Fotos sind nicht mehr in der Slideshow.').waitFor();
    expect(names((await listed()).filter(({ slideshow }) => !slideshow))).toEqual(['foto-1.jpg', 'foto-3.jpg']);
    await cards().first().click();
    await cards()
      .last()
      .click({ modifiers: ['Shift'] });
    await bar().getByRole('button', { name: 'In die Slideshow' }).click();
    await bar().getByText('6 Fotos sind in der Slideshow.').waitFor();
    expect((await listed()).every(({ slideshow }) => slideshow)).toBe(true);
  });

  it('selects with the keyboard, and Escape leaves', async () => {
    await openGallery();
    const start = page.getByRole('button', { name: 'Auswählen', exact: true });
    await start.press('Enter');
    expect(await start.getAttribute('aria-pressed')).toBe('true');
    await bar().getByText('Kein Foto ausgewählt').waitFor();
    expect(await bar().getByRole('button', { name: 'Löschen' }).isDisabled()).toBe(true);
    await cards().first().press('Space');
    await cards().nth(2).press('Shift+Enter');
    await bar().getByText('3 Fotos ausgewählt').waitFor();
    await page.keyboard.press('Escape');
    await bar().waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.querySelector('img') !== null)).toBe(true);
    await start.click();
    await bar().getByRole('button', { name: 'Auswahl aufheben' }).click();
    expect(await start.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(await start.getAttribute('aria-pressed')).toBe('false');
  });

  it('deletes the selection on a phone; what fails stays selected and is told', async () => {
    await openGallery(PHONE);
    await page.getByRole('button', { name: 'Auswählen', exact: true }).tap();
    for (const n of [0, 1, 2]) await cards().nth(n).tap();
    await bar().getByRole('button', { name: 'Löschen' }).tap();
    await page.getByRole('heading', { name: '3 Fotos löschen?' }).waitFor();
    // Escape closes the question, not the mode.
    await page.keyboard.press('Escape');
    await bar().getByText('3 Fotos ausgewählt').waitFor();
    const [first] = await listed();
    expectLogged(page.context(), /Keine Verbindung/);
    await page.route(`**/api/photos/${first?.id}`, (route) => route.abort());
    await bar().getByRole('button', { name: 'Löschen' }).tap();
    await page.getByRole('button', { name: 'Endgültig löschen' }).tap();
    await page.getByRole('alert').getByText('Bei einem Foto ging es nicht, es bleibt ausgewählt.').waitFor();
    await bar().getByText('1 Foto ausgewählt').waitFor();
    await bar().getByText('2 Fotos sind gelöscht.').waitFor();
    expect(names(await listed())).toEqual(['foto-0.jpg', 'foto-3.jpg', 'foto-4.jpg', 'foto-5.jpg']);
    await page.unrouteAll();
    await bar().getByRole('button', { name: 'Löschen' }).tap();
    await page.getByRole('heading', { name: 'Foto löschen?' }).waitFor();
    await page.getByRole('button', { name: 'Endgültig löschen' }).tap();
    await bar().getByText('1 Foto ist gelöscht.').waitFor();
    expect(names(await listed())).toEqual(['foto-3.jpg', 'foto-4.jpg', 'foto-5.jpg']);
    const sizes = await bar()
      .getByRole('button')
      .evaluateAll((all) => all.map((button) => button.getBoundingClientRect().height));
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(44);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });

  it('deletes a single photo in full screen and goes on to its neighbour in the order shown', async () => {
    await openGallery();
    await page.getByLabel('Sortierung').selectOption('Zuletzt hochgeladen');
    await expect.poll(async () => (await order())[0]).toBe('foto-5.jpg');
    const byName = new Map((await listed()).map(({ id, filename }) => [filename, id]));
    await page
      .getByRole('button', { name: /^Foto von/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Löschen' }).click();
    await page.getByRole('heading', { name: 'Foto löschen?' }).waitFor();
    await page.getByRole('button', { name: 'Endgültig löschen' }).click();
    await page.waitForURL(`**?foto=${byName.get('foto-4.jpg')}`);
    await expect.poll(async () => names(await listed())).not.toContain('foto-5.jpg');
  });

  it('downloads exactly the chosen photos, byte for byte, as one ZIP', async () => {
    await openGallery();
    for (const n of [1, 4]) {
      await page
        .getByRole('checkbox', { name: /^(Auswählen: )?Foto von/ })
        .nth(n)
        .click();
    }
    await bar().getByText('2 Fotos ausgewählt').waitFor();
    const button = bar().getByRole('button', { name: 'Auswahl als ZIP' });
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    expect(download.suggestedFilename()).toBe('Hochzeit Anna & Jörg – Auswahl.zip');
    const script =
      'import sys,zipfile,json,hashlib; z=zipfile.ZipFile(sys.argv[1]); print(json.dumps({n.split("/")[-1]: hashlib.sha256(z.read(n)).hexdigest() for n in z.namelist()}))';
    const { stdout, stderr } = spawnSync('python3', ['-c', script, await download.path()], { encoding: 'utf8' });
    expect(stderr).toBe('');
    const hash = (n: number): string =>
      createHash('sha256')
        .update(pictures[n] as Buffer)
        .digest('hex');
    expect(JSON.parse(stdout)).toEqual({ 'Anna – foto-1.jpg': hash(1), 'Bärbel – foto-4.jpg': hash(4) });
    expect(await host.json('GET', `/api/events/${event.code}/zip-progress`)).toMatchObject({ status: 'idle' });
    // Where it is refused, the button is simply there again.
    expectLogged(page.context(), /photo_not_found|^.{0,20}: x/);
    await page.route('**/selections', (route) => route.fulfill({ status: 404, json: { error: 'x', code: 'photo_not_found' } }));
    await button.click();
    await expect.poll(() => button.isEnabled()).toBe(true);
    await bar().getByText('2 Fotos ausgewählt').waitFor();
  });

  it('follows what another tab or a guest deletes or takes out of the slideshow, without a reload and without a jump', async () => {
    await openGallery({ width: 390, height: 700 });
    const [, second, third, fourth] = (await listed()) as [Listed, Listed, Listed, Listed];
    const image = (photo: Listed) => page.locator(`main img[src*="${photo.id}"]`);
    await image(fourth).evaluate((img) => img.scrollIntoView({ block: 'start' }));
    await image(fourth).waitFor();
    const topOf = () => image(fourth).evaluate((img) => img.getBoundingClientRect().top);
    const before = await topOf();
    await host.json('DELETE', `/api/photos/${second.id}`, undefined, 204);
    await host.json('PUT', `/api/photos/${fourth.id}/slideshow`, { value: false }, 200);
    await page.getByText('5 Fotos').first().waitFor({ timeout: SOON });
    await page.locator('main button[title="Nicht in der Slideshow"]').first().waitFor({ timeout: SOON, state: 'attached' });
    await image(fourth).waitFor();
    expect(Math.abs((await topOf()) - before)).toBeLessThanOrEqual(1);
    // A guest deletes own photos on the guest's page.
    const gone = await fetch(`${server.url}/api/photos/${third.id}`, {
      method: 'DELETE',
      headers: { 'device-id': anna, 'sec-fetch-site': 'same-origin' },
    });
    expect(gone.status).toBe(204);
    await page.getByText('4 Fotos').first().waitFor({ timeout: SOON });
    expect(Math.abs((await topOf()) - before)).toBeLessThanOrEqual(1);
  });

  it('reads again what is here when nobody says what changed', async () => {
    await openGallery();
    const [first, second] = (await listed()) as [Listed, Listed];
    let news = '';
    await page.route('**/live', (route) => route.fulfill({ contentType: 'text/event-stream', body: `retry: 200\n\n${news}` }));
    await page.reload();
    await page.getByText('6 Fotos').first().waitFor();
    await host.json('DELETE', `/api/photos/${first.id}`, undefined, 204);
    await host.json('PUT', `/api/photos/${second.id}/slideshow`, { value: false }, 200);
    news = 'event: photos\ndata: null\n\n';
    await page.getByText('5 Fotos').first().waitFor({ timeout: SOON });
    await page.locator('main button[title="Nicht in der Slideshow"]').waitFor({ timeout: SOON, state: 'attached' });
    expect(await page.locator(`main img[src*="${first.id}"]`).count()).toBe(0);
  });

  it('loads on by itself where a page failed', async () => {
    const many = await createEvent(admin);
    insertPhotos(join(server.dataDir, 'feierbild.sqlite'), many.id, 100);
    await openAs(many);
    const loaded: string[] = [];
    page.on('response', (answer) => {
      const { pathname, searchParams } = new URL(answer.url());
      if (pathname.endsWith('/photos') && answer.ok()) loaded.push(searchParams.get('after') ?? '');
    });
    await page.route('**/photos?after=30&*', (route) => route.fulfill({ status: 502, body: '' }), { times: 2 });
    await page.goto(`/gallery/${many.code}`);
    await page.getByText('100 Fotos').first().waitFor();
    await expect.poll(() => loaded).toEqual(['0', '30', '60']);
  });

  it.each([
    ['an empty gallery', 0, 'Noch keine Fotos', '1 Foto'],
    ['a gallery', 6, '6 Fotos', '7 Fotos'],
  ])('%s stays as it is when the look for new photos fails, and shows them when it does not', async (_, photos, before, after) => {
    const party = photos > 0 ? event : await createEvent(admin);
    await openAs(party);
    await page.route('**/live', (route) => route.abort());
    await page.clock.install();
    await page.goto(`/gallery/${party.code}`);
    await page.getByText(before).first().waitFor();
    let failed = 0;
    await page.route('**/photos?*', (route) => {
      failed += 1;
      return route.abort();
    });
    await page.clock.runFor(16_000);
    await expect.poll(() => failed).toBeGreaterThan(0);
    await page.getByText(before).first().waitFor();
    const file = pictures[0] as Buffer;
    expect((await upload({ url: server.url, code: party.code, device: await deviceOf(server.url), file })).status).toBe(201);
    expect(await page.getByRole('heading', { name: 'Fehler' }).count()).toBe(0);
    await page.unroute('**/photos?*');
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await page.getByText(after, { exact: true }).first().waitFor({ timeout: SOON });
  });

  it('opens the photo of its address, however far behind it is, and drops the address of one that is not there', async () => {
    const many = await createEvent(admin);
    insertPhotos(join(server.dataDir, 'feierbild.sqlite'), many.id, 350);
    await openAs(many);
    const { photos } = await (
      await hostOf(server.url, many)
    ).json<{ photos: Listed[] }>('GET', `/api/events/${many.code}/photos?per_page=100&page=3`);
    const far = photos[50]?.id ?? '';
    await page.goto(`/gallery/${many.code}?foto=${far}`);
    await page.locator(`img[src*="${far}/preview"]`).waitFor();
    await page.getByRole('button', { name: 'Schließen' }).click();
    await page.waitForURL((url) => url.search === '');
    await page.goto(`/gallery/${many.code}?foto=gibt-es-nicht`);
    await page.waitForURL((url) => url.search === '');
    await page.getByText('350 Fotos').first().waitFor();
  });

  it('offers no ZIP that is no more, begins a new one at 0 %, and claims nothing before the photos are here', async () => {
    await host.json('POST', `/api/events/${event.code}/create-zip`);
    await expect
      .poll(async () => (await host.json<{ status: string }>('GET', `/api/events/${event.code}/zip-progress`)).status)
      .toBe('complete');
    await openAs(event);
    const box = page.getByRole('region', { name: 'ZIP-Download' });
    let answer = (): void => undefined;
    let held = new Promise<void>((resolve) => (answer = resolve));
    const hold = async (route: Route): Promise<void> => {
      await held;
      await route.continue();
    };
    await page.route('**/photos?*', hold);
    await page.route('**/zip-progress', (route) => route.abort());
    await page.goto(`/gallery/${event.code}`);
    await box.getByText('Originale in voller Qualität').waitFor();
    expect(await box.getByRole('button', { name: 'ZIP erstellen' }).isDisabled()).toBe(true);
    await page.unroute('**/zip-progress');
    answer();
    await page.getByText('6 Fotos').first().waitFor();
    await page.unroute('**/photos?*');
    await page.reload();
    await page.getByText('6 Fotos').first().waitFor();

    held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/regenerate-zip', hold);
    await box.getByRole('button', { name: 'Neu generieren' }).click();
    await box.getByText('Wird erstellt: 0 %').waitFor();
    answer();
    await box.getByRole('link', { name: 'Herunterladen' }).waitFor();
    await host.json('DELETE', `/api/photos/${(await listed())[0]?.id}`, undefined, 204);
    await box.getByRole('button', { name: 'ZIP erstellen' }).waitFor({ timeout: SOON });
    expect(await box.getByRole('link', { name: 'Herunterladen' }).count()).toBe(0);
  });

  it('leads to the login and back where a ZIP is asked for after the session has ended', async () => {
    await host.json('POST', `/api/events/${event.code}/create-zip`);
    await openAs(event);
    // What is still being asked for when the session ends would lead to the login before the link does.
    const settled = [/\/live$/, /\/photos\?/].map((path) => page.waitForResponse((response) => path.test(response.url())));
    await page.goto(`/gallery/${event.code}`);
    await Promise.all(settled);
    const link = page.getByRole('region', { name: 'ZIP-Download' }).getByRole('link', { name: 'Herunterladen' });
    await link.waitFor();
    await context.clearCookies();
    await link.click();
    await page.waitForURL(`**/login?redirect=${encodeURIComponent(`/gallery/${event.code}`)}`);
    // An address that is opened by itself, from the browser's list of downloads, say.
    await page.goto(`/api/events/${event.code}/download`);
    await page.waitForURL(`**/login?redirect=${encodeURIComponent(`/gallery/${event.code}`)}`);
    await page.getByLabel('Benutzername').fill(event.host.username);
    await page.getByLabel('Passwort').fill(event.host.password);
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.waitForURL(`**/gallery/${event.code}`);
  });

  it('says nothing of slideshow marks that failed: the photos stay selected', async () => {
    await openGallery();
    expectLogged(page.context(), /Keine Verbindung/);
    await page.route('**/api/photos/*/slideshow', (route) => route.abort());
    for (const n of [0, 1]) {
      await page
        .getByRole('checkbox', { name: /^(Auswählen: )?Foto von/ })
        .nth(n)
        .click();
    }
    const hide = bar().getByRole('button', { name: 'Aus der Slideshow' });
    let failed = 0;
    page.on('requestfailed', () => (failed += 1));
    await hide.click();
    await expect.poll(() => failed).toBeGreaterThanOrEqual(2);
    await expect.poll(() => hide.isEnabled()).toBe(true);
    await bar().getByText('2 Fotos ausgewählt').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect((await listed()).every(({ slideshow }) => slideshow)).toBe(true);
  });

  it('filters by guest and sorts; a selection holds nothing that is out of sight', async () => {
    await openGallery();
    const uploaded = [0, 1, 2, 3, 4, 5].map((n) => `foto-${n}.jpg`);
    expect(await order()).toEqual(uploaded);
    await page.getByLabel('Sortierung').selectOption('Zuletzt hochgeladen');
    await expect.poll(order).toEqual(uploaded.toReversed());
    await page.getByLabel('Sortierung').selectOption('Aufnahmezeit');
    await page.getByRole('heading', { name: /14\. Mai 2026/ }).waitFor();
    expect(await order()).toEqual(uploaded.toReversed());
    await page.getByLabel('Sortierung').selectOption('Zuerst hochgeladen');
    expect(await page.getByLabel('Gast').getByRole('option').allTextContents()).toEqual(['Alle Gäste (6)', 'Anna (4)', 'Bärbel (2)']);
    await page.getByRole('button', { name: 'Auswählen', exact: true }).click();
    await cards().nth(3).click();
    await cards()
      .nth(4)
      .click({ modifiers: ['Shift'] });
    await page.getByLabel('Gast').selectOption('Bärbel (2)');
    await bar().getByText('1 Foto ausgewählt').waitFor();
    expect(await order()).toEqual(['foto-4.jpg', 'foto-5.jpg']);
    await page.getByLabel('Gast').selectOption('Alle Gäste (6)');
    await expect.poll(() => thumbnails().count()).toBe(6);
    await bar().getByText('1 Foto ausgewählt').waitFor();
  });
});
