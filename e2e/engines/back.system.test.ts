import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminOf, createEvent, deviceOf, hostOf, OPEN_GALLERY, upload, type Client } from '../support/api.ts';
import { drawPhoto } from '../support/photos.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { ENGINES } from './engines.ts';
import type { Person } from './person.ts';

const WINDOW = { width: 1200, height: 900 };
/** The engines that keep a left page whole; Chromium's driver switches this off. */
const { Firefox, WebKit } = ENGINES;

/** Expression for the number of photos in a gallery. */
const PHOTOS = `document.querySelectorAll('[data-photo]').length`;
const LOGIN = `location.pathname === '/login' && document.querySelector('[data-photo], main img[src*="/api/photos/"]') === null`;

/** Goes to another page in the same tab, and back by the browser's button once `meanwhile` is done. The page must be the same as before. */
async function leaveAndReturn(person: Person, meanwhile: () => Promise<unknown>): Promise<void> {
  await person.until(`(window.isOld = true, setTimeout(() => location.assign('/impressum')), true)`, 'the way out');
  await person.until(`!window.isOld && document.readyState === 'complete'`, 'the other page');
  await meanwhile();
  await person.until('(window.isAway = true, setTimeout(() => history.back()), true)', 'the way back');
  await person.until('!window.isAway && document.body !== null', 'the page before');
  await person.until('window.isOld === true', 'the page that the browser has kept', 1000);
}

describe.each(Object.entries({ Firefox, WebKit }))('a page that was left and comes back by the button, in %s', (_, { start, there }) => {
  const owned = new AsyncDisposableStack();
  let server: TestServer;
  let person: Person;
  let admin: Client;

  beforeAll(async () => {
    if (!there) return;
    server = owned.adopt(await startServer(), (one) => one.dispose());
    person = owned.adopt(await start(WINDOW), (one) => one.close());
    admin = await adminOf(server.url);
  });
  afterAll(() => owned.disposeAsync());

  /** Makes an event with a photo. */
  async function party() {
    const event = await createEvent(admin);
    const [host, device] = [await hostOf(server.url, event), await deviceOf(server.url)];
    const send = async (seed: number): Promise<string> => {
      const answer = await upload({ url: server.url, code: event.code, device, file: await drawPhoto(seed, 320, 240) });
      return ((await answer.json()) as { photo: { id: string } }).photo.id;
    };
    return { event, host, send, first: await send(1) };
  }

  /** Opens a page of the host, who logs in for it. */
  async function openAsHost(path: string, { username, password }: { username: string; password: string }): Promise<void> {
    await person.open(server.url + path);
    await person.write('Benutzername', username);
    await person.write('^Passwort', password);
    await person.press('button', '^Anmelden$');
  }

  it.skipIf(!there)('has the news and the settings if it is the host’s, and leads to the login once the session has ended', async () => {
    const { event, host, send } = await party();
    await openAsHost(`/manage/${event.code}`, event.host);
    const figure = `document.querySelector('[aria-label="Auf einen Blick"] strong')?.textContent`;
    const names = `[...document.querySelectorAll('[role=switch]')].find((one) => one.textContent.startsWith('Namen der Gäste'))?.ariaChecked`;
    await person.until(`${figure} === '1' && ${names} === 'true'`, 'the host’s page');
    await leaveAndReturn(person, async () => {
      await send(2);
      await host.json('PUT', `/api/events/${event.code}/slideshow_names`, { value: false });
    });
    await person.until(`${figure} === '2' && ${names} === 'false'`, 'the news');
    await leaveAndReturn(person, () => admin.json('PUT', `/admin/events/${event.id}/user/password`, {}, 200));
    await person.until(LOGIN, 'the login');
    expect(person.errors()).toEqual([]);
  });

  it.skipIf(!there)('has the news if it is the host’s gallery, and leads to the login once the session has ended', async () => {
    const { event, host, send, first } = await party();
    await openAsHost(`/gallery/${event.code}`, event.host);
    await person.until(`${PHOTOS} === 1`, 'the host’s gallery');
    await leaveAndReturn(person, async () => {
      await send(2);
      await send(3);
      await host.json('DELETE', `/api/photos/${first}`, undefined, 204);
    });
    await person.until(`${PHOTOS} === 2`, 'two other photos');
    await leaveAndReturn(person, () => admin.json('PUT', `/admin/events/${event.id}/user/password`, {}, 200));
    await person.until(LOGIN, 'the login');
    expect(person.errors()).toEqual([]);
  });

  it.skipIf(!there)('has the news and the settings if it is the guests’ gallery, and closes with it', async () => {
    const { event, host, send, first } = await party();
    const set = (settings: object) => host.json<{ url: string }>('PUT', `/api/events/${event.code}/gallery`, settings);
    const { url } = await set(OPEN_GALLERY);
    await person.open(server.url + url);
    await person.until(`${PHOTOS} === 1`, 'the guests’ gallery');
    await leaveAndReturn(person, async () => {
      await send(2);
      await send(3);
      await host.json('PUT', `/api/photos/${first}/slideshow`, { value: false });
      await host.json('PUT', `/api/events/${event.code}/look`, { palette: null, welcome: 'Schön war es!' });
    });
    await person.until(`${PHOTOS} === 2 && document.body.innerText.includes('Schön war es!')`, 'two other photos, and the new sentence');
    await leaveAndReturn(person, () => set({ ...OPEN_GALLERY, mode: 'drop' }));
    await person.until(`${PHOTOS} === 0`, 'the end of the gallery');
    await person.sees('heading', '^Für diese Galerie fehlt der Link$');
    expect(person.errors()).toEqual([]);
  });
});
