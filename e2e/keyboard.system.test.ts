import type { Browser, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { adminOf, createEvent, deviceOf, upload, type EventUnderTest } from './support/api.ts';
import { DESKTOP, openPage, PHONE } from './support/browser.ts';
import { useServer } from './support/use-server.ts';
import { smallPhotos } from './support/guests.ts';
import { drawPhoto } from './support/photos.ts';
import { ADMIN, type TestServer } from './support/server.ts';

declare global {
  interface Window {
    /** Names an element roughly as a screen reader does. */
    nameOf(element: Element): string;
  }
}

/** Most stops of the focus before the element that a person looks for. */
const STOPS = 60;
/** Windows in which many chosen photos reach below the bar: a tablet held upright, a screen at 200 % zoom, a phone, a wide screen. */
const WINDOWS = [{ width: 820, height: 1180 }, { width: 720, height: 450 }, PHONE, { width: 1440, height: 900 }];
const MANY = 24;

describe('without a mouse', () => {
  let server: TestServer;
  let browser: Browser;
  let event: EventUnderTest;

  useServer(async (started) => {
    ({ server, browser } = started);
    event = await createEvent(await adminOf(server.url));
    const device = await deviceOf(server.url);
    for (let seed = 0; seed < 6; seed++) {
      await upload({ url: server.url, code: event.code, device, file: await drawPhoto(seed, 400, 300) });
    }
  });

  /** Presses Tab until an element with this name has the focus; each stop on the way must visibly have it, under nothing else. */
  async function tabTo(page: Page, name: RegExp): Promise<void> {
    await page.waitForFunction(
      (pattern) => [...document.querySelectorAll('a, button, input')].some((element) => new RegExp(pattern).test(window.nameOf(element))),
      name.source,
    );
    for (let stop = 0; stop < STOPS; stop++) {
      await page.keyboard.press('Tab');
      const focus = page.locator(':focus');
      if ((await focus.count()) === 0) continue;
      const look = () =>
        focus.evaluate((element) => {
          const shown = (one: Element): boolean => {
            const { outlineStyle, outlineWidth } = getComputedStyle(one);
            return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
          };
          // A hidden file input shows its focus on its label.
          const marks = [
            element,
            ...((element as HTMLInputElement).labels ?? []),
            ...(element.closest('label') ? [element.closest('label')] : []),
          ];
          /** Whether the middle of the part that is in the window is on top. */
          const uncovered = (one: Element): boolean => {
            const { left, right, top, bottom } = one.getBoundingClientRect();
            const [x, y] = [Math.max(left, 0) + Math.min(right, innerWidth), Math.max(top, 0) + Math.min(bottom, innerHeight)];
            return one.contains(document.elementFromPoint(x / 2, y / 2));
          };
          return {
            label: window.nameOf(element),
            marked: marks.some((one) => one && shown(one)),
            uncovered: marks.some((one) => one && uncovered(one)),
          };
        });
      const { label } = await look();
      // The skip link comes into the window by a transition.
      await expect.poll(look).toEqual({ label, marked: true, uncovered: true });
      if (name.test(label)) return;
    }
    throw new Error(`no stop is called ${name}`);
  }

  async function open(viewport: typeof PHONE) {
    const opened = await openPage(browser, server.url, viewport);
    await opened.page.addInitScript(() => {
      window.nameOf = (element) => {
        const { labels, value } = element as HTMLInputElement;
        const names = [
          element.getAttribute('aria-label'),
          labels?.[0]?.textContent,
          element.textContent,
          value,
          element.querySelector('img')?.alt,
        ];
        return names.find((text) => text?.trim())?.trim() ?? '';
      };
    });
    return opened;
  }

  it('a guest joins, uploads and takes a photo back', async () => {
    const { page, context } = await open(PHONE);
    await page.goto('/join');
    await tabTo(page, /Event-Code/);
    await page.keyboard.type(event.code.toLowerCase());
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/event/${event.code}`);
    await page.locator('h1:focus').waitFor();
    await tabTo(page, /Dein Name/);
    await page.keyboard.type('Tasta Tour');
    await tabTo(page, /Dateien auswählen/);
    await page.locator('input[type=file]').setInputFiles([{ name: 'IMG_7.jpg', mimeType: 'image/jpeg', buffer: await drawPhoto(77) }]);
    await tabTo(page, /gelesen und darf diese Fotos teilen/);
    await page.keyboard.press('Space');
    await tabTo(page, /Hochladen \(1\)/);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: '✓ Hochgeladen' }).waitFor();
    await page.goto(page.url());
    await page.getByRole('button', { name: 'IMG_7.jpg, ansehen' }).waitFor();
    await tabTo(page, /IMG_7\.jpg, ansehen/);
    await page.keyboard.press('Enter');
    await tabTo(page, /^Löschen/);
    await page.keyboard.press('Enter');
    await tabTo(page, /Endgültig löschen/);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'IMG_7.jpg, ansehen' }).waitFor({ state: 'detached' });
    await context.close();
  });

  it.each(WINDOWS)('a guest sees which of many chosen photos has the focus: $width × $height', async (viewport) => {
    const { page, context } = await open(viewport);
    await page.goto(`/event/${event.code}`);
    await page.locator('input[type=file]').setInputFiles(await smallPhotos(MANY, 1000));
    await tabTo(page, new RegExp(`^IMG_${MANY - 1}\\.jpg, .*entfernen$`));
    await tabTo(page, /^Impressum/);
    await context.close();
  });

  it('a host logs in, shares, looks through the photos and comes back to where the focus was', async () => {
    const { page, context } = await open(DESKTOP);
    await page.goto('/login');
    await tabTo(page, /Benutzername/);
    await page.keyboard.type(event.host.username);
    await tabTo(page, /Passwort/);
    await page.keyboard.type(event.host.password);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/manage/${event.code}`);
    await page.locator('h1:focus').waitFor();
    await tabTo(page, /Teilen/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Event teilen' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator(':focus').innerText()).toBe('Teilen');
    await tabTo(page, /^Galerie/);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/gallery/${event.code}`);
    await page
      .getByRole('img', { name: /^Foto von/ })
      .first()
      .waitFor();
    await tabTo(page, /^Foto von/);
    await page.keyboard.press('Enter');
    const shown = (): string | null => new URL(page.url()).searchParams.get('foto');
    await expect.poll(shown).not.toBeNull();
    const first = shown();
    await page.getByRole('button', { name: 'Nächstes Foto' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await expect.poll(shown).not.toBe(first);
    await page.keyboard.press('Escape');
    await expect.poll(shown).toBeNull();
    await expect.poll(() => page.locator(':focus').evaluate((element) => window.nameOf(element))).toMatch(/^Foto von/);
    await context.close();
  });

  it('the operator logs in and creates an event', async () => {
    const { page, context } = await open(DESKTOP);
    await page.goto('/admin/login');
    await tabTo(page, /Benutzername/);
    await page.keyboard.type(ADMIN.username);
    await tabTo(page, /Passwort/);
    await page.keyboard.type(ADMIN.password);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/admin');
    await tabTo(page, /Event erstellen/);
    await page.keyboard.press('Enter');
    await tabTo(page, /^Titel/);
    await page.keyboard.type('Mit Tasten');
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' }).format(new Date());
    await page.getByLabel(/^Startdatum|^Beginn/).fill(today);
    await page.getByLabel(/^Enddatum|^Ende/).fill(today);
    await tabTo(page, /^(Event erstellen|Speichern|Anlegen)/);
    await page.keyboard.press('Enter');
    await page.getByText('Mit Tasten').first().waitFor();
    await context.close();
  });
});
