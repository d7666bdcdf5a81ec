import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { document as arabicDocument } from '../../web/src/languages/ar/document.ts';
import { texts as arabic } from '../../web/src/languages/ar/texts.ts';
import { document as turkishDocument } from '../../web/src/languages/tr/document.ts';
import { texts as turkish } from '../../web/src/languages/tr/texts.ts';
import { document as ukrainianDocument } from '../../web/src/languages/uk/document.ts';
import { texts as ukrainian } from '../../web/src/languages/uk/texts.ts';
import { speak } from '../../web/src/texts/speech.ts';
import { adminOf, createEvent, hostOf, OPEN_GALLERY, type EventUnderTest } from '../support/api.ts';
import { drawGrainy, FIXTURES } from '../support/photos.ts';
import { startProxy, type Proxy } from '../support/proxy.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { ENGINES } from './engines.ts';

const WINDOW = { width: 1200, height: 900 };
/** A photo of 2.4 MB. */
const REAL = join(FIXTURES, 'phones/apple-iphone-5_orientation-3_gps.jpg');

const PHONES = [
  { language: 'tr-TR', dir: 'ltr', texts: turkish, offer: turkishDocument.offer },
  { language: 'uk-UA', dir: 'ltr', texts: ukrainian, offer: ukrainianDocument.offer },
  { language: 'ar-SY', dir: 'rtl', texts: arabic, offer: arabicDocument.offer },
];
const PASSWORD = 'Konfetti & 100 %+"<';
const START = /^\/assets\/start-/;
const JOURNEYS = Object.entries(ENGINES).flatMap(([engine, { start, there }]) =>
  PHONES.map((phone) => ({ engine, start, there, ...phone })),
);

const whole = (text: string): string => `^${RegExp.escape(text)}$`;

describe('from the card to the thanks', () => {
  const owned = new AsyncDisposableStack();
  let server: TestServer;
  let proxy: Proxy;
  let event: EventUnderTest;
  let key: string;
  let photo: string;

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-engine-'));
    owned.defer(() => rm(folder, { recursive: true, force: true }));
    server = await startServer();
    owned.defer(() => server.dispose());
    proxy = await startProxy(server.url);
    owned.defer(() => proxy.close());
    event = await createEvent(await adminOf(server.url), { with_upload_password: true, user_upload_password: PASSWORD });
    const host = await hostOf(server.url, event);
    const { url } = await host.json<{ url: string }>('PUT', `/api/events/${event.code}/gallery`, OPEN_GALLERY);
    key = new URL(url, server.url).hash;
    photo = existsSync(REAL) ? REAL : join(folder, 'IMG_1.jpg');
    if (photo !== REAL) await writeFile(photo, await drawGrainy(1, 1500, 1000));
  });
  afterAll(() => owned.disposeAsync());

  for (const { engine, start, there, language, dir, texts, offer } of JOURNEYS)
    it.skipIf(!there)(`comes a phone in ${language}, in ${engine}`, async () => {
      const name = `${language} ${engine}`;
      const person = await start(WINDOW, { language });
      try {
        const { guest } = texts;
        // No script comes before a language is chosen, nor to the page that then shows.
        proxy.refuse(START);
        const address = `${proxy.url}/event/${event.code}?password=${encodeURIComponent(PASSWORD)}`;
        await person.open(address + key, true);
        await person.until(`navigator.language.startsWith('${language.slice(0, 2)}')`, 'a phone in this language');
        await person.until(`document.documentElement.lang === 'de'`, 'German until it is chosen');
        await person.press('button', whole(offer));
        await person.until(
          `[document.documentElement.lang, document.documentElement.dir || 'ltr'].join() === '${language.slice(0, 2)},${dir}'`,
          'the page in the language of the phone',
        );
        await person.until(
          `[location.hash, new URLSearchParams(location.search).get('password')].join() === ${JSON.stringify(`${key},${PASSWORD}`)}`,
          'an address that still holds the key and the password',
        );
        proxy.refuse(null);
        await person.open(address);
        // Firefox reports an error if a page is left while its code loads.
        const before = person.errors().length;
        await person.sees('heading', whole(event.title));
        await person.write(whole(guest.form.name), name);
        await person.pick([photo]);
        await person.press('checkbox', '.');
        speak(texts);
        const [send, thanks] = [guest.bar.send(1), guest.thanks.title(name)];
        await person.press('button', whole(send));
        await person.sees('heading', whole(thanks));
        await person.until(`document.body.innerText.includes(${JSON.stringify(guest.bar.done)})`, 'the end of the upload');
        expect(person.errors().slice(before)).toEqual([]);
      } finally {
        speak({});
        await person.close();
      }
      const host = await hostOf(server.url, event);
      const { photos } = await host.json<{ photos: { device: { name: string } }[] }>('GET', `/api/events/${event.code}/photos`);
      expect(photos.filter(({ device }) => device.name === name)).toHaveLength(1);
    });
});
