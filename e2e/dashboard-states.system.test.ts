import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { describe, expect, it } from 'vitest';
import { damage } from '../server/src/testing/bad-disk.ts';
import { violationsOf } from './support/accessible.ts';
import { createEvent, dayFromToday, deviceOf, hostOf, upload, type Client, type EventUnderTest } from './support/api.ts';
import { DESKTOP, openPage, PHONE } from './support/browser.ts';
import { useAdmin } from './support/use-server.ts';
import { openAsHost, takeOver } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import type { TestServer } from './support/server.ts';

describe("the states of a host's dashboard", () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;

  useAdmin((started) => ({ server, browser, admin } = started));

  /** Opens a page in which the event's host is logged in. */
  const hostPage = (event: EventUnderTest, viewport = DESKTOP) => openAsHost(browser, server.url, event, viewport);

  it('gives a program access to the photos, shows its token this once, and ends it', async () => {
    const event = await createEvent(admin);
    const { page, context, errors } = await hostPage(event, PHONE);
    await page.goto(`/manage/${event.code}`);
    await page.getByText('Für Programme').click();
    await page.getByText('liest alle Fotos dieses Events und sonst nichts').waitFor();
    await page.getByRole('button', { name: 'Zugang anlegen' }).click();
    const shown = page.getByLabel('Token', { exact: true });
    const token = await shown.innerText();
    await page.getByText('Noch nicht benutzt.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
    const read = async () =>
      (await fetch(`${server.url}/api/events/${event.code}/photos`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await read()).toBe(200);
    await page.reload();
    await page.getByText('Für Programme').click();
    await page.getByRole('button', { name: 'Neuer Zugang' }).waitFor();
    expect(await shown.count()).toBe(0);
    expect(await read()).toBe(200);
    await page.getByRole('button', { name: 'Beenden' }).click();
    await page.getByRole('button', { name: 'Zugang anlegen' }).waitFor();
    expect(await read()).toBe(401);
    expect(errors).toEqual([]);
    await context.close();
  });

  it('warns as the storage fills up, with what it means for guests and whom to call', async () => {
    const event = await createEvent(admin, { storage_limit: 5 });
    const device = await deviceOf(server.url);
    await upload({ url: server.url, code: event.code, device, file: await drawPhoto(1, 640, 480) });
    const host = await hostOf(server.url, event);
    const { storage_stats: stats, ...read } = await host.json<{
      storage_stats: { total_size: number };
      start_date: string;
      end_date: string;
    }>('GET', `/api/events/${event.code}`);
    const { page, context } = await hostPage(event);
    const fill = async (share: number): Promise<void> => {
      const form = { title: event.title, start_date: read.start_date, end_date: read.end_date };
      await admin.json('PUT', `/admin/events/${event.id}`, { ...form, storage_limit: stats.total_size / share / 1e9 });
      await page.goto(`/manage/${event.code}`);
      await page.getByRole('heading', { name: event.title }).waitFor();
    };

    await fill(0.79);
    expect(await page.getByText('Mehr Speicher').count()).toBe(0);
    await fill(0.855);
    await page.getByText('Der Speicher ist zu 85 % belegt. Ihre Gäste können weiter Fotos hochladen, bis er voll ist.').waitFor();
    expect(await page.getByRole('link', { name: '030 23125 042' }).getAttribute('href')).toMatch(/^tel:\+49/);
    expect(await violationsOf(page)).toEqual([]);
    await fill(0.965);
    await page.getByText('Ist er voll, können Ihre Gäste keine Fotos mehr hochladen.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await fill(1.2);
    await page.getByRole('alert').getByText('Neue Fotos Ihrer Gäste werden abgelehnt.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await context.close();
  });

  it.each([
    ['a short title', 'Hochzeit Anna & Jörg'],
    ['a title of 320 characters', 'Sommerfest der Freiwilligen Feuerwehr '.repeat(9).slice(0, 320).replace(/ $/, '!')],
    ['a title of one endless word', 'W'.repeat(320)],
  ])('prints four table cards on one sheet of A4 with %s', async (_, title) => {
    const event = await createEvent(admin, { title, with_upload_password: true, user_upload_password: 'Größe 100%' });
    const { page, context, errors } = await hostPage(event);
    await page.goto(`/manage/${event.code}`);
    await page.getByRole('button', { name: 'Teilen' }).click();
    await page.getByRole('link', { name: 'Tischkarten drucken' }).click();
    await page.getByRole('heading', { name: 'Tischkarten' }).waitFor();
    await page.getByRole('heading', { name: title }).waitFor();
    const text = page.locator('[data-card]').filter({ hasText: `Code ${event.code.slice(0, 4)} ${event.code.slice(4)}` });
    expect(await text.count()).toBe(4);
    expect(await text.first().textContent()).toContain('Passwort Größe 100%');
    await page.getByRole('switch', { name: 'mit Passwort' }).click();
    expect(await page.getByText('Größe 100%').count()).toBe(0);
    expect(await text.first().textContent()).toContain('Das Passwort verrät der Gastgeber.');
    await page.getByRole('switch', { name: 'mit Passwort' }).click();
    expect(await violationsOf(page)).toEqual([]);

    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button', { name: 'Drucken' }).isVisible()).toBe(false);
    expect(await page.getByRole('contentinfo').isVisible()).toBe(false);
    // No part leaves its card, and the QR code is large enough to be scanned from a chair.
    const cards = await page.locator('[data-card]').evaluateAll((all) =>
      all.map((card) => {
        const outer = card.getBoundingClientRect();
        const inside = [...card.querySelectorAll('h2, svg, p')].every((part) => {
          const { left, right, top, bottom } = part.getBoundingClientRect();
          return left >= outer.left && right <= outer.right && top >= outer.top && bottom <= outer.bottom - 20;
        });
        const qr = card.querySelector('svg[role="img"]')?.getBoundingClientRect();
        const mm = 96 / 25.4;
        return {
          inside,
          size: [Math.round(outer.width / mm), Math.round(outer.height / mm)],
          legible: Math.min(qr?.width ?? 0, qr?.height ?? 0) / mm >= 30,
        };
      }),
    );
    expect(cards).toEqual(Array.from({ length: 4 }, () => ({ inside: true, size: [105, 148], legible: true })));
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(pdf.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(1);
    const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? [];
    expect([Math.round(Number(width)), Math.round(Number(height))]).toEqual([595, 842]);
    expect(errors).toEqual([]);
    await context.close();
  });

  it('says in the ZIP’s box that an original is damaged, and has all others downloaded', async () => {
    const event = await createEvent(admin);
    const device = await deviceOf(server.url);
    const ids: string[] = [];
    for (const seed of [1, 2, 3]) {
      const response = await upload({ url: server.url, code: event.code, device, file: await drawPhoto(seed) });
      ids.push(((await response.json()) as { photo: { id: string } }).photo.id);
    }
    const [first = '', second = ''] = ids.map((id) => join(server.dataDir, 'photos/events', event.id, `${id}.original`));
    damage(first);
    const { page, context, errors } = await hostPage(event);
    await page.goto(`/manage/${event.code}`);
    await page.getByRole('button', { name: 'ZIP erstellen' }).click();
    await page.getByText('Ein Original ist auf dem Server beschädigt und fehlt im ZIP. „Beschädigte Fotos.txt“ darin nennt es.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Herunterladen' }).click()]);
    expect(await download.failure()).toBeNull();
    expect(await readFile(await download.path(), 'utf8')).toContain('/Beschädigte Fotos.txt');
    // Changed bytes show only while they are read.
    const changed = await readFile(second);
    changed[changed.length >> 1]! ^= 1;
    await writeFile(second, changed);
    const host = await hostOf(server.url, event);
    await expect((await host.request(`/api/events/${event.code}/download`)).arrayBuffer()).rejects.toThrow();
    await page.reload();
    await page.getByText('2 Originale sind auf dem Server beschädigt. Das nächste ZIP hat alle anderen und nennt sie.').waitFor();
    await page.getByRole('button', { name: 'ZIP erstellen' }).click();
    await page.getByText('2 Originale sind auf dem Server beschädigt und fehlen im ZIP.').waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it('urges in the last week, until the host has the whole ZIP', async () => {
    const event = await createEvent(admin, { start_date: dayFromToday(-26), end_date: dayFromToday(-26) });
    const device = await deviceOf(server.url);
    await upload({ url: server.url, code: event.code, device, file: await drawPhoto(1) });
    const { page, context } = await hostPage(event);
    await page.goto(`/manage/${event.code}`);
    const urgent = page.getByText('Noch 4 Tage: Bitte laden Sie Ihre Fotos jetzt herunter.');
    await urgent.waitFor();
    await page.getByText('noch 4 Tage', { exact: true }).waitFor();
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await page.setViewportSize(DESKTOP);
    expect(await violationsOf(page)).toEqual([]);

    const host = await hostOf(server.url, event);
    await host.json('POST', `/api/events/${event.code}/create-zip`);
    await expect
      .poll(async () => (await host.json<{ status: string }>('GET', `/api/events/${event.code}/zip-progress`)).status)
      .toBe('complete');
    // A request for the first bytes does not count as a download.
    await (await host.request(`/api/events/${event.code}/download`, { headers: { range: 'bytes=0-9' } })).arrayBuffer();
    await page.reload();
    await urgent.waitFor();
    await (await host.request(`/api/events/${event.code}/download`)).arrayBuffer();
    await expect
      .poll(async () => (await host.json<{ zip_downloaded_at: string | null }>('GET', `/api/events/${event.code}`)).zip_downloaded_at)
      .not.toBeNull();
    await page.reload();
    await page.getByText('Verfügbar').waitFor();
    expect(await urgent.count()).toBe(0);
    // The downloaded ZIP lacks later photos.
    await upload({ url: server.url, code: event.code, device, file: await drawPhoto(2) });
    await page.reload();
    await urgent.waitFor();
    await page.getByText('Im heruntergeladenen ZIP fehlen Fotos, die seitdem kamen oder beschädigt sind.').waitFor();
    await context.close();
  });

  it("leads the host past the guests' password to the upload", async () => {
    const event = await createEvent(admin, { with_upload_password: true, user_upload_password: 'Größe 100%' });
    const { page, context } = await hostPage(event);
    await page.goto(`/manage/${event.code}`);
    await page.getByRole('link', { name: 'Hochladen' }).click();
    await page.getByLabel('Dein Name').waitFor();
    await context.close();
  });

  it('says why guests cannot upload, and what helps', async () => {
    const { page, context } = await hostPage(await createEvent(admin));
    for (const [form, text] of [
      [{ with_user_upload: false }, 'Uploads durch Gäste sind ausgeschaltet. Einschalten lassen können Sie sie unter 030 23125 042.'],
      [{ start_date: '2035-06-01', end_date: '2035-06-02' }, 'Gäste können ab dem 30. Mai 2035 beitreten und Fotos hochladen.'],
    ] as const) {
      const event = await createEvent(admin, form);
      await takeOver(context, await hostOf(server.url, event), server.url);
      await page.goto(`/manage/${event.code}`);
      await page.getByRole('main').getByText(text).waitFor();
    }
    await page.goto('/manage/abc');
    await page.getByRole('heading', { name: 'Ungültiger Event-Code' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Zu Ihrem Event' }).click();
    await page.waitForURL(/\/manage\/[A-Z0-9]{8}$/);
    await context.close();
  });

  it('shows the cards to the host only', async () => {
    const [event, other] = [await createEvent(admin), await createEvent(admin)];
    const stranger = await openPage(browser, server.url);
    await stranger.page.goto(`/manage/${event.code}/karten`);
    await stranger.page.waitForURL('**/login?redirect=*');
    await stranger.context.close();
    const { page, context } = await hostPage(other);
    await page.goto(`/manage/${event.code}/karten`);
    await page.waitForURL(`**/manage/${other.code}`);
    await context.close();
  });

  it('shows the sheet as a whole on a phone', async () => {
    const event = await createEvent(admin);
    const { page, context } = await hostPage(event, PHONE);
    await page.goto(`/manage/${event.code}/karten`);
    await page.getByRole('heading', { name: 'Tischkarten' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    await context.close();
  });
});
