import type { Wall } from '@feierbild/contract/calls/wall.ts';
import type { Browser, BrowserContext, Page } from 'playwright';
import { expect } from 'vitest';
import { adminOf, createEvent, deviceOf, hostOf, upload, type Client, type EventUnderTest } from './api.ts';
import { DESKTOP, openPage } from './browser.ts';
import { standStill } from './clock.ts';
import { takeOver } from './login.ts';
import { drawPhoto } from './photos.ts';
import type { TestServer } from './server.ts';

/** An event with six photos, whose slideshow a test opens. */
export interface Show {
  server: TestServer;
  browser: Browser;
  admin: Client;
  event: EventUnderTest;
  host: Client;
  /** Ids of its first six photos. */
  ids: string[];
  /** Uploads a further photo; returns its id. */
  add(seed: number): Promise<string>;
  wallOf(): Promise<Wall>;
  /** Opens a page with the host's login. */
  stage(viewport?: { width: number; height: number }): Promise<{ page: Page; context: BrowserContext; errors: string[] }>;
}

/** Holds a show at its first photo. */
export async function holdAtFirst(page: Page, total = 6): Promise<void> {
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Weiter' }).waitFor();
  await backToFirst(page, total);
}

/** Moves a held show back to its first photo: on a busy machine it may have moved on before it was held. */
export async function backToFirst(page: Page, total = 6): Promise<void> {
  const shown = await page.getByRole('img', { name: /^Foto/ }).getAttribute('alt');
  for (let place = Number(/\d+/.exec(shown ?? '')?.[0]) - 1; place > 0; place--) {
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('img', { name: `Foto ${place} von ${total}` }).waitFor();
  }
}

/** Opens a wall whose time passes only in the returned function, in small steps, so that it stays in place on a busy machine, too. */
export async function steppedWall(page: Page, { code }: EventUnderTest): Promise<(isThere: () => Promise<boolean>) => Promise<void>> {
  await page.clock.install();
  await page.goto(`/slideshow/${code}`);
  await page.getByRole('img', { name: 'Foto 1 von 6' }).waitFor();
  await standStill(page);
  return async (isThere) => {
    const step = async (): Promise<boolean> => {
      await page.clock.runFor(20);
      return isThere();
    };
    await expect.poll(step).toBe(true);
  };
}

/** Returns a function that begins a new event with a show. */
export async function showsOf({ server, browser }: Pick<Show, 'server' | 'browser'>): Promise<() => Promise<Show>> {
  const admin = await adminOf(server.url);
  const pictures = await Promise.all(Array.from({ length: 6 }, (_, seed) => drawPhoto(seed, 640, 480)));
  return async () => {
    const event = await createEvent(admin);
    const host = await hostOf(server.url, event);
    const device = await deviceOf(server.url);
    const add = async (seed: number): Promise<string> => {
      const answer = await upload({ url: server.url, code: event.code, device, file: pictures[seed] ?? (await drawPhoto(seed, 640, 480)) });
      return ((await answer.json()) as { photo: { id: string } }).photo.id;
    };
    const ids: string[] = [];
    for (let seed = 0; seed < pictures.length; seed++) ids.push(await add(seed));
    const stage = async (viewport = DESKTOP) => {
      const opened = await openPage(browser, server.url, viewport);
      await takeOver(opened.context, host, server.url);
      return opened;
    };
    const wallOf = () => host.json<Wall>('GET', `/api/events/${event.code}/wall`);
    return { server, browser, admin, event, host, ids, add, wallOf, stage };
  };
}
