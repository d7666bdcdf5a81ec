import type { Browser, BrowserContext, Page, Request } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adminOf, createEvent, dayFromToday, type EventUnderTest } from './support/api.ts';
import { launchBrowser, openPage } from './support/browser.ts';
import { cli } from './support/cli.ts';
import { startProxy, type Proxy } from './support/proxy.ts';
import {
  DONE,
  KEPT,
  NOTHING,
  OPEN,
  STOP,
  choose,
  chooseBehind,
  giveNoCopies,
  jumpUntil,
  keep,
  loseCopies,
  loseDatabase,
  photo,
  photos,
  remains,
  stored,
} from './support/queue.ts';
import { startServer, type TestServer } from './support/server.ts';

/** The sentence of a page that takes nothing, about two photos that wait on this device. */
const LEFT_BEHIND = '2 Fotos sind noch nicht hochgeladen. Bitte den Gastgeber fragen.';

describe('photos that were submitted', () => {
  let server: TestServer;
  let browser: Browser;
  let proxy: Proxy;
  let event: EventUnderTest;
  let page: Page;
  let context: BrowserContext;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.dispose();
  });
  beforeEach(async () => {
    proxy = await startProxy(server.url);
    event = await createEvent(await adminOf(server.url));
    ({ page, context } = await openPage(browser, proxy.url));
  });
  afterEach(async () => {
    await context.close();
    await proxy.close();
  });

  /** Refuses uploads, not the page's files. The proxy does so, because calls held by the browser go on when their page is closed. */
  const block = (): void => proxy.refuse(/\/(uploads?(\/|$)|\w+\/known$)/);
  const unblock = (): void => proxy.refuse(null);
  /** Submits photos while uploads are refused, so that the device keeps them. */
  async function keepBlocked(count: number): Promise<void> {
    await choose(page, event, count);
    block();
    await keep(page, count);
  }
  /** Opens the event in another tab. */
  async function again(): Promise<Page> {
    const next = await context.newPage();
    await next.goto(`/event/${event.code}`);
    return next;
  }
  /** Waits until a page says that all is done, and expects so many photos in the event. */
  async function arrived(on: Page, count: number): Promise<void> {
    await on.getByRole('button', { name: DONE }).waitFor();
    expect(await stored(server, event)).toBe(count);
  }

  it('go on without a tap in a new tab after their tab crashed, and nothing of them stays on the device', async () => {
    await keepBlocked(12);
    const crashed = page.waitForEvent('crash');
    const session = await context.newCDPSession(page);
    void session.send('Page.crash').catch(() => undefined);
    await crashed;
    unblock();
    const next = await again();
    await next.getByRole('button', { name: DONE }).waitFor();
    await next.getByText('12 Fotos sind angekommen.').waitFor();
    expect(await stored(server, event)).toBe(12);
    await expect.poll(() => remains(next)).toEqual(NOTHING);
  });

  it('show their number in the title, and neither names nor pictures to the next visitor of the page', async () => {
    await keepBlocked(3);
    await expect.poll(() => page.title()).toBe(`(3) ${event.title} · Feierbild`);
    await page.close();
    const next = await again();
    await next.getByText('0 von 3 angekommen.').waitFor();
    expect(await next.getByRole('button', { name: /IMG_/ }).count()).toBe(0);
    expect(await next.locator('ul img').count()).toBe(0);
    unblock();
  });

  it('show their number on the icon of the page, until they are stored', async () => {
    const numbers: number[] = [];
    await page.exposeFunction('noteBadge', (left: number) => void numbers.push(left));
    await page.addInitScript(() => {
      const { noteBadge } = window as unknown as { noteBadge(left: number): Promise<void> };
      navigator.setAppBadge = (left = 0) => noteBadge(left);
    });
    await keepBlocked(3);
    await expect.poll(() => numbers.at(-1)).toBe(3);
    unblock();
    await page.getByRole('button', { name: DONE }).waitFor();
    await expect.poll(() => numbers.at(-1)).toBe(0);
    await expect.poll(() => page.title()).toBe(`${event.title} · Feierbild`);
  });

  it('are asked to be kept when the device gets short of room, once for all times', async () => {
    let asked = 0;
    await context.exposeFunction('notePersist', () => void asked++);
    await context.addInitScript(() => {
      const { notePersist } = window as unknown as { notePersist(): Promise<void> };
      // An empty page has no StorageManager.
      if ('StorageManager' in window) StorageManager.prototype.persist = () => notePersist().then(() => false);
    });
    // The page does not ask while a guest only chooses.
    await choose(page, event, 2);
    expect(asked).toBe(0);
    block();
    await keep(page, 2);
    await expect.poll(() => asked).toBe(1);
    unblock();
    await page.getByRole('button', { name: DONE }).waitFor();
    await page.close();
    const next = await context.newPage();
    await choose(next, await createEvent(await adminOf(server.url)), 4);
    block();
    await keep(next, 4);
    expect(asked).toBe(1);
    unblock();
    await next.getByRole('button', { name: DONE }).waitFor();
  });

  it('leave the device where the consent is taken back, and wait for the button', async () => {
    await keepBlocked(2);
    await page.getByRole('checkbox').uncheck();
    await expect.poll(() => remains(page)).toEqual(NOTHING);
    unblock();
    let sent = 0;
    // If the way refused DELETE, the page also takes back uploads by POST.
    const isSent = (request: Request): boolean => request.method() === 'POST' && request.headers()['x-http-method-override'] !== 'DELETE';
    page.on('request', (request) => (sent += Number(isSent(request))));
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await page.getByRole('checkbox').check();
    expect(sent).toBe(0);
    await page.getByRole('button', { name: 'Hochladen (2)' }).click();
    await arrived(page, 2);
  });

  it('are named where the device has lost them, and take their old place when they are chosen again', async () => {
    // Keys begin with a hyphen here, as one of 64 does; browsers refuse a lock of such a name.
    await context.addInitScript(() => {
      const draw = crypto.getRandomValues.bind(crypto);
      crypto.getRandomValues = (array) => {
        draw(array);
        if (array instanceof Uint8Array) array[0] = 0xf8;
        return array;
      };
    });
    await keepBlocked(3);
    await loseCopies(page);
    await page.close();
    unblock();
    const next = await again();
    await next.getByText('3 Fotos bitte noch einmal auswählen.').waitFor();
    await next.locator('input[type=file]').setInputFiles(await photos(3));
    await next.getByRole('button', { name: 'Hochladen (3)' }).click();
    await arrived(next, 3);
    await expect.poll(() => remains(next)).toEqual(NOTHING);
  });

  it('are asked for where a device without room has removed all that it kept of them', async () => {
    await keepBlocked(3);
    await page.close();
    const elsewhere = await context.newPage();
    await elsewhere.goto('/impressum');
    await loseDatabase(elsewhere);
    unblock();
    const next = await again();
    const asked = next.getByText('Die Fotos vom letzten Mal bitte noch einmal auswählen.');
    await asked.waitFor();
    expect(await next.getByText('Der Speicher dieses Geräts antwortet gerade nicht.').count()).toBe(0);
    await next.locator('input[type=file]').setInputFiles(await photos(3));
    await asked.waitFor({ state: 'detached' });
    await next.getByRole('button', { name: 'Hochladen (3)' }).click();
    await arrived(next, 3);
    await expect.poll(() => remains(next)).toEqual(NOTHING);
    await next.reload();
    await next.getByRole('button', { name: 'Foto melden' }).waitFor();
    expect(await asked.count()).toBe(0);
  });

  it('are sent from their copies at the next visit where the device did not give them at one', async () => {
    await keepBlocked(2);
    await page.close();
    const refused = await context.newPage();
    await refused.addInitScript(() => {
      IDBObjectStore.prototype.getAllKeys = () => {
        throw new DOMException('later', 'UnknownError');
      };
    });
    await refused.goto(`/event/${event.code}`);
    await refused.getByText('Wartet auf den Speicher dieses Geräts – geht von selbst weiter.').waitFor();
    // The page ends this promise after a while.
    await refused.getByText('Die Fotos vom letzten Mal bitte noch einmal auswählen.').waitFor();
    await refused.close();
    unblock();
    const next = await again();
    await arrived(next, 2);
  });

  it('go on by themselves as soon as the device gives them', async () => {
    await keepBlocked(2);
    await page.close();
    unblock();
    const next = await context.newPage();
    await next.addInitScript(() => {
      const { getAllKeys } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.getAllKeys = function () {
        if (!('woken' in window)) throw new DOMException('later', 'UnknownError');
        return getAllKeys.call(this);
      };
    });
    await next.clock.install();
    await next.goto(`/event/${event.code}`);
    await next.getByText('Wartet auf den Speicher dieses Geräts – geht von selbst weiter.').waitFor();
    await next.evaluate(() => void Object.assign(window, { woken: true }));
    await next.clock.fastForward(5_000);
    await next.getByText('2 Fotos sind angekommen.').waitFor();
    expect(await stored(server, event)).toBe(2);
  });

  it('leave the device when the guest ends their sending', async () => {
    await keepBlocked(3);
    expect(await remains(page)).toEqual({ rows: 3, released: 3, files: 3, marked: event.code });
    await page.getByRole('button', { name: STOP }).click();
    await page.getByRole('button', { name: 'Hochladen (3)' }).waitFor();
    await expect.poll(async () => (await remains(page)).rows + (await remains(page)).files).toBe(0);
    unblock();
    await page.reload();
    await page.getByRole('button', { name: 'Bereit' }).waitFor();
    expect(await stored(server, event)).toBe(0);
  });

  it('leave the device when the photos of the event are deleted, also where its page is opened only then', async () => {
    await keepBlocked(2);
    const admin = await adminOf(server.url);
    await admin.json('PUT', `/admin/events/${event.id}`, {
      title: event.title,
      start_date: '2020-01-01',
      end_date: '2020-01-01',
      confirm_purge: true,
    });
    expect((await cli(server, ['maintain'])).code).toBe(0);
    await page.close();
    unblock();
    const next = await again();
    await next.getByRole('heading', { name: 'Ungültiger oder abgelaufener Event-Code' }).waitFor();
    await next.getByText(LEFT_BEHIND).waitFor();
    await expect.poll(() => remains(next)).toEqual(NOTHING);
  });

  it('are spoken of where uploads were switched off meanwhile, and are sent when they are on again', async () => {
    await keepBlocked(2);
    await page.close();
    const admin = await adminOf(server.url);
    const today = dayFromToday(0);
    const change = (more: object) =>
      admin.json('PUT', `/admin/events/${event.id}`, { title: event.title, start_date: today, end_date: today, ...more });
    await change({ with_user_upload: false });
    unblock();
    const next = await again();
    await next.getByText('Für dieses Event sind Uploads ausgeschaltet.').waitFor();
    await next.getByText(LEFT_BEHIND).waitFor();
    expect(await remains(next)).toMatchObject({ rows: 2, files: 2, marked: event.code });
    await change({ with_user_upload: true });
    await arrived(next, 2);
  });

  it('stay on the device where the event is over by the clock alone, and are sent when it is not', async () => {
    await keepBlocked(2);
    await page.close();
    const admin = await adminOf(server.url);
    const moveTo = (day: string, more: object = {}) =>
      admin.json('PUT', `/admin/events/${event.id}`, { title: event.title, start_date: day, end_date: day, ...more });
    await moveTo('2020-01-01', { confirm_purge: true });
    const next = await again();
    await next.getByRole('heading', { name: 'Ungültiger oder abgelaufener Event-Code' }).waitFor();
    await next.getByText(LEFT_BEHIND).waitFor();
    // The code that would remove the photos comes after the page.
    await next.waitForLoadState('networkidle');
    expect(await remains(next)).toMatchObject({ rows: 2, files: 2, marked: event.code });
    await moveTo(dayFromToday(0));
    unblock();
    await next.goto(`/event/${event.code}`);
    await arrived(next, 2);
  });

  it('stay on the device while somebody on the way refuses the page, and while their event is not open', async () => {
    await keepBlocked(2);
    await page.close();
    const admin = await adminOf(server.url);
    const dates = (start_date: string, more: object = {}) =>
      admin.json('PUT', `/admin/events/${event.id}`, { title: event.title, start_date, end_date: start_date, ...more });
    await dates(dayFromToday(10));
    const next = await again();
    await next.getByRole('heading', { name: 'Noch nicht geöffnet' }).waitFor();
    await next.getByText(LEFT_BEHIND).waitFor();
    await dates(dayFromToday(0), { with_upload_password: true, user_upload_password: 'Geheim 1' });
    let refusals = 0;
    await next.route(/\/event\/\w+$/, (route) =>
      refusals++ > 0 ? route.continue() : route.fulfill({ status: 404, body: '404 page not found' }),
    );
    unblock();
    await next.goto(`/event/${event.code}?password=Geheim%201`);
    await next.getByRole('button', { name: DONE }).waitFor();
    expect(refusals).toBeGreaterThan(0);
    expect(await stored(server, event)).toBe(2);
  });

  it('are sent from one tab at a time: the other one shows how far it is, and takes over where it is closed', async () => {
    await keepBlocked(4);
    const other = await again();
    await other.getByText('In einem anderen Fenster: 0 von 4 angekommen.').waitFor();
    unblock();
    await page.close();
    await arrived(other, 4);
  });

  it('are sent from no tab any more once the consent is taken back in any', async () => {
    await keepBlocked(4);
    const other = await again();
    await other.getByText('In einem anderen Fenster: 0 von 4 angekommen.').waitFor();
    await other.getByRole('checkbox').uncheck();
    await expect.poll(() => remains(other), { timeout: 30_000 }).toEqual(NOTHING);
    unblock();
    // Photos of a tab that went on would arrive before this later one.
    const next = await context.newPage();
    await choose(next, event, 1);
    await next.getByRole('button', { name: 'Hochladen (1)' }).click();
    await arrived(next, 1);
  });

  it('go to the tab in which the guest chooses more', async () => {
    await keepBlocked(2);
    const other = await again();
    await other.locator('input[type=file]').setInputFiles([await photo(7)]);
    await other.getByRole('button', { name: 'Hochladen (1)' }).click();
    await page.getByText('In einem anderen Fenster: 0 von 3 angekommen.').waitFor();
    unblock();
    await arrived(other, 3);
    await page.getByText('In einem anderen Fenster: 3 von 3 angekommen.').waitFor();
  });

  it('are sent from a tab that nobody looks at', async () => {
    await keepBlocked(3);
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await page.getByRole('button', { name: 'Hochladen (3)' }).waitFor();
    unblock();
    await arrived(page, 3);
  });

  /** Opens a page whose device gives no copy until the page gets the event `woken`. */
  async function asleep(): Promise<Page> {
    const next = await context.newPage();
    await giveNoCopies(next);
    await next.clock.install();
    await next.goto(`/event/${event.code}`);
    await next.getByRole('button', { name: 'Hochladen... (2 verbleibend)' }).waitFor();
    await next.clock.fastForward(11_000);
    await next.getByText('Wartet auf den Speicher dieses Geräts – geht von selbst weiter.').waitFor();
    return next;
  }

  it('do not lose what is chosen while they arrive behind the open picker', async () => {
    await keepBlocked(2);
    await chooseBehind(page, 7, async () => {
      unblock();
      await arrived(page, 2);
    });
    await page.getByRole('button', { name: 'Hochladen (1)' }).click();
    await arrived(page, 3);
  });

  it('wait while the device does not give their copies, and are sent when it does', async () => {
    await keepBlocked(2);
    await page.close();
    unblock();
    const next = await asleep();
    await next.getByText('0 von 2 angekommen.').waitFor();
    await next.evaluate(() => window.dispatchEvent(new Event('woken')));
    await next.clock.fastForward(3_000);
    await arrived(next, 2);
  });

  it('can be chosen again where the device does not give their copies three times', async () => {
    await keepBlocked(2);
    await page.close();
    unblock();
    const next = await asleep();
    await jumpUntil(next, 15_000, '2 Fotos bitte noch einmal auswählen.');
    await next.locator('input[type=file]').setInputFiles(await photos(2));
    await next.getByRole('button', { name: 'Hochladen (2)' }).click();
    await arrived(next, 2);
    await expect.poll(() => remains(next)).toEqual(NOTHING);
  });

  it('are kept, too, where the device answered nothing at first', async () => {
    // `put` writes nothing, and its transaction never reports its end.
    await page.addInitScript(() => {
      Object.assign(window, { asleep: true });
      const silent = new WeakSet<IDBTransaction>();
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = function (value, key) {
        if (!('asleep' in window)) return put.call(this, value, key);
        silent.add(this.transaction);
        return this.count() as IDBRequest;
      };
      const told = Object.getOwnPropertyDescriptor(IDBTransaction.prototype, 'oncomplete');
      Object.defineProperty(IDBTransaction.prototype, 'oncomplete', {
        set(this: IDBTransaction, listener: () => void) {
          if (!silent.has(this)) told?.set?.call(this, listener);
        },
      });
    });
    await page.clock.install();
    await choose(page, event, 2);
    block();
    await page.getByRole('button', { name: 'Hochladen (2)' }).click();
    await page.getByText(`0 von 2 angekommen. ${OPEN}`).waitFor();
    await page.evaluate(() => void Reflect.deleteProperty(window, 'asleep'));
    await jumpUntil(page, 11_000, `0 von 2 angekommen. ${KEPT}`);
    expect(await remains(page)).toMatchObject({ rows: 2, released: 2, files: 2 });
    unblock();
    await page.clock.fastForward(61_000);
    await page.getByRole('button', { name: DONE }).waitFor();
  });

  it('end the workers that read and draw them, once there is nothing to do', async () => {
    await choose(page, event, 8);
    await page.locator('ul img').nth(7).waitFor();
    await page.getByRole('button', { name: 'Hochladen (8)' }).click();
    await page.getByRole('button', { name: DONE }).waitFor();
    await expect.poll(() => page.workers().length).toBe(0);
  });

  it('are not lost by a clock that is years wrong', async () => {
    await page.clock.install({ time: new Date('2035-01-01') });
    await choose(page, event, 2);
    block();
    await page.getByRole('button', { name: 'Hochladen (2)' }).click();
    await expect.poll(() => remains(page)).toMatchObject({ files: 2, released: 2 });
    await page.close();
    unblock();
    const next = await again();
    await arrived(next, 2);
  });

  it('are sent where the device has no room to note the press, and the page says that it must stay open', async () => {
    await page.addInitScript(() => {
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = function (value: { released?: boolean }) {
        if (value.released) throw new DOMException('full', 'QuotaExceededError');
        return put.call(this, value);
      };
    });
    await choose(page, event, 2);
    await expect.poll(() => remains(page)).toMatchObject({ rows: 2, files: 2 });
    block();
    await page.getByRole('button', { name: 'Hochladen (2)' }).click();
    await page.getByText(`0 von 2 angekommen. ${OPEN}`).waitFor();
    unblock();
    await arrived(page, 2);
  });

  it('are sent where the device has no room for copies, and the page says that it must stay open', async () => {
    const session = await context.newCDPSession(page);
    await session.send('Storage.overrideQuotaForOrigin', { origin: proxy.url, quotaSize: 20_000 });
    await choose(page, event, 4);
    block();
    await page.getByRole('button', { name: 'Hochladen (4)' }).click();
    await page.getByText('Wartet auf Netz – geht von selbst weiter.').waitFor();
    await page.getByText(`0 von 4 angekommen. ${OPEN}`).waitFor();
    unblock();
    await arrived(page, 4);
  });

  it('are sent from their copies where the device has no more room to tidy up', async () => {
    await keepBlocked(2);
    // The row of another event has a time in the future, from a wrong clock, so the page has to mend it.
    await page.evaluate(async () => {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open('uploads');
        request.onsuccess = () => resolve(request.result);
      });
      const rows = database.transaction('items').objectStore('items').getAll() as IDBRequest<object[]>;
      await new Promise((resolve) => (rows.onsuccess = resolve));
      const writing = database.transaction('items', 'readwrite');
      writing.objectStore('items').put({ ...rows.result[0], id: 'other', event: 'ANOTHER1', addedAt: Date.now() + 86_400_000 });
      await new Promise((resolve) => (writing.oncomplete = resolve));
      database.close();
    });
    await page.close();
    unblock();
    const next = await context.newPage();
    const session = await context.newCDPSession(next);
    await session.send('Storage.overrideQuotaForOrigin', { origin: proxy.url, quotaSize: 1_000 });
    await next.goto(`/event/${event.code}`);
    await next.getByRole('button', { name: DONE }).waitFor();
    expect(await stored(server, event)).toBe(2);
  });

  it('are sent from a private window, whose end the page does not promise to survive', async () => {
    // Safari keeps bytes in such a window until its end, and refuses only the private file system.
    const refusing = `StorageManager.prototype.getDirectory = () => {
      console.log('no file system');
      return Promise.reject(new DOMException('unknown transient reason', 'UnknownError'));
    };`;
    await page.route(/keep\.worker/, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: `${refusing}\n${await answer.text()}` });
    });
    const refused = page.waitForEvent('console', (message) => message.text() === 'no file system');
    await choose(page, event, 3);
    block();
    await page.getByRole('button', { name: 'Hochladen (3)' }).click();
    await refused;
    await page.getByText(`0 von 3 angekommen. ${OPEN}`).waitFor();
    expect((await remains(page)).files).toBe(0);
    unblock();
    await arrived(page, 3);
  });

  it('are sent where the browser keeps nothing at all', async () => {
    // A browser that blocks all cookies behaves like this.
    await page.addInitScript(() => {
      const refused = (): DOMException => new DOMException('refused', 'SecurityError');
      const throws = (): never => {
        throw refused();
      };
      Object.defineProperty(window, 'indexedDB', { value: { open: throws } });
      Object.defineProperty(window, 'localStorage', { get: throws });
      Object.defineProperty(window, 'BroadcastChannel', { value: throws });
      StorageManager.prototype.getDirectory = () => Promise.reject(refused());
      LockManager.prototype.request = () => Promise.reject(refused());
    });
    await choose(page, event, 3);
    block();
    await page.getByRole('button', { name: 'Hochladen (3)' }).click();
    await page.getByText(`0 von 3 angekommen. ${OPEN}`).waitFor();
    unblock();
    await arrived(page, 3);
  });

  it('wait without a word of clouds for the code that reads them', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/thumbnail\.worker/, async (route) => {
      await held;
      await route.continue();
    });
    await page.clock.install();
    await choose(page, event, 2);
    await page.clock.runFor(3_000);
    expect(await page.getByText('aus der Cloud').count()).toBe(0);
    release();
    await page.locator('ul img').nth(1).waitFor();
  });

  it('wait, with a word, for a device that loads them from a cloud', async () => {
    // The page reads the files in workers, so their code is changed.
    const loading = `
      const read = Blob.prototype.arrayBuffer;
      const loaded = new Promise((resolve) => (new BroadcastChannel('loaded-from-cloud').onmessage = resolve));
      Blob.prototype.arrayBuffer = async function () {
        await loaded;
        return read.call(this);
      };`;
    await page.route(/thumbnail\.worker/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: `${loading}\n${await response.text()}` });
    });
    await choose(page, event, 2);
    await page.getByText('Dieses Handy lädt die Dateien erst aus der Cloud.').waitFor();
    await page.evaluate(() => new BroadcastChannel('loaded-from-cloud').postMessage(null));
    await page.getByText('Dieses Handy lädt die Dateien erst aus der Cloud.').waitFor({ state: 'detached' });
  });
});
