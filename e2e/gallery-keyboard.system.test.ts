import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEvent, deviceOf, hostOf, upload, type Client, type EventUnderTest } from './support/api.ts';
import { DESKTOP, openPage } from './support/browser.ts';
import { takeOver } from './support/login.ts';
import { useAdmin } from './support/use-server.ts';
import { drawPhoto } from './support/photos.ts';
import { insertPhotos } from './support/rows.ts';
import type { TestServer } from './support/server.ts';

/** Most presses of Tab from the top of the page to the first photo, past links and buttons of head, ZIP and filter. */
const TO_THE_PHOTOS = 9;

describe("the host's gallery without a mouse", () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;
  /** An event with twelve photos, which no test changes. */
  let twelve: EventUnderTest;

  useAdmin(async (started) => {
    ({ server, browser, admin } = started);
    twelve = await createEvent(admin);
    await uploadPhotos(twelve, 12);
  });

  /** Opens the host's gallery in a new window, so that a test that timed out cannot disturb another one. */
  async function open(event: EventUnderTest) {
    const host = await hostOf(server.url, event);
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    onTestFinished(() => context.close());
    await takeOver(context, host, server.url);
    await page.goto(`/gallery/${event.code}`);
    await page.locator('[data-photo]').first().waitFor();
    return { page, host, ids: await listed(host, event) };
  }

  async function uploadPhotos({ code }: EventUnderTest, count: number): Promise<void> {
    const device = await deviceOf(server.url);
    for (let seed = 0; seed < count; seed++) {
      const answer = await upload({ url: server.url, code, device, file: await drawPhoto(seed, 320, 240) });
      expect(answer.status).toBe(201);
    }
  }

  /** Returns the photos' ids in the order shown. */
  async function listed(host: Client, { code }: EventUnderTest): Promise<string[]> {
    const ids: string[] = [];
    for (let after = 0; ;) {
      const path = `/api/events/${code}/photos?after=${after}&per_page=100`;
      const { photos, next } = await host.json<{ photos: { id: string }[]; next: number }>('GET', path);
      ids.push(...photos.map(({ id }) => id));
      if (photos.length < 100) return ids;
      after = next;
    }
  }

  /** Makes a function that returns the id of the photo with the focus, or null. */
  const focusedOn = (page: Page) => () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.photo ?? null);
  const inBar = (page: Page) => page.evaluate(() => document.activeElement?.closest('[aria-label="Auswahl"]') !== null);
  const inView = (page: Page, id: string) =>
    page.locator(`[data-photo="${id}"]`).evaluate((card) => {
      const { top, bottom } = card.getBoundingClientRect();
      return top >= -1 && bottom <= window.innerHeight + 1;
    });
  const viewerOf = (page: Page) => page.getByRole('dialog', { name: 'Foto', exact: true }).or(page.locator('.yarl__portal'));

  it('200 photos are one tab stop, arrow keys go through them, and the bar for a selection comes before them', async () => {
    const event = await createEvent(admin);
    insertPhotos(join(server.dataDir, 'feierbild.sqlite'), event.id, 200);
    const { page, ids } = await open(event);
    const focused = focusedOn(page);
    let presses = 0;
    while ((await focused()) === null && presses < 30) {
      await page.keyboard.press('Tab');
      presses += 1;
    }
    expect(presses).toBeLessThanOrEqual(TO_THE_PHOTOS);
    expect(await focused()).toBe(ids[0]);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('[role=group]') ?? null)).toBe(null);
    await page.keyboard.press('Shift+Tab');
    await expect.poll(focused).toBe(ids[0]);

    for (let n = 1; n <= 7; n++) {
      await page.keyboard.press('ArrowRight');
      await expect.poll(focused).toBe(ids[n]);
    }
    await page.keyboard.press('ArrowLeft');
    await expect.poll(focused).toBe(ids[6]);
    const column = () => page.locator(':focus').evaluate((card) => card.getBoundingClientRect().left);
    const left = await column();
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).not.toBe(ids[6]);
    expect(await column()).toBe(left);
    await page.keyboard.press('ArrowUp');
    await expect.poll(focused).toBe(ids[6]);
    await page.keyboard.press('End');
    await expect.poll(focused).toBe(ids[199]);
    expect(await inView(page, ids[199] as string)).toBe(true);
    await page.keyboard.press('Home');
    await expect.poll(focused).toBe(ids[0]);

    await page.getByRole('button', { name: 'Auswählen', exact: true }).press('Enter');
    await page.locator(`[data-photo="${ids[0]}"]`).focus();
    await page.keyboard.press('Space');
    await page.getByText('1 Foto ausgewählt').waitFor();
    await page.keyboard.press('Shift+Tab');
    expect(await inBar(page)).toBe(true);
  });

  it('closing a photo leads back to the one seen last, in sight and with the focus, and so does taking back a question', async () => {
    const { page, ids } = await open(twelve);
    const focused = focusedOn(page);
    await page.setViewportSize({ width: 700, height: 500 });
    await page.locator(`[data-photo="${ids[0]}"]`).press('Enter');
    await page.getByRole('button', { name: 'Nächstes Foto' }).waitFor();
    for (let n = 1; n <= 9; n++) {
      await page.keyboard.press('ArrowRight');
      await page.waitForURL(`**?foto=${ids[n]}`);
    }
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe(ids[9]);
    expect(await inView(page, ids[9] as string)).toBe(true);

    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Löschen' }).press('Enter');
    await page.getByRole('heading', { name: 'Foto löschen?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Nächstes Foto' }).waitFor();
    await expect.poll(() => viewerOf(page).evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
    await page.goBack();
    await expect.poll(focused).toBe(ids[9]);
  });

  it('a deletion leaves the focus where it was: on the bar, and on the photo that moves up', async () => {
    const event = await createEvent(admin);
    await uploadPhotos(event, 4);
    const { page, host, ids } = await open(event);
    await page.getByRole('button', { name: 'Auswählen', exact: true }).press('Enter');
    await page.locator(`[data-photo="${ids[0]}"]`).press('Space');
    const remove = page.getByRole('region', { name: 'Auswahl' }).getByRole('button', { name: 'Löschen' });
    await remove.press('Enter');
    await page.keyboard.press('Escape');
    await expect.poll(() => remove.evaluate((button) => button === document.activeElement)).toBe(true);
    await remove.press('Enter');
    await page.getByRole('button', { name: 'Endgültig löschen' }).press('Enter');
    await page.getByText('1 Foto ist gelöscht.').waitFor();
    expect(await inBar(page)).toBe(true);
    await page.keyboard.press('Escape');

    await page.locator(`[data-photo="${ids[2]}"]`).focus();
    await host.json('DELETE', `/api/photos/${ids[2]}`, undefined, 204);
    await page.locator(`[data-photo="${ids[2]}"]`).waitFor({ state: 'detached' });
    await expect.poll(focusedOn(page)).toBe(ids[3]);
  });

  it.each([
    ['a phone held sideways', { width: 844, height: 390 }],
    ['a page at 400 %', { width: 320, height: 256 }],
  ])('the bar leaves most of the window to the photos on %s', async (_, viewport) => {
    const { page } = await open(twelve);
    await page.setViewportSize(viewport);
    await page.getByRole('button', { name: 'Auswählen', exact: true }).click();
    await page.locator('[data-photo]').first().click();
    const bar = page.getByRole('region', { name: 'Auswahl' });
    await bar.getByText('1 Foto ausgewählt').waitFor();
    expect(await bar.evaluate((one) => one.getBoundingClientRect().height / window.innerHeight)).toBeLessThan(0.25);
    for (const name of ['In die Slideshow', 'Aus der Slideshow', 'Auswahl als ZIP', 'Löschen', 'Auswahl aufheben']) {
      const box = await bar.getByRole('button', { name }).boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(viewport.width);
    }
  });
});
