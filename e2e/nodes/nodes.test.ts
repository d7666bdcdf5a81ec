import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runSql } from '../../server/src/database/testing.ts';
import { adminOf, createEvent, deviceOf, hostOf, upload, type Client, type EventUnderTest } from '../support/api.ts';
import { missingForBalancer, missingForCluster, startBalancer, startCluster, type Cluster } from '../support/cluster.ts';
import { drawPhoto } from '../support/photos.ts';
import type { TestServer } from '../support/server.ts';

const RETRY_MS = 100;
/** The wall is dark within, on every node. */
const DARK_MS = 2000;
/** The store's calls are given up after this time. */
const STORE_TIMEOUT_S = 2;
const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** What works at last, as somebody who tries again. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let left = 100; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (left === 0) throw error;
      await pause(RETRY_MS);
    }
  }
}

if (missingForCluster.length > 0) console.log(`skipped: several nodes; they need ${missingForCluster.join(', ')}`);

describe.skipIf(missingForCluster.length > 0)('several nodes on PostgreSQL and S3', () => {
  let cluster: Cluster;
  let nodes: [TestServer, TestServer];
  let admin: Client;
  let base: Buffer;
  let device: string;
  beforeAll(async () => {
    cluster = await startCluster(2, { STORAGE_TIMEOUT: String(STORE_TIMEOUT_S), SHUTDOWN_DELAY: '1' });
    nodes = cluster.nodes as [TestServer, TestServer];
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

  /** Photos that differ in bytes behind the picture, which decoders pass over. */
  const photo = (name: string): Buffer => Buffer.concat([base, Buffer.from(`#${name}`)]);
  const send = (url: string, { code }: EventUnderTest, name: string, by = device): Promise<Response> =>
    upload({ url, code, device: by, file: photo(name), name: `${name}.jpg` });
  const listOf = async (host: Client, { code }: EventUnderTest): Promise<string[]> =>
    ((await host.json('GET', `/api/events/${code}/photos?after=0&per_page=100`)) as unknown as { photos: { id: string }[] }).photos.map(
      ({ id }) => id,
    );

  /** Reads a page's live news from a node. */
  async function hear(host: Client, { code }: EventUnderTest) {
    const answer = await host.request(`/api/events/${code}/live`);
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
    await expect.poll(wall.text).toContain('id: 1\nevent: photos\ndata: {"gone":[],"slideshow":{}}');
    await here.json('DELETE', `/api/photos/${stored.id}`, undefined, 204);
    await expect.poll(wall.text).toContain(`"gone":["${stored.id}"]`);
    const began = performance.now();
    await admin.json('PUT', `/admin/events/${event.id}/user/password`, {}, 200);
    await expect.poll(wall.ended, { interval: 20 }).toBe(true);
    expect(performance.now() - began).toBeLessThan(DARK_MS);
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

  it('refuse uploads with 503 while the store is silent, show galleries, stay in the proxy’s list, and go on by themselves', async () => {
    const event = await createEvent(admin);
    const host = await hostOf(nodes[0].url, event);
    expect((await send(nodes[0].url, event, 'before')).status).toBe(201);
    const status = async (path: string): Promise<number> => (await fetch(nodes[0].url + path)).status;
    cluster.store.silence();
    cluster.store.silenceNew(true);
    const began = performance.now();
    const refused = await Promise.all(Array.from({ length: 6 }, (_, n) => send(nodes[0].url, event, `silent-${n}`)));
    expect(refused.map((answer) => [answer.status, Number(answer.headers.get('retry-after')) > 0])).toEqual(refused.map(() => [503, true]));
    expect(performance.now() - began).toBeLessThan((STORE_TIMEOUT_S + 8) * 1000);
    expect([(await listOf(host, event)).length, await status('/ready'), await status('/ready?deep=1')]).toEqual([1, 200, 503]);
    // After so many failures the next ones do not wait.
    const again = performance.now();
    expect((await send(nodes[0].url, event, 'refused at once')).status).toBe(503);
    expect(performance.now() - again).toBeLessThan(STORE_TIMEOUT_S * 1000);
    cluster.store.silenceNew(false);
    await expect.poll(async () => (await send(nodes[0].url, event, 'after')).status, { timeout: 20_000 }).toBe(201);
    expect(await listOf(host, event)).toHaveLength(2);
  });

  it(
    'lose no acknowledged photo and keep none twice while a node is killed, connections break and the store hangs',
    { timeout: 120_000 },
    async () => {
      const event = await createEvent(admin);
      const answered = new Map<string, string>();
      const photos = 40;
      let next = 0;
      const refusals: number[] = [];
      const guest = async (id: number): Promise<void> => {
        const own = await deviceOf(nodes[0].url).catch(() => device);
        for (let n = next++; n < photos; n = next++) {
          for (let attempt = 0; ; attempt++) {
            const response = await send((nodes[(id + attempt) % 2] as TestServer).url, event, `kill-${n}`, own).catch(() => null);
            if (response?.ok) {
              answered.set(sha(photo(`kill-${n}`)), ((await response.json()) as { photo: { id: string } }).photo.id);
              break;
            }
            if (response) refusals.push(response.status);
            await pause(RETRY_MS);
          }
        }
      };
      const trouble = async (): Promise<void> => {
        const at = async (share: number): Promise<void> => {
          while (answered.size < photos * share) await pause(5);
        };
        await at(0.2);
        await nodes[1].restart();
        await at(0.4);
        cluster.database.cut();
        await at(0.6);
        cluster.store.silence();
        await at(0.8);
        cluster.database.silence();
      };
      await Promise.all([trouble(), ...Array.from({ length: 6 }, (_, id) => guest(id))]);
      expect(refusals.filter((status) => status !== 503)).toEqual([]);
      // Some lines are silent still.
      const host = await again(() => hostOf(nodes[1].url, event));
      const stored = new Map<string, string>();
      for (const id of await again(() => listOf(host, event))) {
        const bytes = await again(async () => {
          const answer = await host.request(`/api/photos/${id}/download`);
          if (!answer.ok) throw new Error(`answered ${answer.status}`);
          return Buffer.from(await answer.arrayBuffer());
        });
        stored.set(sha(bytes), id);
      }
      expect([stored.size, stored]).toEqual([photos, answered]);
    },
  );

  it.skipIf(missingForBalancer.length > 0)(
    'restart one after the other behind a proxy, and no request fails',
    { timeout: 120_000 },
    async () => {
      const balancer = await startBalancer(nodes);
      const event = await createEvent(admin);
      const host = await hostOf(balancer.url, event);
      let working = true;
      const failed: string[] = [];
      let done = 0;
      const noted = async (what: string, answer: Promise<Response>): Promise<void> => {
        const status = await answer
          .then(async (response) => (await response.arrayBuffer(), response.status))
          .catch((error: Error) => error.message);
        if (status !== 200 && status !== 201) failed.push(`${what}: ${status}`);
        done += 1;
      };
      const guests = Array.from({ length: 4 }, async (_, id) => {
        for (let n = 0; working; n++) await noted('upload', send(balancer.url, event, `roll-${id}-${n}`));
      });
      const readers = Array.from({ length: 3 }, async () => {
        while (working) {
          await noted('gallery', host.request(`/api/events/${event.code}/photos?after=0`));
          await noted('page', fetch(`${balancer.url}/api/events/${event.code}`));
        }
      });
      for (const node of nodes) {
        const before = done;
        expect(await node.stop()).toBe(0);
        await node.restart();
        await expect.poll(() => done).toBeGreaterThan(before + 20);
      }
      working = false;
      await Promise.all([...guests, ...readers]);
      await balancer.stop();
      expect(failed).toEqual([]);
    },
  );

  it('serve on the schema of the next release, which has added a column, and one after the other goes back and on', async () => {
    await runSql(cluster.db, `alter table photos add column later text default 'x'`);
    await runSql(cluster.db, `alter table events add column later text`);
    await runSql(cluster.db, `insert into kysely_migration (name, timestamp) values ('9999-later', '')`);
    const event = await createEvent(admin);
    for (const [n, node] of nodes.entries()) {
      await node.restart();
      expect((await send(node.url, event, `later-${n}`)).status).toBe(201);
      expect(await listOf(await hostOf(node.url, event), event)).toHaveLength(n + 1);
    }
  });
});
