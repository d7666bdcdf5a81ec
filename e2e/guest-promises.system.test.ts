import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright';
import { beforeEach, describe, expect, it } from 'vitest';
import { adminOf, createEvent, hostOf, type EventUnderTest } from './support/api.ts';
import { openPage } from './support/browser.ts';
import { startProxy, type Proxy } from './support/proxy.ts';
import {
  DONE,
  KEPT,
  NOTHING,
  OPEN,
  STOP,
  UPLOADS,
  remains,
  choose,
  giveNoCopies,
  hearNoCopies,
  jumpUntil,
  keep,
  photo,
  photos,
  stored,
} from './support/queue.ts';
import type { TestServer } from './support/server.ts';
import { useServer } from './support/use-server.ts';

/** Counts the photos that this device has noted as stored. */
function notedAsStored(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('uploads');
      request.onsuccess = () => resolve(request.result);
    });
    const rows = database.transaction('items').objectStore('items').getAll() as IDBRequest<{ state: string }[]>;
    await new Promise((resolve) => (rows.onsuccess = resolve));
    database.close();
    return rows.result.filter(({ state }) => state === 'stored').length;
  });
}

describe("what the guest's page says of photos is so", () => {
  let server: TestServer;
  let browser: Browser;
  let event: EventUnderTest;
  let page: Page;
  let context: BrowserContext;
  let proxy: Proxy;
  useServer((started) => ({ server, browser } = started));
  beforeEach(async () => {
    event = await createEvent(await adminOf(server.url));
    proxy = await startProxy(server.url);
    ({ page, context } = await openPage(browser, proxy.url));
    return async () => {
      await context.close();
      await proxy.close();
    };
  });

  /** Lets only `count` uploads to the server; all if it is undefined. */
  const letThrough = (count?: number): void => proxy.refuse(count === undefined ? null : UPLOADS, count);

  /** Chooses four photos in the page and a fifth in another tab, which takes over all; `count` of them get through, or all. */
  async function takeOver(count?: number): Promise<Page> {
    await choose(page, event, 4);
    letThrough(0);
    await page.getByRole('button', { name: 'Hochladen (4)' }).click();
    await page.getByText(`0 von 4 angekommen. ${OPEN}`).waitFor();
    const other = await context.newPage();
    await other.goto(`/event/${event.code}`);
    await other.locator('input[type=file]').setInputFiles([await photo(7)]);
    await other.getByRole('button', { name: 'Hochladen (1)' }).click();
    await page.getByText('In einem anderen Fenster: 0 von 5 angekommen.').waitFor();
    letThrough(count);
    return other;
  }

  /** Chooses photos of a card, and takes the card away once the page keeps copies. */
  async function loseCard(count: number): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-card-'));
    const files = await photos(count);
    for (const { name, buffer } of files) await writeFile(join(folder, name), buffer);
    await page.goto(`/event/${event.code}`);
    await page.locator('input[type=file]').setInputFiles(files.map(({ name }) => join(folder, name)));
    await page.getByRole('checkbox').check();
    letThrough(0);
    await keep(page, count);
    await rm(folder, { recursive: true });
    letThrough();
  }

  it('where it keeps a copy it sends that one once the file itself is gone', async () => {
    await loseCard(3);
    await page.getByRole('button', { name: DONE }).waitFor();
    expect(await stored(server, event)).toBe(3);
  });

  it('a copy is waited for that the device does not give for now, also where the file itself is gone', async () => {
    await giveNoCopies(page);
    await page.clock.install();
    await loseCard(2);
    await jumpUntil(page, 5_000, 'Wartet auf den Speicher dieses Geräts – geht von selbst weiter.');
    await page.evaluate(() => window.dispatchEvent(new Event('woken')));
    await page.clock.fastForward(5_000);
    await page.getByRole('button', { name: DONE }).waitFor();
    expect(await stored(server, event)).toBe(2);
  });

  it('a copy that the device does not give three times is sent by the next visit, also where the file itself is gone', async () => {
    await giveNoCopies(page);
    await page.clock.install();
    await loseCard(2);
    await jumpUntil(page, 15_000, '2 Fotos bitte noch einmal auswählen.');
    await page.close();
    const next = await context.newPage();
    await next.goto(`/event/${event.code}`);
    await next.getByRole('button', { name: DONE }).waitFor();
    expect(await stored(server, event)).toBe(2);
  });

  it('another tab takes over the files of which there is no copy, and gives them back with what it has sent', async () => {
    await context.addInitScript(() => {
      // The device has no room for copies.
      if ('StorageManager' in window) StorageManager.prototype.estimate = () => Promise.resolve({ quota: 10, usage: 0 });
    });
    const other = await takeOver(2);
    await other.getByText(`2 von 5 angekommen. ${OPEN}`).waitFor();
    await page.getByText('In einem anderen Fenster: 2 von 5 angekommen.').waitFor();
    // Rows are written after the text appears; a photo not yet noted as stored would have to be chosen again.
    await expect.poll(() => notedAsStored(other)).toBe(2);
    await other.close();
    // The photo chosen in the other tab may be gone with that tab.
    await page.getByText(/^2 von [45] angekommen\./).waitFor();
    expect(await stored(server, event)).toBe(2);
    letThrough();
    await expect.poll(() => stored(server, event)).toBeGreaterThanOrEqual(4);
  });

  it('copies stay for the tab that takes over, also one whose end its tab hears only then', async () => {
    await hearNoCopies(page);
    await choose(page, event, 1);
    letThrough(0);
    await page.getByRole('button', { name: 'Hochladen (1)' }).click();
    await expect.poll(() => remains(page)).toMatchObject({ released: 1, files: 1 });
    const other = await context.newPage();
    await other.goto(`/event/${event.code}`);
    await other.locator('input[type=file]').setInputFiles([await photo(7)]);
    await other.getByRole('button', { name: 'Hochladen (1)' }).click();
    await other.getByText(`0 von 2 angekommen. ${KEPT}`).waitFor();
    await page.evaluate(() => window.dispatchEvent(new Event('woken')));
    expect(await remains(page)).toMatchObject({ released: 2, files: 2 });
  });

  it('it says so of a copy that a sleep interrupted, once the copy is made after it', async () => {
    await hearNoCopies(page);
    await page.clock.install();
    await choose(page, event, 1);
    letThrough(0);
    await page.getByRole('button', { name: 'Hochladen (1)' }).click();
    await page.getByText(`0 von 1 angekommen. ${OPEN}`).waitFor();
    await expect.poll(() => remains(page)).toMatchObject({ released: 1, files: 1 });
    // More than a copy may take.
    await page.clock.fastForward(31_000);
    await page.evaluate(() => {
      window.dispatchEvent(new Event('woken'));
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await jumpUntil(page, 2_000, `0 von 1 angekommen. ${KEPT}`);
  });

  it('another tab takes over the files of which the device could not even note that they are there', async () => {
    const session = await context.newCDPSession(page);
    await session.send('Storage.overrideQuotaForOrigin', { origin: proxy.url, quotaSize: 20_000 });
    const other = await takeOver();
    await other.getByText('5 Fotos sind angekommen.').waitFor();
    expect(await stored(server, event)).toBe(5);
  });

  it('photos that another tab took over and could not note come back when that tab is closed', async () => {
    await context.addInitScript(() => {
      indexedDB.open = () => {
        throw new DOMException('refused', 'InvalidStateError');
      };
    });
    const other = await takeOver(0);
    await other.getByText(`0 von 5 angekommen. ${OPEN}`).waitFor();
    await other.close();
    await page.getByText(/^0 von 4 angekommen\./).waitFor();
    letThrough();
    await page.getByRole('button', { name: DONE }).waitFor();
    expect(await stored(server, event)).toBe(4);
  });

  it('photos of which the device could not note anything stay with the tab that sends them while something is chosen in another one', async () => {
    await context.addInitScript(() => {
      indexedDB.open = () => {
        throw new DOMException('refused', 'InvalidStateError');
      };
    });
    await choose(page, event, 3);
    letThrough(0);
    await page.getByRole('button', { name: 'Hochladen (3)' }).click();
    await page.getByText(`0 von 3 angekommen. ${OPEN}`).waitFor();
    const other = await context.newPage();
    await other.goto(`/event/${event.code}`);
    await other.locator('input[type=file]').setInputFiles([await photo(7)]);
    await other.getByText('In einem anderen Fenster: 0 von 3 angekommen.').waitFor();
    letThrough();
    await page.getByRole('button', { name: DONE }).waitFor();
    expect(await stored(server, event)).toBe(3);
  });

  it('a tab that slept while another one took over removes nothing of what that one sends', async () => {
    // After a sleep, a page has heard neither the other tab nor the loss of its lock.
    await page.addInitScript(() => {
      const { request } = LockManager.prototype;
      LockManager.prototype.request = function (this: LockManager, ...asked: unknown[]) {
        return (request as (...all: unknown[]) => Promise<unknown>).apply(this, asked).catch(() => new Promise(() => undefined));
      } as typeof request;
      Object.defineProperty(BroadcastChannel.prototype, 'onmessage', { set() {} });
    });
    await choose(page, event, 3);
    letThrough(0);
    await keep(page, 3);
    const other = await context.newPage();
    await other.goto(`/event/${event.code}`);
    await other.locator('input[type=file]').setInputFiles([await photo(7)]);
    await other.getByRole('button', { name: 'Hochladen (1)' }).click();
    await other.getByText(`0 von 4 angekommen. ${KEPT}`).waitFor();
    await page.getByRole('button', { name: STOP }).click();
    await page.getByRole('button', { name: 'Hochladen (3)' }).waitFor();
    letThrough();
    await other.getByText('4 Fotos sind angekommen.').waitFor();
    expect(await stored(server, event)).toBe(4);
  });

  it('closing the page asks nothing where it may be closed, and asks where it must stay open', async () => {
    const asks = async (): Promise<boolean> => {
      const asked = page.waitForEvent('dialog').then((dialog) => dialog.dismiss().then(() => true));
      const closed = page.waitForEvent('close').then(() => false);
      await page.close({ runBeforeUnload: true });
      return Promise.race([asked, closed]);
    };
    await choose(page, event, 2);
    expect(await asks()).toBe(true);
    letThrough(0);
    await keep(page, 2);
    expect(await asks()).toBe(false);
  });

  it('after an end by the guest nothing of it is said again at the next visit', async () => {
    await choose(page, event, 4);
    letThrough(2);
    await page.getByRole('button', { name: 'Hochladen (4)' }).click();
    await page.getByText('2 von 4 angekommen.').waitFor();
    await page.getByRole('button', { name: STOP }).click();
    await page.getByRole('button', { name: 'Hochladen (2)' }).waitFor();
    await expect.poll(() => remains(page)).toEqual(NOTHING);
    letThrough();
    await page.reload();
    await page.getByRole('heading', { name: 'Meine Fotos' }).waitFor();
    await page.getByLabel('Dein Name').waitFor();
    expect(await page.getByRole('heading', { name: 'Danke!' }).count()).toBe(0);
  });

  it('after an end by the guest a photo whose answer was lost is among the own ones', async () => {
    await page.route(/\/upload$/, async (route) => {
      await route.fetch();
      proxy.refuse(/\/(uploads?(\/|$)|\w+\/known$)/);
      await route.abort('connectionfailed');
    });
    await choose(page, event, 1);
    await page.getByRole('button', { name: 'Hochladen (1)' }).click();
    await page.getByRole('button', { name: STOP }).click();
    await page.getByText('Das Hochladen ist beendet.').waitFor();
    expect(await stored(server, event)).toBe(1);
    letThrough();
    await page.getByRole('button', { name: 'IMG_0.jpg, ansehen' }).waitFor();
  });

  it('a photo that was deleted since is sent again when it is chosen again', async () => {
    const [only] = await photos(1);
    const run = async (): Promise<void> => {
      await page.locator('input[type=file]').setInputFiles([only!]);
      const box = page.getByRole('checkbox');
      if (await box.count()) await box.check();
      await page.getByRole('button', { name: 'Hochladen (1)' }).click();
      await page.getByRole('button', { name: DONE }).waitFor();
    };
    await page.goto(`/event/${event.code}`);
    await run();
    await page.reload();
    let sent = 0;
    page.on('request', (request) => (sent += Number(request.url().endsWith('/upload'))));
    await run();
    expect(sent).toBe(0);
    const host = await hostOf(server.url, event);
    const { photos: list } = await host.json<{ photos: { id: string }[] }>('GET', `/api/events/${event.code}/photos`);
    await host.json('DELETE', `/api/photos/${list[0]?.id}`, undefined, 204);
    await run();
    expect(sent).toBe(1);
    expect(await stored(server, event)).toBe(1);
  });

  it('nothing more is sent once the consent is taken back', async () => {
    await choose(page, event, 8);
    let sent = 0;
    await page.route(UPLOADS, () => void sent++);
    await page.getByRole('button', { name: 'Hochladen (8)' }).click();
    await expect.poll(() => sent).toBe(6);
    await page.getByRole('checkbox').uncheck();
    await page.getByRole('button', { name: 'Hochladen (8)' }).waitFor();
    expect(await page.getByRole('button', { name: STOP }).count()).toBe(0);
    await page.unroute(UPLOADS);
    expect(await stored(server, event)).toBe(0);
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Hochladen (8)' }).click();
    await page.getByRole('button', { name: DONE }).waitFor();
    expect([sent, await stored(server, event)]).toEqual([6, 8]);
  });

  it('a screen reader hears that all is there when it is, and not before', async () => {
    const said = page.locator('[aria-live=polite]');
    await choose(page, event, 4);
    letThrough(2);
    await page.getByRole('button', { name: 'Hochladen (4)' }).click();
    await page.getByText('Wartet auf Netz – geht von selbst weiter.').waitFor();
    await page.getByRole('button', { name: 'Hochladen (2)' }).waitFor();
    await expect.poll(() => said.allInnerTexts()).toEqual(['Das Hochladen wartet auf das Netz']);
    await page.getByRole('button', { name: STOP }).click();
    await page.getByRole('button', { name: STOP }).waitFor({ state: 'detached' });
    expect(await said.allInnerTexts()).toEqual(['']);
    letThrough();
    await page.getByRole('button', { name: 'Hochladen (2)' }).click();
    await page.getByRole('button', { name: DONE }).waitFor();
    await expect.poll(() => said.allInnerTexts()).toEqual(['Alles ist hochgeladen']);
  });
});
