import type { Browser, Locator, Page, Route } from 'playwright';
import { describe, expect, it } from 'vitest';
import { adminOf, createClient, createEvent, deviceOf, NEXT_YEAR, upload, type Client, type EventUnderTest } from './support/api.ts';
import { DESKTOP, openPage, PHONE } from './support/browser.ts';
import { standStill } from './support/clock.ts';
import { smallPhotos } from './support/guests.ts';
import { takeOver } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import type { TestServer } from './support/server.ts';
import { useServer } from './support/use-server.ts';

describe('a press decides about nothing that nobody has seen', () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;

  useServer(async (started) => {
    ({ server, browser } = started);
    admin = await adminOf(server.url);
  });

  async function openAsAdmin(path: string) {
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await takeOver(context, admin, server.url);
    await page.goto(path);
    return { page, context };
  }

  /** Presses twice at the same place; the second press waits until the first has changed the page. */
  async function pressTwice(page: Page, target: Locator, changed: () => Promise<void>): Promise<void> {
    await target.scrollIntoViewIfNeeded();
    const box = await target.boundingBox();
    if (!box) throw new Error('not on the screen');
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await changed();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
  }

  /** Holds the next request until `letGo` is called. */
  async function hold(page: Page, calls: string): Promise<{ asked: Promise<void>; letGo(): void }> {
    const [asked, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const wait = async (route: Route): Promise<void> => {
      asked.resolve();
      await gone.promise;
      await route.continue();
    };
    await page.route(calls, wait, { times: 1 });
    return { asked: asked.promise, letGo: gone.resolve };
  }

  it('settles one report, though the next one has moved under a double press', async () => {
    for (const event of ['Sommerfest', 'Gartenfest'])
      await createClient(server.url).json('POST', '/api/reports', { event, photo: 'Torte', reason: 'Bitte nicht.' }, 201);
    const { page, context } = await openAsAdmin('/admin/meldungen');
    const first = page.getByRole('article').first().getByRole('button', { name: 'Als erledigt markieren' });
    const settled = page.getByRole('button', { name: 'Wieder öffnen' });
    await pressTwice(page, first, () => expect.poll(async () => (await settled.count()) === 1 && (await settled.isEnabled())).toBe(true));
    expect(await page.getByRole('button', { name: 'Als erledigt markieren' }).isEnabled()).toBe(true);
    await page.getByText('1 offene Meldung', { exact: true }).waitFor();
    // A separate press applies to the report that is there by now.
    await page.getByRole('button', { name: 'Als erledigt markieren' }).click();
    await page.getByText('0 offene Meldungen').waitFor();
    await context.close();
  });

  it('takes one photo out of a selection, though others move under a double press or get the focus while a key is held', async () => {
    const event = await createEvent(admin);
    const { page, context } = await openPage(browser, server.url, PHONE);
    await page.clock.install();
    await page.goto(`/event/${event.code}`);
    await page.locator('input[type=file]').setInputFiles(await smallPhotos(6, 990));
    const tiles = page.getByRole('button', { name: /, ausgewählt, entfernen$/ });
    await expect.poll(() => tiles.count()).toBe(6);
    await standStill(page);
    await pressTwice(page, tiles.first(), () => expect.poll(() => tiles.count()).toBe(5));
    await page.getByRole('button', { name: 'Hochladen (5)' }).waitFor();
    await page.clock.runFor(300);
    await tiles.first().focus();
    for (let repeats = 0; repeats < 4; repeats++) {
      await page.keyboard.down('Enter');
      await page.clock.runFor(300);
    }
    await page.keyboard.up('Enter');
    await page.getByRole('button', { name: 'Hochladen (4)' }).waitFor();
    expect(await tiles.count()).toBe(4);
    await context.close();
  });

  async function photoOf(event: EventUnderTest, seed: number): Promise<string> {
    const device = await deviceOf(server.url);
    const stored = await upload({ url: server.url, code: event.code, device, file: await drawPhoto(seed, 90, 60) });
    return ((await stored.json()) as { photo: { id: string } }).photo.id;
  }

  it('erases what its page shows, though something else was typed before an answer came', async () => {
    const event = await createEvent(admin);
    const [found, typed] = [await photoOf(event, 1), await photoOf(event, 2)];
    const { page, context } = await openAsAdmin('/admin/auskunft');
    await page.getByRole('textbox').fill(found);
    const answer = await hold(page, '**/admin/disclosure');
    await page.getByRole('button', { name: 'Suchen' }).click();
    await answer.asked;
    await page.getByRole('textbox').fill(typed);
    answer.letGo();
    const search = page.getByRole('button', { name: 'Suchen' });
    await expect.poll(() => search.isEnabled()).toBe(true);
    expect(await page.getByText(found).count()).toBe(0);
    await search.click();
    await page.getByRole('listitem').filter({ hasText: typed }).waitFor();
    await page.getByRole('button', { name: 'Dieses Foto löschen' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Endgültig löschen' }).click();
    await page.getByText('Gelöscht: ein Foto').waitFor();
    const left = await Promise.all(
      [found, typed].map(
        async (ask) =>
          (
            await admin.request('/admin/disclosure', {
              method: 'POST',
              body: JSON.stringify({ ask }),
              headers: { 'content-type': 'application/json' },
            })
          ).status,
      ),
    );
    expect(left).toEqual([200, 404]);
    await context.close();
  });

  it('creates events as a table was last understood, and none while it is read anew', async () => {
    const { page, context } = await openAsAdmin('/admin/einlesen');
    const table = Buffer.from(`Titel;Beginn\nUnklar;1/5/${NEXT_YEAR.slice(2)}\n`);
    await page.locator('input[type=file]').setInputFiles({ name: 'events.csv', mimeType: 'text/csv', buffer: table });
    await page.getByRole('radio', { name: `01.05.${NEXT_YEAR}` }).check();
    await page.getByRole('button', { name: '1 Event anlegen' }).waitFor();
    const answer = await hold(page, '**/admin/events/read*');
    await page.getByRole('radio', { name: `05.01.${NEXT_YEAR}` }).check();
    await answer.asked;
    const create = page.getByRole('button', { name: /anlegen/ });
    expect(await create.isEnabled()).toBe(false);
    answer.letGo();
    await expect.poll(() => create.isEnabled()).toBe(true);
    // A new reading of the table while events are created would mean other events.
    const creating = await hold(page, '**/admin/create_event');
    await create.click();
    await creating.asked;
    expect(await page.getByRole('radio', { name: `01.05.${NEXT_YEAR}` }).isEnabled()).toBe(false);
    // After leaving, the remaining events would be created unseen, with their links.
    const question = page.waitForEvent('dialog').then(async (dialog) => {
      await dialog.dismiss();
      return dialog.message();
    });
    await page
      .getByRole('link', { name: /Einstellungen/ })
      .first()
      .click();
    expect(await question).toBe('Die Events werden noch angelegt. Trotzdem verlassen?');
    creating.letGo();
    await page.getByText('1 angelegt').waitFor();
    const { events } = await admin.json<{ events: { title: string; start_date: string }[] }>('GET', '/admin/events?search=Unklar');
    expect(events.filter(({ title }) => title === 'Unklar').map(({ start_date }) => start_date)).toEqual([`${NEXT_YEAR}-01-05`]);
    await context.close();
  });
});
