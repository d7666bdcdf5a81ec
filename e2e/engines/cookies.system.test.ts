import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawVideo, hasFfmpeg } from '../../server/src/images/testing/videos.ts';
import { texts as english } from '../../web/src/languages/en/texts.ts';
import { guestDe } from '../../web/src/texts/guest/de.ts';
import { joinDe } from '../../web/src/texts/guest/join.de.ts';
import { adminOf, createEvent, hostOf, OPEN_GALLERY, type Client, type EventUnderTest } from '../support/api.ts';
import { drawPhoto } from '../support/photos.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { ENGINES } from './engines.ts';
import { startFirefox } from './firefox.ts';
import type { Person } from './person.ts';

const PHONE = { width: 390, height: 844 };
const says = (text: string): string => `document.body.innerText.includes(${JSON.stringify(text)})`;
const whole = (text: string): string => `^${RegExp.escape(text)}$`;
const PASSWORD = 'Konfetti 100%';
const BLOCKED = 'Der Browser blockiert Cookies';

describe.skipIf(!ENGINES.Firefox.there)('in a browser that blocks all cookies (Firefox)', () => {
  let server: TestServer;
  let person: Person;
  let folder: string;
  let event: EventUnderTest;
  let admin: Client;
  let host: Client;

  beforeAll(async () => {
    [server, person, folder] = await Promise.all([
      startServer(),
      startFirefox(PHONE, { blocksCookies: true }),
      mkdtemp(join(tmpdir(), 'feierbild-cookies-')),
    ]);
    admin = await adminOf(server.url);
    event = await createEvent(admin, { with_videos: true });
    host = await hostOf(server.url, event);
  });
  afterAll(async () => {
    await person?.close();
    await server?.dispose();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  it('a link says why it opens nothing, and stays in the address: the guests’ gallery, the helper’s page, the wall', async () => {
    const gallery = await host.json<{ url: string }>('PUT', `/api/events/${event.code}/gallery`, OPEN_GALLERY);
    const helper = await host.json<{ url: string }>('POST', `/api/events/${event.code}/helper`);
    const wall = await host.json<{ url: string }>('POST', `/api/events/${event.code}/wall/link`, { value: true });
    for (const { url } of [gallery, helper, wall]) {
      const { pathname, hash } = new URL(url, server.url);
      const address = pathname.startsWith('/event/') ? `/galerie/${event.code}${hash}` : pathname + hash;
      await person.open(server.url + address);
      await person.until(says(BLOCKED), `the reason at ${pathname}`);
      await person.until(`location.pathname + location.hash === ${JSON.stringify(address)}`, 'the whole link, for a reload');
    }
  });

  it('a guest reads it in another language, too', async () => {
    await person.open(`${server.url}/galerie/${event.code}?lang=en`);
    await person.until(says('Your browser blocks cookies'), 'the reason');
  });

  it('a guest keeps the chosen language on the way to the event, and on the pages beside it', async () => {
    const { guest, join: joining, privacy, shell } = english;
    const locked = await createEvent(admin, { with_upload_password: true, user_upload_password: PASSWORD });
    await person.open(`${server.url}/event/${locked.code}?lang=en`);
    await person.press('link', whole(guest.page.unlock));
    await person.sees('heading', whole(joining.title));
    await person.press('link', whole(shell.privacy));
    await person.sees('heading', whole(privacy.title));
    await person.open(`${server.url}/event/${locked.code}?lang=en`);
    await person.press('link', whole(guest.page.unlock));
    await person.write(whole(joining.password), PASSWORD);
    await person.press('button', whole(joining.open));
    await person.sees('field', whole(guest.form.name));
  });

  it('a guest who chose German keeps it in the address of the event, which the same document shows', async () => {
    await person.open(`${server.url}/join?lang=de`);
    await person.write(whole(joinDe.code), event.code);
    await person.press('button', whole(joinDe.open));
    await person.sees('field', whole(guestDe.form.name));
    await person.until(`new URLSearchParams(location.search).get('lang') === 'de'`, 'the language, for a reload');
  });

  it('a host reads at the login that the browser blocks cookies, which would lead back to it without a word', async () => {
    await person.open(`${server.url}/login`);
    await person.write('Benutzername', event.host.username);
    await person.write('^Passwort', event.host.password);
    await person.press('button', '^Anmelden$');
    await person.until(says('Ihr Browser blockiert Cookies.'), 'the reason');
    await person.until(`location.pathname === '/login'`, 'the form');
  });

  it('a typed code says why it opens no wall', async () => {
    const { code } = await host.json<{ code: string }>('POST', `/api/events/${event.code}/wall/code`);
    await person.open(`${server.url}/tv`);
    await person.write('Code', code);
    await person.press('button', '^Öffnen$');
    await person.until(says(BLOCKED), 'the reason');
  });

  /** Sends one file, and waits for its end. */
  async function send(path: string): Promise<void> {
    await person.open(`${server.url}/event/${event.code}?lang=de`);
    await person.press('checkbox', 'Datenschutzhinweise');
    await person.pick([path]);
    await person.until(
      `[...document.querySelectorAll('button')].some((one) => one.textContent === 'Hochladen (1)' && !one.disabled && one.getAttribute('aria-disabled') !== 'true')`,
      'the button',
    );
    await person.press('button', '^Hochladen \\(1\\)$');
    await person.until(says('✓ Hochgeladen'), 'the end of the upload');
  }

  it.skipIf(!hasFfmpeg)('a guest sees the own video play', async () => {
    const path = join(folder, 'film.webm');
    await writeFile(path, await drawVideo({ container: 'webm', picture: 'vp9', sound: 'opus', seconds: 2 }));
    await send(path);
    await person.press('button', 'film.webm, ansehen');
    const plays = `(() => { const film = document.querySelector('dialog video'); if (film) film.muted = true; void film?.play().catch(() => 0); return film?.currentTime > 0; })()`;
    await person.until(plays, 'the video');
    await person.press('button', '^Löschen$');
    await person.press('button', '^Endgültig löschen$');
    await person.until(`document.querySelector('[aria-labelledby=meine-fotos]') === null`, 'an empty list');
  });

  it('a guest sees the own photos, large too, takes one back as a file, deletes it, and reads that the list ends with the page', async () => {
    const path = join(folder, 'bild-1.jpg');
    await writeFile(path, await drawPhoto(1, 640, 480));
    await send(path);
    // Pictures out of sight load later.
    const drawn = (selector: string): string =>
      `(() => { const one = document.querySelector(${JSON.stringify(selector)}); one?.scrollIntoView({ block: 'center' }); return one?.naturalWidth > 0; })()`;
    await person.until(drawn('[aria-labelledby=meine-fotos] li img'), 'the picture of the own photo');
    await person.until(says('Ohne Cookies gilt diese Liste, bis diese Seite geschlossen wird.'), 'how long the list lasts');
    await person.press('button', 'bild-1.jpg, ansehen');
    await person.until(drawn('dialog img'), 'the photo, large');
    const watch = `(() => { const { prototype } = HTMLAnchorElement; const { click } = prototype; prototype.click = function () { window.saved = [this.protocol, this.download].join(' '); click.call(this); }; return true; })()`;
    await person.until(watch, 'a look at links that are pressed');
    await person.press('button', '^Herunterladen$');
    await person.until(`window.saved === 'blob: bild-1.jpg'`, 'the photo to be saved');
    await person.press('button', '^Löschen$');
    await person.press('button', '^Endgültig löschen$');
    await person.until(`document.querySelector('[aria-labelledby=meine-fotos]') === null`, 'an empty list');
    expect((await host.json<{ total_photos: number }>('GET', `/api/events/${event.code}/stats`)).total_photos).toBe(0);
  });
});
