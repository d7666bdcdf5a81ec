import type { Browser, Locator } from 'playwright';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createEvent, dayFromToday, hostOf, type Client, type EventUnderTest } from './support/api.ts';
import { openPage, PHONE } from './support/browser.ts';
import { useServer } from './support/use-server.ts';
import { gatesOf, sendPhotos, smallPhotos } from './support/guests.ts';
import { STOP, UPLOADS } from './support/queue.ts';
import type { TestServer } from './support/server.ts';

describe("what a guest's page meets", () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;
  let open: EventUnderTest;
  let locked: EventUnderTest;

  useServer(async (started) => {
    ({ server, browser } = started);
    ({ admin, open, locked } = await gatesOf(server.url));
  });

  it('cleans the code while typing and counts it; the button waits for eight characters', async () => {
    const { page, context } = await openPage(browser, server.url);
    await page.goto('/join');
    await page.getByText('0/8').waitFor();
    const field = page.getByPlaceholder('8-stelligen Code eingeben');
    const button = page.getByRole('button', { name: 'Event öffnen' });
    await field.fill(' ab-c1 2ä3 ');
    // The page's script cleans the input when it comes, also if it was typed before.
    await page.getByText('6/8').waitFor();
    expect(await field.inputValue()).toBe('ABC123');
    expect(await button.isDisabled()).toBe(true);
    await field.fill('abcdefgh99');
    expect(await field.inputValue()).toBe('ABCDEFGH');
    await button.click();
    await page.getByText('Ungültiger oder abgelaufener Event-Code').waitFor();
    await context.close();
  });

  it('takes a photo for deleted that is gone already', async () => {
    const event = await createEvent(admin);
    const { page, context } = await openPage(browser, server.url);
    await page.goto(`/event/${event.code}`);
    await page.locator('input[type=file]').setInputFiles(await smallPhotos(1, 970));
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Hochladen (1)' }).click();
    await page.getByRole('button', { name: 'IMG_0.jpg, ansehen' }).click();
    const host = await hostOf(server.url, event);
    const listed = await host.json<{ photos: { id: string }[] }>('GET', `/api/events/${event.code}/photos`);
    await host.json('DELETE', `/api/photos/${listed.photos[0]?.id}`, undefined, 204);
    await page.getByRole('button', { name: 'Löschen' }).click();
    await page.getByRole('button', { name: 'Endgültig löschen' }).click();
    await page.getByRole('button', { name: 'IMG_0.jpg, ansehen' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('alert').count()).toBe(0);
    await context.close();
  });

  it('says in a browser without cookies that the line broke an own photo’s download', async () => {
    const event = await createEvent(admin);
    const { page, context } = await openPage(browser, server.url);
    await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'cookieEnabled', { value: false }));
    await page.goto(`/event/${event.code}`);
    await sendPhotos(page, await smallPhotos(1, 960));
    await page.getByRole('button', { name: 'IMG_0.jpg, ansehen' }).click();
    await page.route('**/download', (route) => route.abort());
    await page.getByRole('button', { name: 'Herunterladen' }).click();
    await page.getByText('Keine Verbindung. Bitte das Netz prüfen und es erneut versuchen.').waitFor();
    await context.close();
  });

  it('deletes a photo for good although the cookie of this device is gone', async () => {
    const event = await createEvent(admin);
    const { page, context } = await openPage(browser, server.url);
    await page.goto(`/event/${event.code}`);
    await page.locator('input[type=file]').setInputFiles(await smallPhotos(1, 980));
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Hochladen (1)' }).click();
    await page.getByRole('button', { name: 'IMG_0.jpg, ansehen' }).click();
    await context.clearCookies();
    await page.getByRole('button', { name: 'Löschen' }).click();
    await page.getByRole('button', { name: 'Endgültig löschen' }).click();
    await page.getByRole('button', { name: 'IMG_0.jpg, ansehen' }).waitFor({ state: 'detached' });
    const host = await hostOf(server.url, event);
    expect((await host.json<{ total_photos: number }>('GET', `/api/events/${event.code}/stats`)).total_photos).toBe(0);
    await context.close();
  });

  it('opens by itself when a first visit began without network', async () => {
    const { page, context } = await openPage(browser, server.url);
    const lost = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/device_id'));
    await page.route('**/device_id', (route) => route.abort('connectionfailed'));
    await page.goto(`/event/${open.code}`);
    await lost;
    await page.getByLabel('Dein Name').waitFor();
    await page.locator('input[type=file]').setInputFiles(await smallPhotos(1, 990));
    await page.getByRole('checkbox').check();
    const send = page.getByRole('button', { name: 'Hochladen (1)' });
    expect(await send.isDisabled()).toBe(true);
    expect(await page.getByRole('heading', { name: 'Gerätefehler' }).count()).toBe(0);
    await page.unroute('**/device_id');
    await expect.poll(() => send.isEnabled()).toBe(true);
    await context.close();
  });

  it('takes nothing of one event to another', async () => {
    const other = await createEvent(admin, { title: 'Sommerfest' });
    const { page, context } = await openPage(browser, server.url);
    await page.goto('/join');
    await page.getByPlaceholder('8-stelligen Code eingeben').fill(open.code);
    await page.getByRole('button', { name: 'Event öffnen' }).click();
    await page.locator('input[type=file]').setInputFiles(await smallPhotos(2, 800));
    await page.getByRole('button', { name: 'Hochladen (2)' }).waitFor();
    // The browser's history changes the address like this between two events of one visit.
    await page.evaluate((path) => history.pushState(null, '', path), `/event/${other.code}`);
    await page.getByRole('heading', { name: 'Sommerfest' }).waitFor();
    await page.getByRole('button', { name: 'Bereit' }).waitFor();
    expect(await page.getByRole('button', { name: /^IMG_/ }).count()).toBe(0);
    await context.close();
  });

  it('keeps the focus on the button that was pressed, through the run and to its end', async () => {
    const { page, context } = await openPage(browser, server.url);
    await page.goto(`/event/${open.code}`);
    await page.locator('input[type=file]').setInputFiles(await smallPhotos(2, 820));
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Hochladen (2)' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: '✓ Hochgeladen' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('✓ Hochgeladen');
    await context.close();
  });

  it('passes the focus on where the tile or the button that had it goes', async () => {
    const { page, context } = await openPage(browser, server.url);
    await page.goto(`/event/${open.code}`);
    await page.locator('input[type=file]').setInputFiles(await smallPhotos(3, 825));
    const tiles = page.getByRole('list', { name: 'Ausgewählte Dateien' }).getByRole('button');
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.getAttribute('type'));
    const names = await tiles.evaluateAll((all) => all.map((tile) => tile.getAttribute('aria-label')));
    await tiles.nth(1).focus();
    await page.keyboard.press('Enter');
    expect(await focused()).toBe(names[2]);
    // A press right after another one removes nothing, because it may have been meant for the tile before.
    await expect.poll(async () => (await page.keyboard.press('Enter'), focused())).toBe(names[0]);
    await page.route(UPLOADS, (route) => route.abort('connectionfailed'));
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Hochladen (1)' }).click();
    await page.getByText('Wartet auf Netz').waitFor();
    await page.getByRole('button', { name: STOP }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('file');
    await tiles.first().focus();
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('file');
    await context.close();
  });

  it('draws the pictures of the selection where workers cannot', async () => {
    const { page, context } = await openPage(browser, server.url);
    await page.addInitScript(() => Reflect.deleteProperty(window, 'OffscreenCanvas'));
    await page.route(/thumbnail\.worker/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: `Reflect.deleteProperty(self, 'OffscreenCanvas');\n${await response.text()}` });
    });
    await page.goto(`/event/${open.code}`);
    await page.locator('input[type=file]').setInputFiles(await smallPhotos(3, 840));
    await page.getByRole('list', { name: 'Ausgewählte Dateien' }).locator('img').nth(2).waitFor();
    await context.close();
  });

  it('draws what is transparent on white, so that a dark drawing can be seen', async () => {
    const { page, context } = await openPage(browser, server.url);
    await page.goto(`/event/${open.code}`);
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><circle cx="200" cy="200" r="100"/></svg>';
    const drawing = { name: 'drawing.png', mimeType: 'image/png', buffer: await sharp(Buffer.from(svg)).png().toBuffer() };
    await page.locator('input[type=file]').setInputFiles(drawing);
    const corner = await page
      .getByRole('list', { name: 'Ausgewählte Dateien' })
      .locator('img')
      .evaluate(async (picture: HTMLImageElement) => {
        await picture.decode();
        const context = document.createElement('canvas').getContext('2d')!;
        context.drawImage(picture, 0, 0);
        return [...context.getImageData(2, 2, 1, 1).data];
      });
    for (const part of corner) expect(part).toBeGreaterThan(250);
    // The server's pictures of the drawing are still transparent.
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Hochladen (1)' }).click();
    await page.getByRole('button', { name: 'drawing.png, ansehen' }).click();
    const behind = (picture: Locator) => picture.evaluate((element) => getComputedStyle(element).backgroundColor);
    expect(await behind(page.getByRole('button', { name: 'drawing.png, ansehen', includeHidden: true }).locator('img'))).toBe(
      'rgb(255, 255, 255)',
    );
    expect(await behind(page.getByRole('dialog').locator('img'))).toBe('rgb(255, 255, 255)');
    await context.close();
  });

  it('says in the browser of another app how to open the real one, and in the real one nothing', async () => {
    const { page, context } = await openPage(browser, server.url, {
      ...PHONE,
      userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Instagram 334.0.4.32.98',
    });
    await page.goto(`/event/${open.code}`);
    await page.getByText('Diese Seite ist im Browser von Instagram offen.').waitFor();
    await context.close();
    const real = await openPage(browser, server.url);
    await real.page.goto(`/event/${open.code}`);
    await real.page.getByLabel('Dein Name').waitFor();
    expect(await real.page.getByText('Diese Seite ist im Browser').count()).toBe(0);
    await real.context.close();
  });

  it('sends no empty password, and shows the one typed', async () => {
    const { page, context } = await openPage(browser, server.url);
    await page.goto(`/securejoin?code=${locked.code}`);
    const asked = page.waitForRequest((request) => request.resourceType() === 'fetch' && request.url().endsWith(`/event/${locked.code}`));
    await page.getByRole('button', { name: 'Event öffnen' }).click();
    expect((await asked).headers()['event-password']).toBeUndefined();
    await page.getByText('Bitte das Event-Passwort eingeben.').waitFor();
    const field = page.getByLabel('Event Passwort');
    expect(await field.getAttribute('type')).toBe('password');
    await page.getByRole('button', { name: 'Passwort zeigen' }).click();
    expect(await field.getAttribute('type')).toBe('text');
    await context.close();
  });

  it('leaves most of the window to the page on a phone held sideways and at 400 % zoom', async () => {
    const { page, context } = await openPage(browser, server.url);
    await page.goto(`/event/${open.code}`);
    const bar = page.getByRole('region', { name: 'Hochladen' });
    for (const [width, height] of [
      [844, 390],
      [720, 450],
      [360, 225],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => window.scrollTo(0, 0));
      const { y } = (await bar.boundingBox()) ?? { y: 0 };
      expect(y).toBeGreaterThan(height * 0.75);
      if (height < 300) continue;
      // The first step, choosing files, is in sight above the bar.
      const picker = (await page.getByText('Dateien auswählen').boundingBox()) ?? { y: height, height: 0 };
      expect(picker.y + Math.min(picker.height, 44)).toBeLessThanOrEqual(Math.min(y, height));
    }
    await context.close();
  });

  it('has one device id in all tabs, also when two are opened at once on the first visit', async () => {
    const { page, context } = await openPage(browser, server.url);
    const other = await context.newPage();
    const issued: string[] = [];
    const seen = { pages: 0, both: Promise.withResolvers<void>() };
    await context.route('**/device_id', async (route) => {
      // Neither tab gets a cookie before both have begun.
      await seen.both.promise;
      const answer = await route.fetch();
      issued.push(((await answer.json()) as { device_id: string }).device_id);
      await route.fulfill({ response: answer });
    });
    context.on('request', (request) => {
      if (request.resourceType() === 'fetch' && request.url().endsWith(`/event/${open.code}/max`) && ++seen.pages === 2)
        seen.both.resolve();
    });
    await Promise.all([page, other].map((tab) => tab.goto(`/event/${open.code}`)));
    await Promise.all([page, other].map((tab) => tab.getByRole('heading', { name: open.title }).waitFor()));
    await expect.poll(() => issued.length).toBe(2);
    expect(new Set(issued).size).toBe(1);
    await context.close();
  });

  it('takes a password of any 64 characters', async () => {
    const password = '🎉'.repeat(64);
    const event = await createEvent(admin, { with_upload_password: true, user_upload_password: password });
    const { page, context } = await openPage(browser, server.url);
    await page.goto(`/securejoin?code=${event.code}`);
    await page.getByLabel('Event Passwort').pressSequentially(password);
    await page.getByRole('button', { name: 'Event öffnen' }).click();
    await page.getByRole('heading', { name: event.title }).waitFor();
    await context.close();
  });

  it('leaves guests their own photos, and „Foto melden“, where uploads are switched off', async () => {
    const event = await createEvent(admin);
    const { page, context } = await openPage(browser, server.url);
    await page.goto(`/event/${event.code}`);
    await page.locator('input[type=file]').setInputFiles(await smallPhotos(2, 950));
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Hochladen (2)' }).click();
    await page.getByRole('button', { name: '✓ Hochgeladen' }).waitFor();
    const today = dayFromToday(0);
    await admin.json('PUT', `/admin/events/${event.id}`, {
      title: event.title,
      start_date: today,
      end_date: today,
      with_user_upload: false,
    });
    // The list's first request fails, and the page repeats it.
    await page.route('**/my-photos', (route) => route.abort('connectionfailed'), { times: 1 });
    await page.reload();
    await page.getByRole('heading', { name: event.title }).waitFor();
    await page.getByText('Für dieses Event sind Uploads ausgeschaltet.').waitFor();
    await page.getByRole('link', { name: 'Anderes Event öffnen' }).waitFor();
    expect(await page.locator('input[type=file]').count()).toBe(0);
    await page.getByRole('button', { name: 'IMG_0.jpg, ansehen' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Herunterladen' }).click();
    expect((await saved).suggestedFilename()).toBe('IMG_0.jpg');
    await page.getByRole('button', { name: 'Löschen' }).click();
    await page.getByRole('button', { name: 'Endgültig löschen' }).click();
    await page.getByRole('button', { name: 'IMG_0.jpg, ansehen' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'IMG_1.jpg, ansehen' }).waitFor();
    await page.getByRole('button', { name: 'Foto melden' }).click();
    // The dialog keeps its text when it is closed, which can happen by mistake.
    await page.getByLabel('Welches Foto?').fill('Das am Buffet');
    await page.getByRole('button', { name: 'Schließen' }).click();
    await page.getByRole('button', { name: 'Foto melden' }).click();
    expect(await page.getByLabel('Welches Foto?').inputValue()).toBe('Das am Buffet');
    await page.getByRole('button', { name: 'Schließen' }).click();
    await admin.json('PUT', `/admin/events/${event.id}`, { title: event.title, start_date: today, end_date: today });
    await page.getByText('Dateien auswählen').waitFor();
    await context.close();
  });

  it.each([
    ['an unknown event', 'AAAAAAAA', 'Ungültiger oder abgelaufener Event-Code'],
    ['no code', '', 'Kein Event-Code angegeben'],
  ])('says what is wrong with %s', async (_, code, text) => {
    const { page, context } = await openPage(browser, server.url);
    await page.goto(`/event/${code}`);
    await page.getByRole('heading', { name: text }).waitFor();
    await context.close();
  });

  it('says where the device id cannot be had, tries again by itself, and never takes a form away that is there', async () => {
    const { page, context } = await openPage(browser, server.url);
    let asked = 0;
    await page.route('**/device_id', (route) => {
      asked++;
      return route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' });
    });
    await page.goto('/join');
    await page.getByPlaceholder('8-stelligen Code eingeben').fill(open.code);
    await page.getByRole('button', { name: 'Event öffnen' }).click();
    await page.getByRole('heading', { name: 'Gerätefehler' }).waitFor();
    await page.goto(`/event/${open.code}`);
    await page.locator('input[type=file]').setInputFiles(await smallPhotos(2, 995));
    const before = asked;
    await expect.poll(() => asked).toBeGreaterThan(before);
    await page.getByRole('button', { name: 'Hochladen (2)' }).waitFor();
    await page.getByRole('checkbox').check();
    await page.unroute('**/device_id');
    await page.getByRole('button', { name: 'Hochladen (2)' }).click();
    await page.getByRole('button', { name: '✓ Hochgeladen' }).waitFor();
    await context.close();
  });
});
