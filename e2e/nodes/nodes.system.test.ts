import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Upload } from 'tus-js-client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runSql } from '../../server/src/database/testing.ts';
import { canMount, mountSmallDisk } from '../../server/src/testing/system.ts';
import { adminOf, createEvent, deviceOf, hostOf, upload, type Client, type EventUnderTest } from '../support/api.ts';
import { missingForBalancer, missingForCluster, startBalancer, startCluster, type Cluster } from '../support/cluster.ts';
import { laterRelease } from '../support/later-release.ts';
import { drawPhoto } from '../support/photos.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { sha256 } from '../support/sha256.ts';
import { tusDevice } from '../support/tus.ts';

/** Limit of a call to the store. */
const STORE_TIMEOUT_S = 2;
/** Pause of a guest's phone before it tries again, or sends the next photo. */
const PAUSE_MS = 100;
const GUESTS = 5;
const RCLONE = '/usr/bin/rclone';
/** Number of photos that arrive between two troubles. */
const PHOTOS_BETWEEN = 5;

if (missingForCluster.length > 0) console.log(`skipped: several nodes; they need ${missingForCluster.join(', ')}`);

describe.skipIf(missingForCluster.length > 0)('several nodes on PostgreSQL and S3', () => {
  let cluster: Cluster;
  let nodes: [TestServer, TestServer, TestServer];
  let admin: Client;
  let base: Buffer;
  let device: string;
  beforeAll(async () => {
    cluster = await startCluster(3, { STORAGE_TIMEOUT: String(STORE_TIMEOUT_S), SHUTDOWN_DELAY: '5' });
    nodes = cluster.nodes as typeof nodes;
    admin = await adminOf(nodes[0].url);
    base = await drawPhoto(1, 300, 200);
    device = await deviceOf(nodes[0].url);
  });
  afterEach(() => {
    cluster.store.silenceNew(false);
    cluster.store.cut();
    cluster.database.silenceNew(false);
  });
  afterAll(() => cluster?.dispose());

  /** Makes photos that differ only in bytes after the picture's end, which decoders skip. */
  const photo = (name: string): Buffer => Buffer.concat([base, Buffer.from(`#${name}`)]);
  const send = (url: string, { code }: EventUnderTest, name: string, by = device): Promise<Response> =>
    upload({ url, code, device: by, file: photo(name), name: `${name}.jpg` });
  /** Lists the ids of all photos, the newest last. */
  async function listOf(host: Client, { code }: EventUnderTest): Promise<string[]> {
    interface Page {
      photos: { id: string }[];
      next: number;
    }
    const ids: string[] = [];
    for (let page: Page = { photos: [], next: 0 }, more = true; more; more = page.photos.length > 0) {
      page = await host.json<Page>('GET', `/api/events/${code}/photos?after=${page.next}&per_page=100`);
      ids.push(...page.photos.map(({ id }) => id));
    }
    return ids;
  }

  /** Reads a page's live news from a node, from the last change on that the page knows. */
  async function hear(host: Client, { code }: EventUnderTest, known?: number) {
    const headers: Record<string, string> = known === undefined ? {} : { 'last-event-id': String(known) };
    const answer = await host.request(`/api/events/${code}/live`, { headers });
    expect(answer.status).toBe(200);
    let text = '';
    let ended = false;
    const reading = (async () => {
      for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) text += piece;
    })().then(
      () => (ended = true),
      () => (ended = true),
    );
    await expect.poll(() => text).toContain('id: ');
    return { text: () => text, ended: () => ended, reading };
  }

  it('tell each other what changed, and the wall is dark on all of them soon after its session ended', async () => {
    const event = await createEvent(admin);
    const [here, there] = [await hostOf(nodes[0].url, event), await hostOf(nodes[1].url, event)];
    const wall = await hear(there, event);
    const { photo: stored } = (await (await send(nodes[0].url, event, 'news')).json()) as { photo: { id: string } };
    await expect.poll(wall.text).toContain('id: 1\nevent: photos\ndata: {"gone":[],"slideshow":{},"posters":[]}');
    await here.json('DELETE', `/api/photos/${stored.id}`, undefined, 204);
    await expect.poll(wall.text).toContain(`"gone":["${stored.id}"]`);
    // A page whose node has gone asks another one, and misses nothing.
    const moved = await hear(await hostOf(nodes[2].url, event), event, 1);
    expect(moved.text()).toContain(`id: 2\nevent: photos\ndata: {"gone":["${stored.id}"]`);
    await admin.json('PUT', `/admin/events/${event.id}/user/password`, {}, 200);
    // Without the nodes' notices, the channels would end half a minute later.
    await expect.poll(wall.ended, { timeout: 20_000 }).toBe(true);
    await expect.poll(moved.ended, { timeout: 20_000 }).toBe(true);
  });

  it('keep one storage limit exactly, and store no photo twice', async () => {
    const room = 5;
    const event = await createEvent(admin);
    await runSql(cluster.db, `update events set storage_limit = ${photo('limit-00').length * room} where id = '${event.id}'`);
    const answers = await Promise.all(
      Array.from({ length: 2 * room }, (_, n) => send(nodes[(n % 2) as 0 | 1].url, event, `limit-${String(n).padStart(2, '0')}`)),
    );
    const statuses = answers.map(({ status }) => status);
    expect([statuses.filter((status) => status === 201).length, statuses.filter((status) => status === 507).length]).toEqual([room, room]);

    const other = await createEvent(admin);
    const twins = await Promise.all(Array.from({ length: 8 }, (_, n) => send(nodes[(n % 2) as 0 | 1].url, other, 'twin')));
    const ids = await Promise.all(twins.map(async (twin) => ((await twin.json()) as { photo: { id: string } }).photo.id));
    expect(twins.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect(new Set(ids).size).toBe(1);
    expect(await listOf(await hostOf(nodes[0].url, other), other)).toEqual([ids[0]]);
  });

  it('refuse uploads with 503 while the store is silent, also their last bytes, show galleries, stay in the proxy’s list, and go on by themselves', async () => {
    const event = await createEvent(admin);
    const host = await hostOf(nodes[0].url, event);
    expect((await send(nodes[0].url, event, 'before')).status).toBe(201);
    const status = async (path: string): Promise<number> => (await fetch(nodes[0].url + path)).status;
    const tus = tusDevice(device);
    const held = photo('all but the last byte');
    const uploadUrl = nodes[0].url + (await tus.create(nodes[0].url, event.code, held.length)).headers.get('location');
    expect((await tus.append(uploadUrl, 0, held.subarray(0, -1))).status).toBe(204);
    cluster.store.silence();
    cluster.store.silenceNew(true);
    let told = '';
    const sending = new Promise<void>((resolve) => {
      const ended = (end: string) => () => resolve(void (told = end));
      const retryDelays = Array.from({ length: 300 }, () => PAUSE_MS);
      const options = { uploadUrl, retryDelays, onShouldRetry: () => true, onSuccess: ended('success'), onError: ended('error') };
      new Upload(held, { ...options, headers: { 'Device-ID': device } }).start();
    });
    const began = performance.now();
    const refused = await Promise.all(Array.from({ length: 6 }, (_, n) => send(nodes[0].url, event, `silent-${n}`)));
    expect(refused.map((answer) => [answer.status, Number(answer.headers.get('retry-after')) > 0])).toEqual(refused.map(() => [503, true]));
    expect(performance.now() - began).toBeLessThan((STORE_TIMEOUT_S + 8) * 1000);
    expect([(await listOf(host, event)).length, await status('/ready'), await status('/ready?deep=1')]).toEqual([1, 200, 503]);
    // After so many failures, the next calls fail at once.
    const again = performance.now();
    expect((await send(nodes[0].url, event, 'refused at once')).status).toBe(503);
    expect(performance.now() - again).toBeLessThan(STORE_TIMEOUT_S * 1000);
    expect([told, await tus.offset(uploadUrl)]).toEqual(['', held.length - 1]);
    cluster.store.silenceNew(false);
    await expect.poll(async () => (await send(nodes[0].url, event, 'after')).status).toBe(201);
    await sending;
    expect(told).toBe('success');
    expect(await listOf(host, event)).toHaveLength(3);
  });

  it.skipIf(missingForBalancer.length > 0 || !canMount('a node among others whose disk has no room'))(
    'leave a photo to the others where their own disk has no room for it',
    async () => {
      const disk = await mountSmallDisk(128);
      const full = await startServer({ ...cluster.settingsOf('full'), DATA_DIR: join(disk.folder, 'data'), MAX_UPLOAD_MB: '5' });
      const event = await createEvent(admin);
      const balancer = await startBalancer([full, nodes[0]]);
      await writeFile(join(disk.folder, 'filler'), Buffer.alloc(200_000_000)).catch(() => undefined);
      const refused = await send(full.url, event, 'room');
      expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true]);
      await expect.poll(async () => (await fetch(`${full.url}/ready`)).status).toBe(503);
      let sent = 0;
      const viaProxy = async (): Promise<number> => (await send(balancer.url, event, `room-${sent++}`)).status;
      // Four uploads are more than one round of the proxy.
      await expect.poll(() => Promise.all([viaProxy(), viaProxy(), viaProxy(), viaProxy()])).toEqual([201, 201, 201, 201]);
      await balancer.stop();
      await full.dispose();
      await disk.unmount();
    },
  );

  it.skipIf(missingForBalancer.length > 0)(
    'keep each photo that was answered, once and byte for byte, while each node is killed, the database restarted and the store away',
    async () => {
      const balancer = await startBalancer(nodes);
      const event = await createEvent(admin);
      const answered = new Map<string, string>();
      /** Statuses of refused uploads; 0 without an answer. */
      const refused: number[] = [];
      let working = true;
      let taken = 0;
      const guest = async (): Promise<void> => {
        while (working) {
          const name = `kill-${taken++}`;
          for (;;) {
            const response = await send(balancer.url, event, name).catch(() => null);
            const body = await response?.json().catch(() => null);
            if (response?.ok) {
              answered.set(sha256(photo(name)), (body as { photo: { id: string } }).photo.id);
              break;
            }
            refused.push(response?.status ?? 0);
            await pause(PAUSE_MS);
          }
          await pause(PAUSE_MS);
        }
      };
      const progress = async (): Promise<void> => {
        const before = answered.size;
        await expect.poll(() => answered.size).toBeGreaterThanOrEqual(before + PHOTOS_BETWEEN);
      };
      const trouble = async (): Promise<void> => {
        for (const node of nodes) {
          await progress();
          await node.kill();
          await progress();
          await node.restart();
        }
        // The last node has hardly begun to serve.
        await cluster.restartDatabase();
        await progress();
        cluster.store.silence();
        cluster.store.silenceNew(true);
        const before = refused.length;
        await expect.poll(() => refused.length).toBeGreaterThan(before + GUESTS);
        cluster.store.cut();
        cluster.store.silenceNew(false);
        await progress();
      };
      const guests = Array.from({ length: GUESTS }, guest);
      await trouble().finally(() => (working = false));
      await Promise.all(guests);
      expect(nodes.map(({ process }) => process.exitCode ?? process.signalCode)).toEqual([null, null, null]);
      // If a node is killed during a request, HAProxy answers 502, or not at all while the photo is still being sent.
      expect(refused.filter((status) => ![0, 502, 503].includes(status))).toEqual([]);
      for (const { url } of nodes) await expect.poll(async () => (await fetch(`${url}/ready?deep=1`)).status).toBe(200);
      const host = await hostOf(balancer.url, event);
      const stored = new Map<string, string>();
      const ids = await listOf(host, event);
      const reader = async (): Promise<void> => {
        for (let id = ids.pop(); id; id = ids.pop()) {
          const answer = await host.request(`/api/photos/${id}/download`);
          stored.set(sha256(Buffer.from(await answer.arrayBuffer())), id);
        }
      };
      const count = ids.length;
      await Promise.all(Array.from({ length: GUESTS }, reader));
      expect([count, stored]).toEqual([answered.size, answered]);
      await balancer.stop();
    },
  );

  it.skipIf(missingForBalancer.length > 0 || !existsSync(RCLONE))(
    'are one folder to a booth that writes by rclone through the proxy, also when its node is killed',
    async () => {
      const balancer = await startBalancer(nodes);
      const password = 'Knipsekasten-7';
      const event = await createEvent(admin, { is_active: true, with_fotobox: true, fotobox_upload_password: password });
      const folder = await mkdtemp(join(tmpdir(), 'booth-'));
      const names = Array.from({ length: 24 }, (_, n) => `${10 + n}.jpg`);
      for (const name of names) await writeFile(join(folder, name), photo(`booth ${name}`));
      const run = promisify(execFile);
      const obscured = (await run(RCLONE, ['obscure', password])).stdout.trim();
      const rclone = (url: string, ...args: string[]) => {
        const remote = ['--webdav-url', `${url}/dav/${event.code}/`, '--webdav-user', event.code, '--webdav-pass', obscured];
        return run(RCLONE, [...args, '--config', join(folder, 'none'), '--retries', '1', ...remote], { timeout: 60_000 });
      };
      const listed = async (url: string) => (await rclone(url, 'lsf', ':webdav:')).stdout.split('\n').filter(Boolean).toSorted();
      const host = await hostOf(balancer.url, event);
      await rclone(balancer.url, 'copy', folder, ':webdav:');
      expect(await listed(balancer.url)).toEqual(names);
      const lists = await Promise.all(nodes.map(({ url }) => listed(url)));
      expect(lists.map(({ length }) => length).toSorted((one, other) => one - other)).toEqual([0, 0, names.length]);
      const ids = await listOf(host, event);
      expect(ids).toHaveLength(names.length);
      const own = nodes[lists.findIndex(({ length }) => length > 0)] as TestServer;
      await own.kill();
      // The names are forgotten with their node, the photos are not.
      await rclone(balancer.url, 'copy', folder, ':webdav:', '--low-level-retries', '10');
      expect(await listed(balancer.url)).toEqual(names);
      expect(await listOf(host, event)).toEqual(ids);
      await own.restart();
      await balancer.stop();
      await rm(folder, { recursive: true, force: true });
    },
  );

  it.skipIf(missingForBalancer.length > 0)(
    'restart one after the other under load behind a proxy: no request fails, and nothing is cut',
    async () => {
      const balancer = await startBalancer(nodes);
      const event = await createEvent(admin);
      const host = await hostOf(balancer.url, event);
      let working = true;
      let done = 0;
      const failed: string[] = [];
      const noted = async (what: string, answer: Promise<Response>): Promise<void> => {
        const status = await answer.then(
          async (response) => (await response.arrayBuffer(), response.status),
          (error: Error) => `${error.message} ${String(error.cause)}`,
        );
        if (status !== 200 && status !== 201) failed.push(`${what}: ${status}`);
        done += 1;
      };
      const guests = Array.from({ length: 3 }, async (_, id) => {
        for (let n = 0; working; n++) await noted('upload', send(balancer.url, event, `roll-${id}-${n}`));
      });
      const readers = Array.from({ length: 2 }, async () => {
        while (working) {
          await noted('gallery', host.request(`/api/events/${event.code}/photos?after=0`));
          await noted('page', fetch(`${balancer.url}/event/${event.code}`));
        }
      });
      const codes: (number | null)[] = [];
      for (const node of nodes) {
        const wall = await hear(await hostOf(node.url, event), event);
        const before = done;
        codes.push(await node.stop());
        await wall.reading;
        await node.restart();
        await expect.poll(() => done).toBeGreaterThan(before + 20);
      }
      working = false;
      await Promise.all([...guests, ...readers]);
      await balancer.stop();
      expect([failed, codes]).toEqual([[], [0, 0, 0]]);
    },
  );

  it('are upgraded one after the other to a release with one more column, and go back, while the others serve', async () => {
    const later = await laterRelease();
    const event = await createEvent(admin);
    let photos = 0;
    /** Sends a photo to each of these servers, and expects each to list all photos. */
    const serve = async (...servers: TestServer[]): Promise<void> => {
      for (const { url } of servers) {
        expect((await send(url, event, `later-${photos++}`)).status).toBe(201);
        expect(await listOf(await hostOf(url, event), event)).toHaveLength(photos);
      }
    };
    const [first, second, third] = nodes;
    await first.stop();
    const upgraded = await startServer(cluster.settingsOf('upgraded'), later.command);
    await serve(upgraded, second, third);
    expect(await runSql(cluster.db, `select distinct later from photos where event_id = '${event.id}'`)).toEqual([{ later: 'new' }]);
    // A node that was not upgraded can restart, and one that was can go back.
    await second.restart();
    await serve(second, upgraded);
    await upgraded.dispose();
    await first.restart();
    await serve(first, third);
    await later.remove();
  });
});
