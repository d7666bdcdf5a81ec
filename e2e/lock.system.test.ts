import type { Browser, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { violationsOf } from './support/accessible.ts';
import { createEvent, dayFromToday, deviceOf, upload, type Client, type EventUnderTest } from './support/api.ts';
import { DESKTOP, openPage, PHONE } from './support/browser.ts';
import { inItsTime } from './support/clock.ts';
import { useAdmin } from './support/use-server.ts';
import { drawPhoto } from './support/photos.ts';
import type { TestServer } from './support/server.ts';

describe("the projector's laptop", () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;
  let event: EventUnderTest;

  useAdmin(async (started) => {
    ({ server, browser, admin } = started);
    event = await createEvent(admin, { with_upload_password: true, user_upload_password: 'Blütenfest' });
    const device = await deviceOf(server.url);
    for (let seed = 0; seed < 6; seed++) {
      await upload({ url: server.url, code: event.code, device, file: await drawPhoto(seed, 320, 240), password: 'Blütenfest' });
    }
  });

  const logIn = async (page: Page) => {
    await page.getByLabel('Benutzername').fill(event.host.username);
    await page.getByLabel('Passwort').fill(event.host.password);
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.waitForURL(/\/manage\//);
  };
  const picture = (page: Page) => page.getByRole('img', { name: /^Foto \d von 6/ });
  /** Requests the paths with this browser's cookies and cache; returns the statuses. */
  const ask = (page: Page, paths: string[]) =>
    page.evaluate(
      (all) =>
        Promise.all(all.map(async (path) => (await fetch(path, { headers: { accept: 'application/json' }, cache: 'force-cache' })).status)),
      paths,
    );

  it('shows the slideshow and nothing else to any key, address or call, until the host logs in', async () => {
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await page.goto('/login');
    await logIn(page);
    await page.getByRole('link', { name: 'Galerie' }).click();
    await page.waitForURL(/gallery/);
    await page.getByText('6 Fotos').first().waitFor();
    const { photos } = (await (await context.request.get(`/api/events/${event.code}/photos`)).json()) as {
      photos: { id: string; original_url: string; preview_url: string }[];
    };
    const [first] = photos as [(typeof photos)[0]];
    // The answer is now in the browser's cache, as after looking at the photo.
    expect(await ask(page, [first.original_url])).toEqual([200]);
    const tab = await context.newPage();
    await tab.goto(`/gallery/${event.code}`);
    await tab.getByText('6 Fotos').first().waitFor();
    await page.bringToFront();
    await page.goto(`/manage/${event.code}`);
    await page.evaluate(() => localStorage.setItem('device_id', 'A'.repeat(22)));

    await page.getByRole('button', { name: 'Slideshow starten und sperren' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Sie werden auf diesem Gerät abgemeldet').waitFor();
    await dialog.getByRole('button', { name: 'Abbrechen' }).click();
    expect(await ask(page, [`/api/events/${event.code}`])).toEqual([200]);
    await page.getByRole('button', { name: 'Slideshow starten und sperren' }).click();
    await dialog.getByRole('button', { name: 'Abmelden und sperren' }).click();
    await page.waitForURL(/slideshow/);
    await picture(page).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('device_id'))).toBeNull();
    const cookies = async () => (await context.cookies()).map(({ name }) => name);
    expect(await cookies()).toEqual(['feierbild_projector']);

    const code = event.code;
    const forbidden = [
      `/api/events/${code}`,
      `/api/events/${code}/photos`,
      `/api/events/${code}/download`,
      '/admin/events',
      first.original_url,
    ];
    expect(await ask(page, forbidden)).toEqual([401, 401, 401, 401, 404]);
    expect(await ask(page, [`/api/events/${code}/slideshow`, first.preview_url])).toEqual([200, 200]);

    await page.keyboard.press('Escape');
    await picture(page).waitFor();
    // The browser may have kept the pages of its history; the other tab was open all the time.
    await page.goBack();
    await page.waitForURL(/login/);
    expect(await page.getByText('Blütenfest').count()).toBe(0);
    await tab.bringToFront();
    await tab.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await tab.waitForURL(/login/);
    await tab.close();
    for (const path of [`/manage/${code}`, '/manage', `/gallery/${code}`, `/manage/${code}/karten`, '/slideshow/ABCDEFGH', '/admin']) {
      await page.goto(path);
      await page.waitForURL(/login/);
    }
    await page.goto(`/slideshow/${code}`);
    await picture(page).waitFor();
    expect(await violationsOf(page)).toEqual([]);

    await page.getByRole('button', { name: 'Sperre aufheben' }).click();
    await page.waitForURL(/login/);
    await page.goBack();
    await picture(page).waitFor();
    await page.getByRole('button', { name: 'Sperre aufheben' }).click();
    await logIn(page);
    expect(await cookies()).toEqual(['feierbild_host', 'feierbild_known_host']);
    await context.close();
  });

  it('is led to the login when the password is reset while the slideshow runs', async () => {
    const { page, context } = await openPage(browser, server.url, PHONE);
    await page.clock.install();
    await page.goto('/login');
    await logIn(page);
    await page.getByRole('button', { name: 'Slideshow starten und sperren' }).click();
    const dialog = page.getByRole('dialog');
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Abmelden und sperren' }).click();
    await picture(page).waitFor();
    const reset = await admin.json<{ new_password: string }>('PUT', `/admin/events/${event.id}/user/password`);
    event.host.password = reset.new_password;
    await page.clock.fastForward(121_000);
    await page.waitForURL(/login/);
    await context.close();
  });

  it('says so when the slideshow is switched off while it runs, and goes on when it is on again', async () => {
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await page.clock.install();
    await page.goto('/login');
    await logIn(page);
    await page.goto(`/slideshow/${event.code}`);
    await picture(page).waitFor();
    const today = dayFromToday(0);
    const form = { title: event.title, start_date: today, end_date: today };
    await admin.json('PUT', `/admin/events/${event.id}`, { ...form, with_slideshow: false });
    await inItsTime(page, () => page.getByRole('heading', { name: 'Hoppla!' }).isVisible());
    await page.getByText('Für dieses Event ist die Slideshow ausgeschaltet.').waitFor();
    await admin.json('PUT', `/admin/events/${event.id}`, { ...form, with_slideshow: true });
    await inItsTime(page, () => picture(page).isVisible());
    await context.close();
  });
});
