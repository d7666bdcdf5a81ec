import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adminOf, createEvent, type EventUnderTest } from './support/api.ts';
import { launchProfile, type Profile } from './support/browser.ts';
import { startProxy } from './support/proxy.ts';
import { DONE, choose, keep, stored } from './support/queue.ts';
import { startServer, type TestServer } from './support/server.ts';

const ALL = 40;
/** A line on which all photos take some ten seconds. */
const LINE = { bytesPerSecond: 3_000_000 };
/** Limit for the remaining photos, from the opening of the page. */
const LIMIT_MS = 60_000;

describe('photos in a browser that is killed', () => {
  let server: TestServer;
  let event: EventUnderTest;
  let profile: Profile;

  beforeAll(async () => {
    server = await startServer();
  });
  beforeEach(async () => {
    event = await createEvent(await adminOf(server.url));
    profile = await launchProfile();
  });
  afterEach(() => profile.close());
  afterAll(() => server?.dispose());

  /** Opens the event's page, and expects that all photos are stored without a tap. */
  async function opened(page: Page): Promise<void> {
    await page.goto(`/event/${event.code}`);
    await page.getByRole('button', { name: DONE }).waitFor({ timeout: LIMIT_MS });
    expect(await stored(server, event)).toBe(ALL);
  }

  // This test sends 40 photos and starts a browser twice.
  it.each([
    ['is started again after SIGKILL', true],
    ['loads its page anew', false],
  ])('go on without a tap from the middle when it %s', async (_, isKilled) => {
    await using owned = new AsyncDisposableStack();
    const proxy = owned.adopt(await startProxy(server.url, LINE), (one) => one.close());
    let page = await profile.open(proxy.url);
    await choose(page, event, ALL);
    // The line breaks in the middle: some photos are stored, all others are kept on the device.
    await page.getByRole('button', { name: `Hochladen (${ALL})` }).click();
    await expect.poll(() => stored(server, event), { timeout: LIMIT_MS }).toBeGreaterThan(3);
    proxy.become('bad-gateway');
    await page.getByText(/von 40 angekommen\..* Wird die Seite geschlossen, geht es beim nächsten Öffnen weiter\./).waitFor();
    expect(await stored(server, event)).toBeLessThan(ALL);
    if (isKilled) await profile.kill();
    proxy.become('open');
    if (isKilled) page = await profile.open(proxy.url);
    await opened(page);
  });

  it('go on without a tap when the server, too, is started again', async () => {
    let page = await profile.open(server.url);
    const loaded: string[] = [];
    page.on('requestfinished', (request) => loaded.push(request.url()));
    await choose(page, event, 6);
    // Without the code of the workers, which hash and copy, the page could keep nothing.
    await expect.poll(() => loaded.filter((url) => url.includes('/keep.worker')).length).toBe(2);
    await server.kill();
    await keep(page, 6);
    await profile.kill();
    await server.restart();
    page = await profile.open(server.url);
    await page.goto(`/event/${event.code}`);
    await page.getByRole('button', { name: DONE }).waitFor();
    expect(await stored(server, event)).toBe(6);
  });
});
