import { spawnSync } from 'node:child_process';
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterEach, describe, expect, it } from 'vitest';
import { createEvent, hostOf, type Client, type EventUnderTest } from './support/api.ts';
import { DESKTOP, expectLogged, PHONE } from './support/browser.ts';
import {
  barOf,
  beforeEachGallery,
  cardsOf,
  listPhotos,
  namesOf,
  openGallery,
  thumbnailsOf,
  uploadByTwo,
  type Listed,
} from './support/gallery.ts';
import type { TestServer } from './support/server.ts';
import { sha256 } from './support/sha256.ts';

describe("a selection in the host's gallery", () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;
  let pictures: Buffer[];
  let event: EventUnderTest;
  let host: Client;
  let context: BrowserContext;
  let page: Page;

  beforeEachGallery((opened) => ({ server, browser, admin, pictures, event, host } = opened));
  afterEach(() => context.close());

  async function open(viewport = DESKTOP): Promise<void> {
    ({ page, context } = await openGallery(browser, server, event, viewport));
  }
  const thumbnails = () => thumbnailsOf(page);
  const cards = () => cardsOf(page);
  const bar = () => barOf(page);
  const listed = (): Promise<Listed[]> => listPhotos(host, event);

  /** Returns the files' names in the order in which the page shows them. */
  async function order(): Promise<string[]> {
    const files = new Map((await listed()).map(({ id, filename }) => [id, filename]));
    const sources = await thumbnails().evaluateAll((all) => all.map((img) => (img as HTMLImageElement).src));
    return sources.map((src) => files.get([...files.keys()].find((id) => src.includes(id)) ?? '') ?? src);
  }

  it('selects with the mark and with Shift, and takes the selection out of the slideshow and back', async () => {
    await open();
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
    expect(namesOf((await listed()).filter(({ slideshow }) => !slideshow))).toEqual(['foto-1.jpg', 'foto-3.jpg']);
    await cards().first().click();
    await cards()
      .last()
      .click({ modifiers: ['Shift'] });
    await bar().getByRole('button', { name: 'In die Slideshow' }).click();
    await bar().getByText('6 Fotos sind in der Slideshow.').waitFor();
    expect((await listed()).every(({ slideshow }) => slideshow)).toBe(true);
  });

  it('decides about photos that wait for their release, which would be shown by themselves later', async () => {
    event = await createEvent(admin);
    host = await hostOf(server.url, event);
    await host.json('PUT', `/api/events/${event.code}/release`, { value: true, minutes: 5 });
    await uploadByTwo(server, event, pictures);
    const waiting = async () => (await listed()).filter((photo) => photo.waiting).map(({ filename }) => filename);
    expect(await waiting()).toHaveLength(6);
    await open();
    await page.getByRole('button', { name: 'Auswählen', exact: true }).click();
    await cards().first().click();
    await cards()
      .nth(2)
      .click({ modifiers: ['Shift'] });
    await bar().getByRole('button', { name: 'Aus der Slideshow' }).click();
    await bar().getByText('3 Fotos sind nicht mehr in der Slideshow.').waitFor();
    expect((await waiting()).toSorted()).toEqual(['foto-3.jpg', 'foto-4.jpg', 'foto-5.jpg']);
    expect((await listed()).some(({ slideshow }) => slideshow)).toBe(false);
  });

  it('selects with the keyboard, and Escape leaves', async () => {
    await open();
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

  it('deletes the selection on a phone; what fails stays selected and is reported', async () => {
    await open(PHONE);
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
    expect(namesOf(await listed())).toEqual(['foto-0.jpg', 'foto-3.jpg', 'foto-4.jpg', 'foto-5.jpg']);
    await page.unrouteAll();
    await bar().getByRole('button', { name: 'Löschen' }).tap();
    await page.getByRole('heading', { name: 'Foto löschen?' }).waitFor();
    await page.getByRole('button', { name: 'Endgültig löschen' }).tap();
    await bar().getByText('1 Foto ist gelöscht.').waitFor();
    expect(namesOf(await listed())).toEqual(['foto-3.jpg', 'foto-4.jpg', 'foto-5.jpg']);
    const sizes = await bar()
      .getByRole('button')
      .evaluateAll((all) => all.map((button) => button.getBoundingClientRect().height));
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(44);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });

  it('deletes a single photo in full screen and goes on to its neighbour in the order shown', async () => {
    await open();
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
    await expect.poll(async () => namesOf(await listed())).not.toContain('foto-5.jpg');
  });

  it('goes on to the next photo, or the one before, where the one in full screen is deleted elsewhere', async () => {
    await open();
    const ids = (await listed()).map(({ id }) => id);
    await page
      .getByRole('button', { name: /^Foto von/ })
      .nth(ids.length - 2)
      .click();
    await page.waitForURL(/[?&]foto=/);
    const gone = new URL(page.url()).searchParams.get('foto') as string;
    await host.json('DELETE', `/api/photos/${gone}`);
    const last = ids[ids.indexOf(gone) + 1] as string;
    await page.waitForURL(`**?foto=${last}`);
    await host.json('DELETE', `/api/photos/${last}`);
    await page.waitForURL(`**?foto=${ids[ids.indexOf(gone) - 1]}`);
    await page.getByRole('button', { name: 'Löschen' }).waitFor();
  });

  it('downloads exactly the chosen photos, byte for byte, as one ZIP', async () => {
    await open();
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
    const hash = (n: number): string => sha256(pictures[n] as Buffer);
    expect(JSON.parse(stdout)).toEqual({ 'Anna – foto-1.jpg': hash(1), 'Bärbel – foto-4.jpg': hash(4) });
    expect(await host.json('GET', `/api/events/${event.code}/zip-progress`)).toMatchObject({ status: 'idle' });
    // If the ZIP is refused, the button is enabled again.
    expectLogged(page.context(), /photo_not_found|^.{0,20}: x/);
    await page.route('**/selections', (route) => route.fulfill({ status: 404, json: { error: 'x', code: 'photo_not_found' } }));
    await button.click();
    await expect.poll(() => button.isEnabled()).toBe(true);
    await bar().getByText('2 Fotos ausgewählt').waitFor();
  });

  it('waits for the ZIP of chosen photos for minutes: many previews of a far store take that long', async () => {
    await open();
    await page.clock.install();
    await page.reload();
    await page
      .getByRole('checkbox', { name: /^Auswählen: Foto von/ })
      .first()
      .click();
    const [asked, made] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/selections', async (route) => {
      asked.resolve();
      await made.promise;
      await route.continue();
    });
    const downloads = page.waitForEvent('download');
    await bar().getByRole('button', { name: 'Auswahl als ZIP' }).click();
    await asked.promise;
    await page.clock.fastForward(4 * 60_000);
    made.resolve();
    expect((await downloads).suggestedFilename()).toContain('Auswahl');
  });

  it('says nothing of slideshow marks that failed: the photos stay selected', async () => {
    await open();
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
    await open();
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
