import type { Page } from 'playwright';
import { expect } from 'vitest';
import { hostOf, type EventUnderTest } from './api.ts';
import { drawGrainy } from './photos.ts';
import type { TestServer } from './server.ts';

export const DONE = '✓ Hochgeladen';
export const KEPT = 'Wird die Seite geschlossen, geht es beim nächsten Öffnen weiter.';
export const OPEN = 'Bitte diese Seite offen lassen.';
export const STOP = 'Nicht weiter hochladen';

/** The paths of uploads, in parts or whole. */
export const UPLOADS = /\/uploads?(\/|$)/;

/** Sizes of every twelfth photo, as phones take them: some 2, 3 or 5 MB, below and above the limit of forms. */
const PHONES = [
  [1300, 1000],
  [1600, 1200],
  [2000, 1500],
] as const;
/** Makes a photo. Each is larger than 64 KiB, because browsers keep such values beside their database. */
export async function photo(n: number) {
  const [width, height] = n % 12 === 11 ? PHONES[Math.floor(n / 12) % PHONES.length]! : [320, 240];
  return { name: `IMG_${n}.jpg`, mimeType: 'image/jpeg', buffer: await drawGrainy(n, width, height) };
}
/** Makes photos, the same at each call. */
export const photos = (count: number) => Promise.all(Array.from({ length: count }, (_, n) => (drawn[n] ??= photo(n))));
const drawn: ReturnType<typeof photo>[] = [];

export async function stored(server: TestServer, event: EventUnderTest): Promise<number> {
  const host = await hostOf(server.url, event);
  return (await host.json<{ total_photos: number }>('GET', `/api/events/${event.code}/stats`)).total_photos;
}

/** Chooses photos on the event's page, with consent. */
export async function choose(page: Page, event: EventUnderTest, count: number): Promise<void> {
  await page.goto(`/event/${event.code}`);
  await page.locator('input[type=file]').setInputFiles(await photos(count));
  await page.getByRole('checkbox').check();
  await readyToSend(page, count);
}

/** Opens the file picker as a guest does, and chooses a photo in it once `behind` has happened to the page behind it. */
export async function chooseBehind(page: Page, n: number, behind: () => Promise<unknown>): Promise<void> {
  const opened = page.waitForEvent('filechooser');
  await page.getByText('Dateien auswählen').click();
  const picker = await opened;
  await behind();
  await picker.setFiles(await photo(n));
}

/** Waits until the page has the device's id and its later code, which makes „Foto melden“ a button. */
export async function readyToSend(page: Page, count: number): Promise<void> {
  await page.getByRole('button', { name: 'Foto melden' }).waitFor();
  const button = page.getByRole('button', { name: `Hochladen (${count})` });
  await expect.poll(() => button.isEnabled()).toBe(true);
}

/** Presses the button while nothing gets through, until all photos are kept on the device. */
export async function keep(page: Page, count: number): Promise<void> {
  await page.getByRole('button', { name: `Hochladen (${count})` }).click();
  await page.getByText(`0 von ${count} angekommen. ${KEPT}`).waitFor();
}

/** Real time between two jumps of the page's clock. */
const BETWEEN_JUMPS_MS = 500;

/** Lets the page's clock jump until the page shows a text; without real pauses, requests of network and disk would reach their limits. */
export async function jumpUntil(page: Page, jumpMs: number, text: string): Promise<void> {
  const shown = async (): Promise<string> => {
    await page.clock.fastForward(jumpMs);
    return page.locator('body').innerText();
  };
  await expect.poll(shown, { interval: BETWEEN_JUMPS_MS }).toContain(text);
}

/** Ends an undisturbed sending, whose button is behind „Mehr“. */
export async function stop(page: Page): Promise<void> {
  await page.getByText('Mehr', { exact: true }).click();
  await page.getByRole('button', { name: STOP }).click();
}

/** Counts what the page's origin keeps for later pages: rows of unsent photos, copies of their bytes, and the note about them. */
export function remains(page: Page): Promise<{ rows: number; released: number; files: number; marked: string | null }> {
  return page.evaluate(async () => {
    const marked = localStorage.getItem('kept');
    const database = await new Promise<IDBDatabase | null>((resolve) => {
      const request = indexedDB.open('uploads');
      // The page has not made the database yet.
      request.onupgradeneeded = () => request.transaction?.abort();
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve(null);
    });
    if (!database) return { rows: 0, released: 0, files: 0, marked };
    const transaction = database.transaction(['items', 'bytes']);
    const items = transaction.objectStore('items').getAll() as IDBRequest<{ released: boolean }[]>;
    const files = transaction.objectStore('bytes').count();
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    database.close();
    const released = items.result.filter((item) => item.released).length;
    return { rows: items.result.length, released, files: files.result, marked };
  });
}

/** Removes the whole database, as a device does that runs short of room; localStorage stays. */
export function loseDatabase(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.deleteDatabase('uploads');
        request.onsuccess = () => resolve();
        request.onerror = request.onblocked = () => reject(new Error('the database is in use'));
      }),
  );
}

/** Removes the copies, as if files were damaged; their rows stay. */
export function loseCopies(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('uploads');
      request.onsuccess = () => resolve(request.result);
    });
    const transaction = database.transaction('bytes', 'readwrite');
    transaction.objectStore('bytes').clear();
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    database.close();
  });
}

/** Tells whether the device has noted a hash of each file. */
export function areHashed(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('uploads');
      request.onsuccess = () => resolve(request.result);
    });
    const rows = database.transaction('items').objectStore('items').getAll() as IDBRequest<{ sha256: string | null }[]>;
    await new Promise((resolve) => (rows.onsuccess = resolve));
    database.close();
    return rows.result.length > 0 && rows.result.every(({ sha256 }) => sha256 !== null);
  });
}

/** Makes the device give no copy until the page gets the event `woken`. */
export async function giveNoCopies(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { get } = IDBObjectStore.prototype;
    const woken = new Promise((resolve) => window.addEventListener('woken', resolve));
    IDBObjectStore.prototype.get = function (key) {
      const request = get.call(this, key);
      const hears = (listener: (event: Event) => void) =>
        request.addEventListener('success', (event) => void woken.then(() => listener(event)));
      return Object.defineProperty(request, 'onsuccess', { set: hears });
    };
  });
}

/** Keeps the page from hearing that a photo is copied until it gets the event `woken`. */
export async function hearNoCopies(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const woken = new Promise((resolve) => window.addEventListener('woken', resolve));
    const told = Object.getOwnPropertyDescriptor(Worker.prototype, 'onmessage');
    Object.defineProperty(Worker.prototype, 'onmessage', {
      set(this: Worker, listener: (event: MessageEvent) => void) {
        const hears = (event: MessageEvent) => (event.data.copied ? void woken.then(() => listener(event)) : listener(event));
        told?.set?.call(this, hears);
      },
    });
  });
}

export const NOTHING = { rows: 0, released: 0, files: 0, marked: null };
