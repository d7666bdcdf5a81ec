import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminOf, createEvent, type EventUnderTest } from './support/api.ts';
import { launchProfile, type Profile } from './support/browser.ts';
import { DONE, choose, keep, stored } from './support/queue.ts';
import { startServer, type TestServer } from './support/server.ts';

describe('photos in a browser that is killed', () => {
  let server: TestServer;
  let event: EventUnderTest;
  let profile: Profile;

  beforeAll(async () => {
    [server, profile] = await Promise.all([startServer(), launchProfile()]);
    event = await createEvent(await adminOf(server.url));
  });
  afterAll(async () => {
    await profile?.close();
    await server?.dispose();
    if (profile) await rm(profile.folder, { recursive: true, force: true });
  });

  it('go on without a tap when it is started again', async () => {
    let page = await profile.open(server.url);
    const loaded: string[] = [];
    page.on('requestfinished', (request) => loaded.push(request.url()));
    await choose(page, event, 6);
    // The code of what hashes and of what copies: without it the page could keep nothing.
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
