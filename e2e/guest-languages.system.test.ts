import type { Browser, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { FOREIGN } from '../web/src/languages/foreign.ts';
import { LANGUAGES } from '@feierbild/contract/languages.ts';
import { texts as arabic } from '../web/src/languages/ar/texts.ts';
import { texts as turkish } from '../web/src/languages/tr/texts.ts';
import { texts as ukrainian } from '../web/src/languages/uk/texts.ts';
import { document as arabicDocument } from '../web/src/languages/ar/document.ts';
import { document as turkishDocument } from '../web/src/languages/tr/document.ts';
import { document as ukrainianDocument } from '../web/src/languages/uk/document.ts';
import { speak } from '../web/src/texts/speech.ts';
import { violationsOf } from './support/accessible.ts';
import { createEvent, deviceOf, hostOf, OPEN_GALLERY, upload, type Client, type EventUnderTest } from './support/api.ts';
import { useAdmin } from './support/use-server.ts';
import { drawPhoto } from './support/photos.ts';
import type { TestServer } from './support/server.ts';

const PHONE = { width: 390, height: 844 };
const WIDTHS = [320, 390, 1440];
const PASSWORD = 'Konfetti 100%';

const PHONES = [
  { locale: 'tr-TR', language: 'tr', dir: 'ltr', texts: turkish, offer: turkishDocument.offer },
  { locale: 'uk-UA', language: 'uk', dir: 'ltr', texts: ukrainian, offer: ukrainianDocument.offer },
  { locale: 'ar-SY', language: 'ar', dir: 'rtl', texts: arabic, offer: arabicDocument.offer },
];

/** Returns a line's characters in written order, and as they are drawn from left to right. */
function orderOf(line: Element): [string, string] {
  const texts = line.ownerDocument.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  const all: { letter: string; left: number }[] = [];
  while (texts.nextNode()) {
    const { currentNode: node } = texts;
    for (const [n, letter] of [...(node.textContent ?? '')].entries()) {
      const range = line.ownerDocument.createRange();
      range.setStart(node, n);
      range.setEnd(node, n + 1);
      const { left, width } = range.getBoundingClientRect();
      if (width > 0) all.push({ letter, left });
    }
  }
  const said = (): string => all.map(({ letter }) => letter).join('');
  const written = said();
  all.sort((one, another) => one.left - another.left);
  return [written, said()];
}

describe('a guest whose phone is in another language', () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;
  let event: EventUnderTest;

  useAdmin(async (started) => {
    ({ server, browser, admin } = started);
    event = await createEvent(admin, {
      title: 'Łucja & Jörg!',
      with_upload_password: true,
      user_upload_password: PASSWORD,
    });
  });

  /** Expects that the page does not scroll sideways at any width, and that it is accessible. */
  async function look(page: Page, what: string): Promise<void> {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: PHONE.height });
      // Photos find their places a moment after the window's size has changed.
      const beyond = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      await expect.poll(beyond, { message: `${what}, ${width} px` }).toBe(0);
    }
    await page.setViewportSize(PHONE);
    expect.soft(await violationsOf(page), what).toEqual([]);
  }

  it.each(PHONES)('comes from the card to the thanks: $locale', async ({ locale, language, dir, texts, offer }) => {
    speak(texts);
    const { join, guest, later } = texts;
    const context = await browser.newContext({ baseURL: server.url, viewport: PHONE, locale, timezoneId: 'Europe/Berlin' });
    const page = await context.newPage();
    const spoken = () => page.evaluate(() => [document.documentElement.lang, document.documentElement.dir || 'ltr']);

    await page.goto('/join');
    expect(await spoken()).toEqual(['de', 'ltr']);
    await page.getByRole('button', { name: offer }).click();
    await page.getByRole('heading', { name: join.title }).waitFor();
    expect(await spoken()).toEqual([language, dir]);
    await look(page, 'join');
    await page.getByLabel(join.code, { exact: true }).fill(event.code);
    await page.getByRole('button', { name: join.open }).click();

    // If a code comes without its password, the event's page shows the way on.
    await page.waitForURL(`**/event/${event.code}`);
    await page.getByRole('heading', { name: guest.page.password }).waitFor();
    await look(page, 'locked');
    await page.getByRole('link', { name: guest.page.unlock }).click();
    await page.getByLabel(join.password, { exact: true }).fill('falsch');
    await page.getByRole('button', { name: join.open }).click();
    await page.getByText(texts.shell.hints.wrong).waitFor();
    await page.getByLabel(join.password, { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: join.open }).click();

    await page.getByLabel(guest.form.name).fill('Ayşe');
    await look(page, 'event');
    const buffer = await drawPhoto(locale.length, 640, 480);
    await page.locator('input[type=file]').setInputFiles([
      { name: 'IMG_1.jpg', mimeType: 'image/jpeg', buffer },
      { name: 'IMG_2.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') },
    ]);
    await page.getByText(guest.bar.hint).first().waitFor();
    await look(page, 'chosen');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: guest.bar.send(2) }).click();
    await page.getByRole('heading', { name: guest.thanks.title('Ayşe') }).waitFor();
    await page.getByText(later.failures.causes.not_a_photo.reason).waitFor();
    await look(page, 'thanks');

    await page.reload();
    await page.getByRole('button', { name: guest.form.report }).click();
    await page.getByText(texts.report.truth).waitFor();
    await look(page, 'report');
    await page.getByRole('button', { name: texts.shell.close }).last().click();

    await page.getByRole('button', { name: guest.tile.view('IMG_1.jpg') }).click();
    await page.getByRole('button', { name: later.mine.remove }).click();
    await page.getByText(later.mine.deleteText(false, 'IMG_1.jpg')).waitFor();
    await look(page, 'deletion');
    await page.getByRole('button', { name: later.mine.deleteNow }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await spoken()).toEqual([language, dir]);
    expect(new URL(page.url()).searchParams.get('password')).toBe(PASSWORD);

    // The list of languages at the foot leads back to German, and keeps the password in the address.
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByLabel('Dein Name').waitFor();
    expect([await spoken(), new URL(page.url()).searchParams.get('password')]).toEqual([['de', 'ltr'], PASSWORD]);
    speak({});
    await context.close();
  });

  const send = async (party: EventUnderTest, deviceName: string, seed: number): Promise<void> => {
    const [device, file] = [await deviceOf(server.url), await drawPhoto(seed, 640, 480)];
    expect((await upload({ url: server.url, code: party.code, device, deviceName, file })).status).toBe(201);
  };

  const PAGES = [
    { role: 'helper', path: 'freigabe', code: 'main' },
    { role: 'gallery', path: 'galerie', code: 'guest-gallery' },
    { role: 'gallery', path: 'event', code: 'guest' },
  ];
  it.each(PAGES)('keeps what its link says who chooses a language at once: /$path', async ({ role, path, code }) => {
    const party = await createEvent(admin);
    const host = await hostOf(server.url, party);
    const api = `/api/events/${party.code}`;
    const gallery = await host.json<{ url: string }>('PUT', `${api}/gallery`, OPEN_GALLERY);
    const helper = await host.json<{ url: string }>('POST', `${api}/helper`);
    const key = new URL(role === 'helper' ? helper.url : gallery.url, server.url).hash;
    const context = await browser.newContext({ baseURL: server.url, viewport: PHONE, locale: 'tr-TR' });
    const page = await context.newPage();

    // At first no script has come, then not the page's own one, and at last not the answer about the key.
    const START = /\/assets\/start-[^/]*\.js$/;
    const CODE = new RegExp(`/assets/${code}-[^/]*\\.js$`);
    const LOGIN = '**/auth/*/login';
    await page.route(CODE, () => undefined);
    await page.route(LOGIN, () => undefined);
    await page.route(START, () => undefined);
    await page.goto(`/${path}/${party.code}?password=%22%26${key}`, { waitUntil: 'commit' });
    await page.getByRole('button', { name: turkishDocument.offer }).click();
    await page.waitForURL(`**/${path}/${party.code}?password=%22%26&lang=tr${key}`, { waitUntil: 'commit' });
    await page.unroute(START);
    await page.goto(`/${path}/${party.code}?a=1${key}`, { waitUntil: 'domcontentloaded' });
    await page.getByRole('button', { name: 'Polski' }).click();
    await page.waitForURL(`**/${path}/${party.code}?a=1&lang=pl${key}`, { waitUntil: 'domcontentloaded' });
    await page.unroute(CODE);
    await Promise.all([page.waitForRequest(LOGIN), page.reload({ waitUntil: 'domcontentloaded' })]);
    await page.getByRole('button', { name: 'English' }).click();
    await page.waitForURL(`**/${path}/${party.code}?a=1&lang=en${key}`, { waitUntil: 'domcontentloaded' });
    await page.unroute(LOGIN);
    await page.reload();
    await page.waitForURL(({ hash }) => hash === '');
    const cookies = (await context.cookies()).map(({ name }) => name);
    expect(
      cookies.some((name) => name.includes(role)),
      String(cookies),
    ).toBe(true);
    await context.close();
  });

  it('leads through photos by swipes and arrow keys as one reads, from the right in Arabic', async () => {
    const party = await createEvent(admin);
    const host = await hostOf(server.url, party);
    for (const seed of [1, 2, 3]) await send(party, 'Ayşe', seed);
    const { url } = await host.json<{ url: string }>('PUT', `/api/events/${party.code}/gallery`, OPEN_GALLERY);
    for (const language of ['ar', 'en'] as const) {
      const context = await browser.newContext({ baseURL: server.url, viewport: PHONE, hasTouch: true, locale: 'en-GB' });
      const page = await context.newPage();
      const fingers = await context.newCDPSession(page);
      await page.goto(url.replace('#', `?lang=${language}#`));
      const photos = page.locator('[data-photo]');
      await expect.poll(() => photos.count()).toBe(3);
      const order = await photos.evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.photo));
      /** Waits until photo `n` is at rest. The address changes before the viewer is drawn, and while a photo still moves. */
      const shown = async (n: number): Promise<void> => {
        await expect.poll(() => new URL(page.url()).searchParams.get('foto'), { message: `${language}: ${n}` }).toBe(order[n]);
        await page.locator('.yarl__portal :focus, .yarl__portal:focus').waitFor();
        await expect.poll(() => page.evaluate(() => document.getAnimations().length), { message: `${language}: ${n} moves` }).toBe(0);
      };
      /** Swipes with a finger, `by` pixels to the right; repeats a touch that the browser cancelled, as it does on a busy machine. */
      const swipe = async (by: number): Promise<void> => {
        const touch = (type: string, x: number | null) =>
          fingers.send('Input.dispatchTouchEvent', { type: type as 'touchStart', touchPoints: x === null ? [] : [{ x, y: 400 }] });
        const from = PHONE.width / 2 - by / 2;
        let end: string | undefined;
        do {
          await page.evaluate(() => delete document.body.dataset.end);
          await touch('touchStart', from);
          for (let step = 1; step <= 8; step++) await touch('touchMove', from + (by * step) / 8);
          await touch('touchEnd', null);
          end = await (await page.waitForFunction(() => document.body.dataset.end)).jsonValue();
        } while (end === 'touchcancel');
      };
      await page.evaluate(() => {
        for (const type of ['touchend', 'touchcancel']) addEventListener(type, () => (document.body.dataset.end = type), true);
      });
      const onward = language === 'ar' ? 1 : -1;
      await photos.first().click();
      await shown(0);
      await swipe(260 * onward);
      await shown(1);
      await swipe(-260 * onward);
      await shown(0);
      await page.keyboard.press(language === 'ar' ? 'ArrowLeft' : 'ArrowRight');
      await shown(1);
      await context.close();
    }
  });

  const languages = Object.entries(FOREIGN).map(([name, { texts }]) => ({ name: name as keyof typeof LANGUAGES, texts }));
  it.each(languages)('looks at the photos of all, and helps with their release: $name', async ({ name, texts }) => {
    speak(texts);
    const { gallery, photo, release, shell } = texts;
    const { dir } = LANGUAGES[name];
    const party = await createEvent(admin, { title: 'Łucja & Jörg!' });
    const host = await hostOf(server.url, party);
    const api = `/api/events/${party.code}`;
    await send(party, 'Ayşe', 1);
    await send(party, 'عمر', 2);
    const { url } = await host.json<{ url: string }>('PUT', `${api}/gallery`, OPEN_GALLERY);
    await host.json('PUT', `${api}/release`, { value: true });
    // This name is written in the other direction than the page.
    const other = dir === 'rtl' ? 'Ayşe' : 'عمر';
    await send(party, other, 3);
    await send(party, 'Anonym', 4);
    const helper = await host.json<{ url: string }>('POST', `${api}/helper`);

    const context = await browser.newContext({ baseURL: server.url, viewport: PHONE, timezoneId: 'Europe/Berlin' });
    const page = await context.newPage();
    // A guest who chooses a language before the link was used keeps the link's key.
    await page.route('**/auth/gallery/login', () => undefined);
    await page.goto(url);
    await page.unroute('**/auth/gallery/login');
    await page.getByRole('button', { name: LANGUAGES[name].name }).click();
    await page
      .getByText(photo.counted({ photos: 2, videos: 0 }))
      .first()
      .waitFor();
    expect(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir || 'ltr'])).toEqual([name, dir]);
    await page.getByLabel(gallery.gallery.show, { exact: true }).waitFor();
    const photos = page.locator('[data-photo]');
    const [first, second] = await photos.evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.photo));
    await page.getByRole('button', { name: photo.heart }).first().click();
    await page.getByRole('button', { name: photo.heart, pressed: true }).waitFor();
    await look(page, 'gallery');

    // Arrow keys follow the reading direction, in the grid and in full screen.
    const [on, back] = dir === 'rtl' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
    await photos.first().focus();
    await page.keyboard.press(on);
    await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLElement).dataset.photo)).toBe(second);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/galerie/*?foto=${second}`);
    await page.getByRole('button', { name: gallery.viewer.Close }).waitFor();
    const kinds = page.locator('[aria-roledescription]');
    expect(new Set(await kinds.evaluateAll((all) => all.map((one) => one.getAttribute('aria-roledescription'))))).toEqual(new Set(['']));
    await page.keyboard.press(back);
    await page.waitForURL(`**/galerie/*?foto=${first}`);
    await page.getByText('Ayşe').last().waitFor();
    await look(page, 'full screen');
    await host.json('PUT', `${api}/gallery`, { ...OPEN_GALLERY, originals: false });
    await page.getByRole('link', { name: photo.download }).click();
    await page.getByText(texts.errors.originals_off).waitFor();
    await page.getByRole('button', { name: gallery.gallery.reportTitle }).click();
    await page.getByRole('dialog').getByText(texts.report.byNumber).waitFor();
    await page.getByRole('button', { name: shell.close }).last().click();

    await context.clearCookies();
    await page.goto(`/galerie/${party.code}?lang=${name}`);
    await page.getByRole('heading', { name: gallery.gallery.noAccess }).waitFor();
    await look(page, 'gallery without its link');
    await page.goto(`/freigabe/${party.code}`);
    await page.getByRole('heading', { name: release.noAccess }).waitFor();
    await page.getByLabel(release.linkPart.label).fill('nichts');
    await page.getByRole('button', { name: release.linkPart.go }).click();
    await page.getByText(release.linkPart.mistake).waitFor();
    await look(page, 'release without its link');
    await page.goto(helper.url);
    await page.getByText(release.waiting(2)).waitFor();
    const show = page.getByRole('button', { name: release.show, exact: true });
    await expect.poll(() => show.isEnabled()).toBe(true);
    await look(page, 'release');
    const [written, drawn] = await page.locator('figcaption').evaluate(orderOf);
    if (dir === 'rtl') expect(drawn).toMatch(RegExp(`\\d ،${other}$`));
    else expect(drawn).toBe(written.replace(other, [...other].reverse().join('')));
    await page.keyboard.press(on);
    await page.getByText(release.waiting(1)).waitFor();
    await page.getByText(photo.anonymous).waitFor();
    await page.getByRole('button', { name: release.hide, exact: true }).click();
    await page.getByRole('heading', { name: release.done }).waitFor();
    await look(page, 'release, decided');
    await page.goto(url);
    await page
      .getByText(photo.counted({ photos: 3, videos: 0 }))
      .first()
      .waitFor();
    speak({});
    await context.close();
  });
});
