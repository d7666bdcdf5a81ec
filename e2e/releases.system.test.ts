import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, request, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminOf, createEvent, deviceOf, hostOf, upload } from './support/api.ts';
import { launchBrowser, openPage } from './support/browser.ts';
import { takeOver } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import { releasesFolder, unpackRelease, type Release } from './support/releases.ts';
import { startServer, type TestServer } from './support/server.ts';

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Requests exactly this path; `fetch` would resolve its dots. */
function ask(url: string, path: string, { method = 'GET', headers = {} as Record<string, string> } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { path, method, headers }, async (answer) => {
      resolve({ status: answer.statusCode, headers: answer.headers, body: await buffer(answer) });
    });
    asked.on('error', reject).end();
  });
}

/** Starts a proxy with one node for built files and one for everything else. */
async function startSplitProxy(): Promise<{ url: string; lead(pages: TestServer, assets: TestServer): void; stop(): void }> {
  let [pages, assets] = ['', ''];
  const proxy = createServer((incoming, outgoing) => {
    const { url = '/', method = 'GET', headers } = incoming;
    const passed = request(url.startsWith('/assets/') ? assets : pages, { path: url, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => outgoing.destroy()).pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    lead: (...nodes) => void ([pages, assets] = nodes.map(({ url }) => url) as [string, string]),
    stop() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

describe('two releases side by side', () => {
  let parent: string;
  let releases: [Release, Release];
  let nodes: [TestServer, TestServer];
  let browser: Browser;
  const owned = new AsyncDisposableStack();
  beforeAll(async () => {
    parent = await releasesFolder();
    owned.defer(() => rm(parent, { recursive: true, force: true }));
    const before = await unpackRelease(parent, '1.0.0');
    // This node starts before the next release's folder exists.
    const first = await start({}, before.command);
    const next = await unpackRelease(parent, '1.1.0');
    releases = [before, next];
    nodes = [first, await start({}, next.command)];
    browser = await launchBrowser();
    owned.defer(() => browser.close());
  });
  afterAll(() => owned.disposeAsync());

  async function start(...options: Parameters<typeof startServer>): Promise<TestServer> {
    const server = await startServer(...options);
    owned.defer(() => server.dispose());
    return server;
  }

  it.each([
    ['the old', 0, 1],
    ['the new', 1, 0],
  ] as const)('%s node serves each built file of the other as that one does', async (_, here, there) => {
    expect(releases[there].assets.length).toBeGreaterThan(40);
    expect(releases[there].assets.filter((name) => releases[here].assets.includes(name))).toEqual([]);
    for (const name of releases[there].assets) {
      for (const coding of ['identity', 'br', 'gzip']) {
        for (const method of ['GET', 'HEAD']) {
          const headers = { 'accept-encoding': coding };
          const [own, other] = await Promise.all([there, here].map((n) => ask(nodes[n]!.url, `/assets/${name}`, { method, headers })));
          const plain = ({ headers: { date: _date, 'x-request-id': _id, ...rest } }: Answer) => rest;
          expect([name, other?.status, other && plain(other)]).toEqual([name, 200, own && plain(own)]);
          expect(other?.body.equals(own!.body)).toBe(true);
        }
      }
    }
    const script = releases[there].assets.find((name) => name.startsWith('main-'));
    const { headers } = await ask(nodes[here].url, `/assets/${script}`, { headers: { 'accept-encoding': 'br' } });
    expect(headers).toMatchObject({
      'content-type': 'application/javascript; charset=utf-8',
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    const unchanged = await ask(nodes[here].url, `/assets/${script}`, {
      headers: { 'accept-encoding': 'br', 'if-none-match': String(headers.etag) },
    });
    expect(unchanged.status).toBe(304);
  });

  it('show nothing else of each other, and nothing of other folders', async () => {
    const [{ folder }] = releases;
    const [main] = releases[0].assets.filter((name) => name.startsWith('main-'));
    const assets = join(folder, 'web/dist/assets');
    // These files are never delivered; the end of the test removes them.
    const added = ['page-AbCdEfGh.html', 'picture-AbCdEfGh.svg', 'main-AbCdEfGh.js.map', 'unhashed.js'];
    for (const name of added) await writeFile(join(assets, name), 'x');
    const foreign = join(parent, 'feierbild-backup/web/dist/assets');
    await mkdir(foreign, { recursive: true });
    await writeFile(join(foreign, 'foreign-AbCdEfGh.js'), 'x');
    await symlink(join(parent, 'feierbild-backup'), join(parent, 'feierbild-1.2.0-linux-x64'));
    // The node has read its list again once it delivers this file, which belongs there.
    await writeFile(join(assets, 'later-AbCdEfGh.js'), 'x');
    await expect.poll(async () => (await ask(nodes[1].url, '/assets/later-AbCdEfGh.js')).status).toBe(200);
    const paths = [
      ...added.map((name) => `/assets/${name}`),
      '/assets/foreign-AbCdEfGh.js',
      '/assets/nobody-AbCdEfGh.js',
      `/assets/${main}.br`,
      `/assets/${main}.gz`,
      `/assets/${main}/`,
      `/assets/sub/${main}`,
      `/assets/%2e%2e%2fassets%2f${main}`,
      '/assets/..%2f.vite%2fmanifest.json',
      '/assets/../.vite/manifest.json',
      '/assets/..%2f..%2f..%2fserver%2fpackage.json',
      `/assets/..%2f..%2f..%2f..%2ffeierbild-1.0.0-linux-x64%2fweb%2fdist%2fassets%2f${main}`,
      `/assets/${main}%00.js`,
      '/assets/',
      '/assets',
      '/assets/%zz',
    ];
    for (const path of paths) {
      const call = await ask(nodes[1].url, path);
      expect([path, call.status, call.headers['cache-control'], JSON.parse(call.body.toString()).code]).toEqual([
        path,
        404,
        'no-store',
        'not_found',
      ]);
      const page = await ask(nodes[1].url, path, { headers: { accept: 'text/html' } });
      expect([path, page.status, page.body.includes('Seite nicht gefunden')]).toEqual([path, 404, true]);
    }
    expect((await ask(nodes[1].url, `/assets/${main}`, { method: 'POST' })).status).toBe(404);
    expect((await ask(nodes[1].url, `/assets/${main}`)).status).toBe(200);
    for (const name of [...added, 'later-AbCdEfGh.js']) await rm(join(assets, name));
    await rm(join(parent, 'feierbild-1.2.0-linux-x64'));
  });

  it.each([
    ['old', 0, 1],
    ['new', 1, 0],
  ] as const)('show every page from the %s node, though all that it loads comes from the other', async (_, here, there) => {
    const event = await createEvent(await adminOf(nodes[here].url));
    const file = await drawPhoto(1, 320, 240);
    expect((await upload({ url: nodes[here].url, code: event.code, device: await deviceOf(nodes[here].url), file })).status).toBe(201);
    const proxy = await startSplitProxy();
    owned.defer(() => proxy.stop());
    proxy.lead(nodes[here], nodes[there]);
    const { page, context } = await openPage(browser, proxy.url);
    const failed: string[] = [];
    page.on('response', (answer) => void (answer.status() >= 400 && failed.push(answer.url())));
    await takeOver(context, await hostOf(nodes[here].url, event), proxy.url);
    await page.goto(`/gallery/${event.code}`);
    await page.locator('[data-photo]').click();
    await page.getByRole('dialog').waitFor();
    await page.goto(`/manage/${event.code}`);
    await page.getByRole('heading', { name: event.title, level: 1 }).waitFor();
    await page.goto(`/slideshow/${event.code}`);
    await page.locator('img').first().waitFor();
    await page.goto('/admin/login');
    await page.getByLabel('Benutzername').waitFor();
    await page.goto(`/event/${event.code}`);
    await page.getByRole('heading', { name: event.title, level: 1 }).waitFor();
    expect(await page.evaluate(() => document.fonts.ready.then((fonts) => [...fonts].some(({ status }) => status === 'loaded')))).toBe(
      true,
    );
    expect(failed).toEqual([]);
    await context.close();
  });

  it('let a page of the old one go on when all nodes are new, until its folder is removed', async () => {
    const [{ folder, command, assets }, { command: nextCommand }] = releases;
    const old = await start({}, command);
    const event = await createEvent(await adminOf(old.url));
    const proxy = await startSplitProxy();
    owned.defer(() => proxy.stop());
    proxy.lead(old, old);
    const { page, context } = await openPage(browser, proxy.url);
    await page.goto(`/login?username=${event.host.username}&password=${event.host.password}`);
    await old.stop();
    const upgraded = await start({ DATA_DIR: old.dataDir }, nextCommand);
    proxy.lead(upgraded, upgraded);
    const chunk = assets.find((name) => name.startsWith('manage-page-')) ?? '';
    const loaded = page.waitForResponse((answer) => answer.url().endsWith(`/assets/${chunk}`));
    await page.getByRole('button', { name: 'Anmelden' }).click();
    expect((await loaded).status()).toBe(200);
    await page.getByRole('heading', { name: event.title, level: 1 }).waitFor();
    await context.close();

    await rename(folder, join(parent, 'removed'));
    // The node may still remember the file's name.
    expect((await ask(upgraded.url, `/assets/${chunk}`)).status).toBe(404);
    await rename(join(parent, 'removed'), folder);
  });
});
