import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runSql } from '../../server/src/database/testing.ts';
import { adminOf, createEvent, deviceOf, hostOf, upload, type Client, type EventUnderTest } from '../support/api.ts';
import { missingForCluster, startCluster, type Cluster } from '../support/cluster.ts';
import { drawPhoto } from '../support/photos.ts';
import type { TestServer } from '../support/server.ts';

/** The wall is dark within, on every node. */
const DARK_MS = 2000;
/** The store's calls are given up after this time. */
const STORE_TIMEOUT_S = 2;

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
    await expect.poll(wall.text).toContain('id: 1\nevent: photos\ndata: {"gone":[],"slideshow":{},"posters":[]}');
    await here.json('DELETE', `/api/photos/${stored.id}`, undefined, 204);
    await expect.poll(wall.text).toContain(`"gone":["${stored.id}"]`);
    await admin.json('PUT', `/admin/events/${event.id}/user/password`, {}, 200);
    const began = performance.now();
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
});
