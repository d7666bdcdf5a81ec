import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { violationsOf } from './support/accessible.ts';
import { createEvent, hostOf, OPEN_GALLERY, type Client, type EventUnderTest } from './support/api.ts';
import { DESKTOP, openPage } from './support/browser.ts';
import { useAdmin } from './support/use-server.ts';
import { takeOver } from './support/login.ts';
import type { TestServer } from './support/server.ts';

const MISSING = ['/usr/bin/pdftoppm', '/usr/bin/zbarimg'].filter((path) => !existsSync(path));
const DPI = 150;
const MM_PER_INCH = 25.4;

/** Prints a page: returns pictures of its sheets in a folder that the caller removes. */
async function printed(page: Page): Promise<{ folder: string; sheets: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'feierbild-paper-'));
  writeFileSync(join(folder, 'paper.pdf'), await page.pdf({ preferCSSPageSize: true, printBackground: true }));
  execFileSync('pdftoppm', ['-r', `${DPI}`, '-png', join(folder, 'paper.pdf'), join(folder, 'sheet')]);
  const sheets = readdirSync(folder)
    .filter((name) => name.endsWith('.png'))
    .map((name) => join(folder, name));
  return { folder, sheets };
}

/** Reads the QR codes of a picture. */
const read = (sheet: string): string[] =>
  execFileSync('zbarimg', ['-q', '--raw', '-Sdisable', '-Sqrcode.enable', sheet], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .trim()
    .split('\n');

describe.skipIf(MISSING.length > 0)(`on paper${MISSING.length > 0 ? ` (missing: ${MISSING.join(', ')})` : ''}`, () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;
  let event: EventUnderTest;

  useAdmin(async (started) => {
    ({ server, browser, admin } = started);
    event = await createEvent(admin, {
      title: 'Charlotte & Maximilian',
      subtitle: 'Gut Sonnenhof',
      with_upload_password: true,
      user_upload_password: 'Größe 100%',
    });
  });

  /** Builds the address on the cards, with the password and its proof. */
  async function cardAddress(): Promise<string> {
    const host = await hostOf(server.url, event);
    const { link_password = '' } = await host.json<{ link_password?: string }>('GET', `/api/events/${event.code}`);
    expect(link_password).toMatch(/^Größe 100%\.[\w-]{16}$/);
    return `${server.url}/event/${event.code}?password=${encodeURIComponent(link_password)}`;
  }

  it('prints cards, stands and posters in each design, with QR codes that a reader reads', async () => {
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await takeOver(context, await hostOf(server.url, event), server.url);
    await page.goto(`/manage/${event.code}/karten`);
    await page.getByRole('heading', { name: event.title }).waitFor();
    const address = await cardAddress();
    for (const design of ['Papier', 'Abend', 'Zweig']) {
      await page.getByText(design, { exact: true }).click();
      expect(await violationsOf(page)).toEqual([]);
      for (const [format, cards, size] of [
        ['Karten A6', 4, [210, 297]],
        ['Aufsteller A5', 2, [297, 210]],
        ['Plakat A4', 1, [210, 297]],
      ] as const) {
        await page.getByText(format, { exact: true }).click();
        const { folder, sheets } = await printed(page);
        expect(sheets, `${design}, ${format}`).toHaveLength(1);
        const [sheet = ''] = sheets;
        const { width, height } = await sharp(sheet).metadata();
        expect([width, height].map((pixels) => Math.round((pixels / DPI) * MM_PER_INCH))).toEqual(size);
        expect(read(sheet), `${design}, ${format}`).toEqual(Array.from({ length: cards }, () => address));
        rmSync(folder, { recursive: true });
      }
    }
    await page.getByText('Eure Fotos, bitte').waitFor();
    await page.getByText('Sie', { exact: true }).click();
    await page.getByText('Ihre Fotos, bitte').waitFor();
    // An added line in another language leaves each QR code readable.
    await page.getByText('Karten A6', { exact: true }).click();
    await page.getByText('Русский', { exact: true }).click();
    expect(await page.locator('[data-card] [lang=ru]').count()).toBe(4);
    const { folder, sheets } = await printed(page);
    expect(sheets.flatMap(read)).toEqual(Array.from({ length: 4 }, () => address));
    rmSync(folder, { recursive: true });
    await context.close();
  });

  it('has one code for sending and looking: on cards, under „Teilen“ and on the wall, as long as guests may look', async () => {
    const party = await createEvent(admin);
    const host = await hostOf(server.url, party);
    const gallery = { ...OPEN_GALLERY, originals: false };
    const { url } = await host.json<{ url: string }>('PUT', `/api/events/${party.code}/gallery`, { ...gallery, mode: 'reveal' });
    const plain = `${server.url}/event/${party.code}`;
    const one = `${plain}#${url.split('#')[1]}`;
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await takeOver(context, host, server.url);
    const folder = mkdtempSync(join(tmpdir(), 'feierbild-paper-'));
    const codes = async (): Promise<string[]> => {
      await page
        .getByRole('img', { name: /^QR-Code/ })
        .first()
        .waitFor();
      await page.screenshot({ path: join(folder, 'page.png'), fullPage: true });
      return read(join(folder, 'page.png'));
    };
    await page.goto(`/manage/${party.code}`);
    await page.getByRole('button', { name: 'Teilen', exact: true }).click();
    await page.getByRole('dialog').getByText(one).waitFor();
    await page.goto(`/manage/${party.code}/karten`);
    await expect.poll(codes).toContain(one);
    await page.goto(`/slideshow/${party.code}`);
    await expect.poll(codes).toEqual([one]);
    await host.json('PUT', `/api/events/${party.code}/gallery`, { ...gallery, mode: 'drop' });
    await expect.poll(codes).toEqual([plain]);
    await context.close();
    rmSync(folder, { recursive: true });
  });

  it('prints cards and slips of several events at once, with all codes that a reader reads', async () => {
    const others = [await createEvent(admin, { title: 'Fest Eins' }), await createEvent(admin, { title: 'Fest Zwei' })];
    const all = [event, ...others].map(({ id }) => id).join();
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await takeOver(context, admin, server.url);
    const guests = [await cardAddress(), ...others.map(({ code }) => `${server.url}/event/${code}`)];
    const logins = [event, ...others].map(({ code }) => `${server.url}/login?username=${code}`);
    const readAll = (sheets: string[]) => sheets.flatMap((sheet) => read(sheet)).toSorted();

    await page.goto(`/admin/karten?events=${all}`);
    await page.getByText('3 Events').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    for (const [format, cards] of [
      ['Karten A6', 4],
      ['Plakat A4', 1],
    ] as const) {
      await page.getByText(format, { exact: true }).click();
      const { folder, sheets } = await printed(page);
      expect([format, sheets.length]).toEqual([format, 3]);
      expect(readAll(sheets)).toEqual(guests.flatMap((address) => Array.from({ length: cards }, () => address)).toSorted());
      rmSync(folder, { recursive: true });
    }

    await page.goto(`/admin/zettel?events=${all}`);
    await page.getByText('3 Zettel drucken').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const { folder, sheets } = await printed(page);
    expect(sheets).toHaveLength(2);
    expect(readAll(sheets)).toEqual([...guests, ...logins].toSorted());
    rmSync(folder, { recursive: true });
    await context.close();
  });

  it('prints the credentials slip on one sheet, in one box with margins of 15 mm and a QR code to the login', async () => {
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await takeOver(context, admin, server.url);
    await page.goto('/admin');
    await page.getByRole('button', { name: event.title }).click();
    await page.getByRole('button', { name: 'Passwort zurücksetzen' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill(event.code);
    await page.getByRole('dialog').getByRole('button', { name: 'Passwort zurücksetzen' }).click();
    await page.getByRole('button', { name: 'Zettel drucken' }).waitFor();
    const { folder, sheets } = await printed(page);
    expect(sheets).toHaveLength(1);
    const [sheet = ''] = sheets;
    expect(read(sheet)).toEqual([expect.stringMatching(new RegExp(`^${server.url}/login\\?username=[A-Za-z0-9]{8}$`))]);
    // The box begins exactly at the margins.
    const { info } = await sharp(sheet).trim().toBuffer({ resolveWithObject: true });
    const mm = (pixels: number | undefined) => Math.round((Math.abs(pixels ?? 0) / DPI) * MM_PER_INCH);
    expect([mm(info.trimOffsetLeft), mm(info.trimOffsetTop), mm(info.width)]).toEqual([15, 15, 105]);
    rmSync(folder, { recursive: true });
    await context.close();
  });
});
