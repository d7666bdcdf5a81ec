import type { Browser } from 'playwright';
import { describe, expect, it } from 'vitest';
import { violationsOf } from './support/accessible.ts';
import { createEvent, deviceOf, hostOf, upload, type Client, type EventUnderTest } from './support/api.ts';
import { DESKTOP } from './support/browser.ts';
import { addShareSheet, refuseShareSheet, sharedBy } from './support/share-sheet.ts';
import { useAdmin } from './support/use-server.ts';
import { openAsHost, takeOver } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import type { TestServer } from './support/server.ts';

describe("a host's dashboard", () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;

  useAdmin((started) => ({ server, browser, admin } = started));

  /** Opens a page in which the event's host is logged in. */
  const hostPage = (event: EventUnderTest, viewport = DESKTOP) => openAsHost(browser, server.url, event, viewport);

  it("offers the device's share sheet where there is one", async () => {
    const event = await createEvent(admin);
    const { page, context } = await hostPage(event);
    await page.goto(`/manage/${event.code}`);
    await page.getByRole('button', { name: 'Teilen' }).click();
    await page.getByRole('button', { name: 'Link kopieren' }).waitFor();
    expect(await page.getByRole('button', { name: 'Verschicken …' }).count()).toBe(0);

    await addShareSheet(context);
    await page.reload();
    await page.getByRole('button', { name: 'Teilen' }).click();
    // The host's own text goes with the link, in each way to send it.
    await page.getByLabel('Text dazu').fill('Her mit den Bildern!');
    await page.getByRole('button', { name: 'Verschicken …' }).click();
    const url = `${server.url}/event/${event.code}`;
    expect(await sharedBy(page)).toEqual([{ title: event.title, text: 'Her mit den Bildern!', url }]);
    const message = encodeURIComponent(`Her mit den Bildern!\n${url}`);
    expect(await page.getByRole('link', { name: 'WhatsApp' }).getAttribute('href')).toBe(`https://wa.me/?text=${message}`);
    expect(await page.getByRole('link', { name: /Mail$/ }).getAttribute('href')).toContain(message);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'QR-Code sichern' }).click();
    expect((await saved).suggestedFilename()).toMatch(/^QR-Code .*\.png$/);
    expect(await violationsOf(page)).toEqual([]);
    await context.close();
  });

  it('says in German how else to share where the share sheet does not open, and where the code cannot be saved', async () => {
    const event = await createEvent(admin);
    const { page, context } = await hostPage(event);
    await refuseShareSheet(context);
    // Some browsers refuse to read what is drawn, against tracking.
    await page.addInitScript(() => Object.assign(HTMLCanvasElement.prototype, { getContext: () => null }));
    await page.goto(`/manage/${event.code}`);
    await page.getByRole('button', { name: 'Teilen' }).click();
    const said = page.getByRole('dialog').getByRole('alert');
    await page.getByRole('button', { name: 'Verschicken …' }).click();
    await expect.poll(() => said.allTextContents()).toEqual(['Bitte teilen Sie den Link durch Kopieren']);
    await page.getByRole('button', { name: 'QR-Code sichern' }).click();
    await expect
      .poll(() => said.allTextContents())
      .toEqual(['Ihr Browser kann den QR-Code nicht als Bild sichern. Bitte machen Sie ein Bildschirmfoto davon.']);
    expect(await violationsOf(page)).toEqual([]);
    await context.close();
  });

  it('keeps the text to the link for its event, and suggests one of its own for another event on the same device', async () => {
    const [one, other] = [await createEvent(admin, { title: 'Hochzeit Ines' }), await createEvent(admin, { title: 'Polterabend Uwe' })];
    const { page, context } = await hostPage(one);
    const text = page.getByLabel('Text dazu');
    const open = async (event: EventUnderTest): Promise<string> => {
      await page.goto(`/manage/${event.code}`);
      await page.getByRole('button', { name: 'Teilen' }).click();
      return text.inputValue();
    };
    const written = `Liebe Gäste! ${await open(one)}`;
    await text.fill(written);
    expect(await open(one)).toBe(written);
    await takeOver(context, await hostOf(server.url, other), server.url);
    expect(await open(other)).toMatch(/^Hier landen unsere Fotos von „Polterabend Uwe“/);
    await context.close();
  });

  it('shows the newest photos as the way to the gallery, as they come, and makes the ZIP', async () => {
    const event = await createEvent(admin);
    const device = await deviceOf(server.url);
    const send = async (n: number): Promise<void> => {
      const stored = await upload({ url: server.url, code: event.code, device, file: await drawPhoto(n) });
      expect(stored.status).toBe(201);
    };
    const { page, context, errors } = await hostPage(event);
    await page.goto(`/manage/${event.code}`);
    await page.getByRole('heading', { name: 'Gäste einladen' }).waitFor();
    expect(await page.getByRole('region', { name: 'ZIP-Download' }).count()).toBe(0);
    await send(1);
    await page.getByRole('link', { name: 'Das erste Foto ansehen' }).waitFor();
    await send(2);
    const strip = page.getByRole('link', { name: 'Alle 2 Fotos ansehen' });
    await strip.waitFor();
    const drawn = () => strip.locator('img').evaluateAll((all) => (all as HTMLImageElement[]).filter((one) => one.naturalWidth > 0).length);
    await expect.poll(drawn).toBe(2);
    expect(await violationsOf(page)).toEqual([]);
    const zip = page.getByRole('region', { name: 'ZIP-Download' });
    await zip.getByRole('button', { name: 'ZIP erstellen' }).click();
    await zip.getByRole('link', { name: 'Herunterladen' }).waitFor();
    await strip.click();
    await page.waitForURL(`**/gallery/${event.code}`);
    expect(errors).toEqual([]);
    await context.close();
  });
});
