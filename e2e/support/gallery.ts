import type { Browser, BrowserContext, Locator, Page } from 'playwright';
import sharp from 'sharp';
import { beforeEach } from 'vitest';
import { adminOf, createEvent, deviceOf, hostOf, upload, type Client, type EventUnderTest } from './api.ts';
import { DESKTOP } from './browser.ts';
import { openAsHost } from './login.ts';
import { drawPhoto } from './photos.ts';
import type { TestServer } from './server.ts';
import { useServer } from './use-server.ts';

export interface Listed {
  id: string;
  filename: string;
  slideshow: boolean;
  waiting?: true;
}

/** Makes six photos. The camera's times are in the reverse order of `uploadByTwo`. */
export function sixPictures(): Promise<Buffer[]> {
  return Promise.all(
    Array.from({ length: 6 }, async (_, n) =>
      sharp(await drawPhoto(n, 320, 240))
        .withExif({ IFD2: { DateTimeOriginal: `2026:05:1${9 - n} 12:00:00` } })
        .jpeg()
        .toBuffer(),
    ),
  );
}

/** Uploads photos as `foto-0.jpg` …, the first four as Anna, the others as Bärbel. Returns Anna's device. */
export async function uploadByTwo(server: TestServer, event: EventUnderTest, pictures: Buffer[]): Promise<string> {
  const [anna, baerbel] = [await deviceOf(server.url), await deviceOf(server.url)];
  for (const [n, file] of pictures.entries()) {
    const [device, deviceName] = n < 4 ? [anna, 'Anna'] : [baerbel, 'Bärbel'];
    const answer = await upload({ url: server.url, code: event.code, device, deviceName, file, name: `foto-${n}.jpg` });
    if (answer.status !== 201) throw new Error(`upload: ${answer.status}`);
  }
  return anna;
}

interface TestGallery {
  server: TestServer;
  browser: Browser;
  admin: Client;
  pictures: Buffer[];
  event: EventUnderTest;
  host: Client;
  /** Anna's device id. */
  anna: string;
}

/** Starts a server and a browser, and makes a new event with the six photos before each test. */
export function beforeEachGallery(onOpen: (opened: TestGallery) => void): void {
  let started: Pick<TestGallery, 'server' | 'browser' | 'admin' | 'pictures'>;
  useServer(async ({ server, browser }) => {
    started = { server, browser, admin: await adminOf(server.url), pictures: await sixPictures() };
  });
  beforeEach(async () => {
    const { server, admin, pictures } = started;
    const event = await createEvent(admin);
    const host = await hostOf(server.url, event);
    onOpen({ ...started, event, host, anna: await uploadByTwo(server, event, pictures) });
  });
}

/** Opens the event's gallery in a browser in which its host is logged in. */
export async function openGallery(
  browser: Browser,
  server: TestServer,
  event: EventUnderTest,
  viewport = DESKTOP,
): Promise<{ page: Page; context: BrowserContext }> {
  const { page, context } = await openAsHost(browser, server.url, event, viewport);
  await page.goto(`/gallery/${event.code}`);
  // On a phone not all photos are in the document.
  await thumbnailsOf(page).nth(3).waitFor({ state: 'attached' });
  return { page, context };
}

export const thumbnailsOf = (page: Page): Locator => page.locator('main img[src*="/thumbnail"]');
export const cardsOf = (page: Page): Locator => page.getByRole('checkbox', { name: /^Foto von/ });
export const barOf = (page: Page): Locator => page.getByRole('region', { name: 'Auswahl' });

/** Lists the event's photos as its host. */
export async function listPhotos(host: Client, event: EventUnderTest): Promise<Listed[]> {
  return (await host.json<{ photos: Listed[] }>('GET', `/api/events/${event.code}/photos?per_page=100`)).photos;
}
export const namesOf = (photos: Listed[]): string[] => photos.map(({ filename }) => filename).toSorted();
