import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Photo } from '@feierbild/contract/entities.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminOf, createEvent, hostOf, OPEN_GALLERY, type EventUnderTest } from '../support/api.ts';
import { drawPhoto } from '../support/photos.ts';
import { startProxy } from '../support/proxy.ts';
import { DONE, KEPT, photos, stored as storedPhotos } from '../support/queue.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { ENGINES } from './engines.ts';
import { startFirefox } from './firefox.ts';
import type { Person } from './person.ts';

const PHOTOS = 6;
/** EXIF orientations: upside down, a mirrored quarter turn, and a quarter turn. */
const HELD = [3, 5, 6];
/** A line so slow that previews help. */
const SLOW = { bytesPerSecond: 400_000, delayMs: 20 };
const KILLED_PHOTOS = 40;
const WINDOW = { width: 1200, height: 900 };

/** Asks whether enough pictures are there, some drawn and none broken; scrolls to the first, because those out of sight may come later. */
const drawn = (selector: string, least: number): string =>
  `(() => { const all = [...document.querySelectorAll(${JSON.stringify(selector)})];
    all[0]?.scrollIntoView({ block: 'center' });
    return all.length >= ${least} && all.some((picture) => picture.naturalWidth > 0)
      && !all.some((picture) => picture.complete && picture.currentSrc && picture.naturalWidth === 0); })()`;

/** Expression for the numbers of the drawn photos under „Meine Fotos“. */
const OWN = `[...document.querySelectorAll('[aria-labelledby=meine-fotos] li button')].map((one) => /bild-(\\d+)/.exec(one.ariaLabel)?.[1]).sort().join(' ')`;

/** Builds an expression that is true if a button can be pressed. */
const enabled = (text: string): string =>
  `[...document.querySelectorAll('button')].some((one) => one.textContent === '${text}' && !one.disabled && one.getAttribute('aria-disabled') !== 'true')`;

/** Releases all photos but the first while the server is gone. The first one is stored before, which loads the code that keeps photos. */
async function releaseOffline(person: Person, server: TestServer, paths: string[]): Promise<void> {
  const [first, ...others] = paths as [string, ...string[]];
  await person.pick([first]);
  await person.until(enabled('Hochladen (1)'), 'the button');
  await person.press('button', '^Hochladen \\(1\\)$');
  await person.until(`document.body.innerText.includes('✓ Hochgeladen')`, 'the first photo stored');
  await person.pick(others);
  await person.until(enabled(`Hochladen (${others.length})`), 'the button');
  await server.kill();
  await person.press('button', `^Hochladen \\(${others.length}\\)$`);
}

/** Closes the open photo, and waits until the browser is back at the gallery's address. */
async function closePhoto(person: Person): Promise<void> {
  await person.press('button', '^Schließen$');
  await person.until(
    `document.querySelector('.yarl__portal') === null && location.search === ''`,
    'the gallery without the viewer above it',
  );
}

/** Goes two pages back, as with the browser's button, and waits for that page, which is loaded again or as the browser has kept it. */
async function goBack(person: Person): Promise<void> {
  await person.until('(window.isLater = true, setTimeout(() => history.go(-2)), true)', 'the way back');
  await person.until('!window.isLater && document.body !== null', 'the page before');
}

/** Leaves the page once it says that the photos are kept, and suppresses its question. */
async function leaveWhenKept(person: Person): Promise<void> {
  await person.until(`document.body.innerText.includes('geht es beim nächsten Öffnen weiter')`, 'the word that the photos are kept');
  await person.until(`(window.addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), true), true)`, 'silence');
  await person.open('about:blank');
}

/** Restarts the server, reopens the page, and returns the event's number of photos once the page has sent the kept ones. */
async function storedAfterReturn(person: Person, server: TestServer, party: EventUnderTest): Promise<number> {
  await server.restart();
  await person.open(`${server.url}/event/${party.code}`);
  await person.until(`document.body.innerText.includes('✓ Hochgeladen')`, 'the end of the upload');
  return storedOf(server, party);
}

async function storedOf(server: TestServer, party: EventUnderTest): Promise<number> {
  const host = await hostOf(server.url, party);
  const { photos } = await host.json<{ photos: unknown[] }>('GET', `/api/events/${party.code}/photos`);
  return photos.length;
}

/** Draws photos into files, and returns their paths. */
function drawInto(folder: string, seeds: number[]): Promise<string[]> {
  return Promise.all(
    seeds.map(async (seed) => {
      const path = join(folder, `bild-${seed}.jpg`);
      await writeFile(path, await drawPhoto(seed, 640, 480));
      return path;
    }),
  );
}

describe.each(Object.entries(ENGINES))('the main ways in %s', (name, { start, there }) => {
  if (!there) console.log(`skipped: ${name} is not on this machine`);
  let server: TestServer;
  let person: Person;
  let event: EventUnderTest;
  let folder: string;

  beforeAll(async () => {
    if (!there) return;
    [server, person, folder] = await Promise.all([startServer(), start(WINDOW), mkdtemp(join(tmpdir(), 'feierbild-engine-'))]);
    event = await createEvent(await adminOf(server.url));
  });

  afterAll(async () => {
    await person?.close();
    await server?.dispose();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  async function logIn(): Promise<void> {
    await person.write('Benutzername', event.host.username);
    await person.write('^Passwort', event.host.password);
    await person.press('button', '^Anmelden$');
  }

  it.skipIf(!there)('lets a guest join, upload photos and see them as the own ones', async () => {
    const paths = await Promise.all(
      Array.from({ length: PHOTOS }, async (_, seed) => {
        const path = join(folder, `bild-${seed}.jpg`);
        await writeFile(path, await drawPhoto(seed, seed % 2 ? 900 : 1600, seed % 2 ? 1600 : 900));
        return path;
      }),
    );
    await person.open(`${server.url}/join`);
    await person.write('Code', event.code.toLowerCase());
    await person.press('button', '^Event öffnen$');
    await person.sees('heading', event.title);
    await person.write('Dein Name', 'Bärbel');
    await person.pick(paths);
    await person.until(`document.body.innerText.includes('Hochladen (${PHOTOS})')`, 'all picked photos');
    await person.press('checkbox', 'Datenschutzhinweise');
    await person.press('button', '^Hochladen \\(\\d+\\)$');
    await person.until(`document.body.innerText.includes('✓ Hochgeladen')`, 'the end of the upload');
    await person.until(drawn('img[src*="/api/photos/"]', PHOTOS), 'the own photos');
    const host = await hostOf(server.url, event);
    const { photos } = await host.json<{ photos: { device: { name: string } }[] }>('GET', `/api/events/${event.code}/photos`);
    expect(photos.map(({ device }) => device.name)).toEqual(Array(PHOTOS).fill('Bärbel'));
    expect(person.errors()).toEqual([]);
  });

  it.skipIf(!there)('lets the host log in, open a photo in full screen, and make the ZIP', async () => {
    await person.open(`${server.url}/manage`);
    await logIn();
    await person.sees('heading', event.title);
    await person.press('link', 'Galerie');
    await person.until(drawn('img[src*="/thumbnail"]', PHOTOS), 'the thumbnails');
    await person.press('button', '^Foto von Bärbel');
    await person.until(drawn('img[src*="/preview"]', 1), 'the photo at full size');
    await closePhoto(person);
    await person.press('button', '^ZIP erstellen$');
    await person.sees('button', '^Neu generieren$');
    expect(person.errors()).toEqual([]);
  });

  it.skipIf(!there)('shows a host who logged out no page that the browser has kept', async () => {
    await person.open(`${server.url}/gallery/${event.code}`);
    await person.until(drawn('img[src*="/thumbnail"]', PHOTOS), 'the thumbnails');
    await person.open(`${server.url}/manage/${event.code}`);
    await person.press('button', '^Abmelden$');
    await person.sees('button', '^Anmelden$');
    await goBack(person);
    await person.until(`location.pathname === '/login' && location.search.includes('gallery')`, 'the login instead of the gallery');
    await logIn();
    await person.sees('heading', event.title);
  });

  it.skipIf(!there)('shows the slideshow', async () => {
    await person.open(`${server.url}/slideshow/${event.code}`);
    await person.until(drawn('img[src*="/preview"]', 1), 'a picture on the wall');
    expect(person.errors()).toEqual([]);
  });

  it.skipIf(!there)('opens the guests’ gallery by its link, takes a heart there, and photos’ releases by thumb', async () => {
    const host = await hostOf(server.url, event);
    const { url } = await host.json<{ url: string }>('PUT', `/api/events/${event.code}/gallery`, OPEN_GALLERY);
    await person.open(server.url + url);
    await person.until(drawn('img[src*="/thumbnail"]', PHOTOS), 'the thumbnails');
    await person.until(`location.hash === ''`, 'an address without the token');
    await person.press('button', '^Gefällt mir$');
    const photosOf = async () => (await host.json<{ photos: Photo[] }>('GET', `/api/events/${event.code}/photos?per_page=100`)).photos;
    await expect.poll(async () => (await photosOf()).filter(({ hearts }) => hearts === 1).length).toBe(1);
    await person.press('button', '^Foto von Bärbel');
    await person.until(drawn('.yarl__root img[src*="/preview"]', 1), 'the photo at full size');
    await closePhoto(person);

    const [photo] = await photosOf();
    await host.json('PUT', `/api/photos/${photo!.id}/slideshow`, { waiting: true });
    const helper = await host.json<{ url: string }>('POST', `/api/events/${event.code}/helper`);
    await person.open(server.url + helper.url);
    await person.until(drawn('main img[src*="/preview"]', 1), 'the photo that waits');
    await person.press('button', '^Zeigen$');
    await person.sees('heading', '^Alles entschieden$');
    await expect.poll(async () => (await photosOf()).find(({ id }) => id === photo!.id)?.slideshow).toBe(true);
    expect(person.errors()).toEqual([]);
  });

  it.skipIf(!there)('draws previews that show what their originals are, however the camera was held', async () => {
    // A busy machine draws some previews too late, and sends these photos alone; they are tried again.
    let left = HELD;
    for (let seed = 1; left.length > 0; seed += HELD.length) left = await heldWithoutPreview(left, seed);
    expect(person.errors()).toEqual([]);
  });

  /** Lets a guest at a new event send photos of these orientations; returns those of which the page drew no preview. */
  async function heldWithoutPreview(orientations: number[], seed: number): Promise<number[]> {
    const party = await createEvent(await adminOf(server.url));
    await using owned = new AsyncDisposableStack();
    const proxy = owned.adopt(await startProxy(server.url, SLOW), (one) => one.close());
    const nameOf = (orientation: number): string => `gehalten-${orientation}-${seed}.jpg`;
    const draw = async (orientation: number): Promise<string> => {
      const photo = sharp(await drawPhoto(seed + orientation, 2000, 1500)).withMetadata({ orientation });
      await photo.jpeg({ quality: 95 }).toFile(join(folder, nameOf(orientation)));
      return join(folder, nameOf(orientation));
    };
    const paths = await Promise.all(orientations.map(draw));
    await person.open(`${proxy.url}/event/${party.code}`);
    await person.pick(paths);
    await person.until(drawn('img[src^="blob:"]', paths.length), 'the tiles, and with them the previews');
    await person.press('checkbox', 'Datenschutzhinweise');
    await person.press('button', '^Hochladen \\(\\d+\\)$');
    await person.until(`document.body.innerText.includes('✓ Hochgeladen')`, 'the end of the upload');
    const host = await hostOf(server.url, party);
    const shown = async () => (await host.json<{ photos: Photo[] }>('GET', `/api/events/${party.code}/photos`)).photos;
    await expect.poll(async () => (await shown()).map(({ state }) => state)).toEqual(paths.map(() => 'stored'));
    const kinds = new Map((await shown()).map(({ filename, preview_url }) => [filename, preview_url.split('?')[1]]));
    expect([...kinds.values()], 'previews that were replaced').not.toContain('replaced');
    return orientations.filter((orientation) => kinds.get(nameOf(orientation)) !== 'drawn');
  }

  it.skipIf(!there)('keeps submitted photos where server and page are gone, and stores them without a tap when both are back', async () => {
    const party = await createEvent(await adminOf(server.url));
    await person.open(`${server.url}/event/${party.code}`);
    await person.press('checkbox', 'Datenschutzhinweise');
    await releaseOffline(person, server, await drawInto(folder, [21, 22, 23]));
    // The removal of a photo is still being stored when the browser puts the page away; WebKit freezes it as it is.
    const tile = `document.querySelector('button[aria-label^="bild-22.jpg"]:enabled')`;
    await person.until(`${tile} && (window.addEventListener('pagehide', () => ${tile}.click()), true)`, 'the photo to be taken away');
    await leaveWhenKept(person);
    expect(await storedAfterReturn(person, server, party)).toBe(2);
    // The browser may have kept the first page as it was; that page sends nothing twice.
    await goBack(person);
    await person.until(`!document.body.innerText.includes('Wartet auf') && ${OWN} === '21 23'`, 'both photos, each once, and its end');
    expect(await storedOf(server, party)).toBe(2);
  });
});

// The test of Chromium is ../guest-killed.system.test.ts.
describe.skipIf(!ENGINES.Firefox.there)('a guest whose Firefox is killed', () => {
  const owned = new AsyncDisposableStack();
  let server: TestServer;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'feierbild-engine-'));
    owned.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
    server = await startServer();
    owned.defer(() => server.dispose());
  });
  afterAll(() => owned.disposeAsync());

  // The test takes two starts of a browser, and some 20 s for 40 photos on this line.
  it('in the middle of 40 photos has all of them sent from the same profile, without a tap', async () => {
    const event = await createEvent(await adminOf(server.url));
    const proxy = owned.adopt(await startProxy(server.url, { bytesPerSecond: 2_000_000 }), (one) => one.close());
    const paths = await Promise.all(
      (await photos(KILLED_PHOTOS)).map(async ({ name, buffer }) => {
        await writeFile(join(folder, name), buffer);
        return join(folder, name);
      }),
    );
    const profile = join(folder, 'profile');
    await mkdir(profile);
    const first = await startFirefox(WINDOW, { profile });
    owned.defer(() => first.kill());
    await first.open(`${proxy.url}/event/${event.code}`);
    await first.pick(paths);
    await first.press('checkbox', 'Datenschutzhinweise');
    await first.until(enabled(`Hochladen (${KILLED_PHOTOS})`), 'the button');
    await first.press('button', `^Hochladen \\(${KILLED_PHOTOS}\\)$`);
    await expect.poll(() => storedPhotos(server, event)).toBeGreaterThan(3);
    proxy.become('bad-gateway');
    await first.until(`document.body.innerText.includes('${KEPT}')`, 'the word that all are kept');
    expect(await storedPhotos(server, event)).toBeLessThan(KILLED_PHOTOS);
    await first.kill();
    proxy.become('open');
    const next = owned.adopt(await startFirefox(WINDOW, { profile }), (one) => one.close());
    await next.open(`${proxy.url}/event/${event.code}`);
    await next.until(`document.body.innerText.includes('${DONE}')`, 'the end of the upload');
    expect(await storedPhotos(server, event)).toBe(KILLED_PHOTOS);
    expect(next.errors()).toEqual([]);
  });
});

/** Ways without storage: Firefox refuses the first its private file system; the second all storage, and locks and channels of pages. */
const FORGETFUL = [
  ['a private window', { isPrivate: true }],
  ['a browser that blocks all cookies', { blocksCookies: true }],
] as const;

describe.skipIf(!ENGINES.Firefox.there).each(FORGETFUL)('a guest in %s (Firefox)', (_, options) => {
  let server: TestServer;
  let person: Person;
  let folder: string;

  beforeAll(async () => {
    [server, person, folder] = await Promise.all([
      startServer(),
      startFirefox(WINDOW, options),
      mkdtemp(join(tmpdir(), 'feierbild-engine-')),
    ]);
  });
  afterAll(async () => {
    await person?.close();
    await server?.dispose();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  it('has the photos stored after an outage, and shows no hint that they are kept when the window is closed', async () => {
    const event = await createEvent(await adminOf(server.url));
    const paths = await drawInto(folder, [31, 32, 33]);
    await person.open(`${server.url}/event/${event.code}`);
    await person.until(
      `(navigator.storage.getDirectory().then(() => (window.opfs = true), () => (window.opfs = false)), window.opfs === false)`,
      'a browser that keeps no files',
    );
    await person.press('checkbox', 'Datenschutzhinweise');
    await releaseOffline(person, server, paths);
    await person.until(`document.body.innerText.includes('Wartet auf Netz')`, 'the word that it waits');
    await person.until(`document.body.innerText.includes('0 von 2 angekommen. Bitte diese Seite offen lassen.')`, 'what is true');
    await server.restart();
    await person.until(`document.body.innerText.includes('✓ Hochgeladen')`, 'the end of the upload');
    const host = await hostOf(server.url, event);
    const { photos } = await host.json<{ photos: unknown[] }>('GET', `/api/events/${event.code}/photos`);
    expect(photos).toHaveLength(3);
    expect(person.errors()).toEqual([]);
  });
});
