import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminOf, createEvent, deviceOf, upload, type Client } from '../support/api.ts';
import { missingForBalancer, missingForCluster, startBalancer, startCluster, type Balancer, type Cluster } from '../support/cluster.ts';
import { drawPhoto } from '../support/photos.ts';
import type { TestServer } from '../support/server.ts';
import { sha256 } from '../support/sha256.ts';

/** The default, which the shipped file counts on. */
const DELAY_S = 5;
/** Time for which a slow line holds up its node: longer than the delay, and than the proxy takes to find a port closed. */
const HELD_MS = (DELAY_S + 4) * 1000;
/** Pause of a booth between two pictures. */
const BOOTH_PAUSE_MS = 250;
/** More bytes than the sockets of two connections buffer. */
const LARGE_BYTES = 48_000_000;
const missing = [...missingForCluster, ...missingForBalancer];
if (missing.length > 0) console.log(`skipped: a node that ends behind a proxy; it needs ${missing.join(', ')}`);

describe.skipIf(missing.length > 0)('a node that ends behind HAProxy with the shipped file', () => {
  let cluster: Cluster;
  let balancer: Balancer;
  let admin: Client;
  let device: string;
  let base: Buffer;
  beforeAll(async () => {
    cluster = await startCluster(2, { SHUTDOWN_DELAY: String(DELAY_S) }, { direct: true });
    balancer = await startBalancer(cluster.nodes);
    admin = await adminOf(balancer.url);
    device = await deviceOf(balancer.url);
    base = await drawPhoto(1, 300, 200);
  });
  afterAll(async () => {
    await balancer?.stop();
    await cluster?.dispose();
  });

  /** Waits for the node that receives a photo. */
  async function receiver(): Promise<TestServer> {
    const receiving = () => cluster.nodes.find(({ dataDir }) => readdirSync(join(dataDir, 'staging')).length > 0);
    await expect.poll(receiving).toBeDefined();
    return receiving() as TestServer;
  }

  /** Ends a node while requests go on; returns its exit code, and the statuses of their answers. */
  async function end(node: TestServer, ask: () => Promise<Response>): Promise<{ code: number | null; statuses: number[] }> {
    let isOver = false;
    const ended = node.stop().finally(() => (isOver = true));
    const statuses = new Set<number>();
    while (!isOver) {
      const answer = await ask();
      await answer.arrayBuffer();
      statuses.add(answer.status);
    }
    return { code: await ended, statuses: [...statuses] };
  }

  it('finishes an upload and a download that last longer than the delay, while the other one serves what is new', async () => {
    const event = await createEvent(admin);
    const target = { url: balancer.url, code: event.code, device };
    const large = Buffer.concat([base, randomBytes(LARGE_BYTES)]);
    const { photo } = (await (await upload({ ...target, file: large })).json()) as { photo: { id: string } };
    // Each of the two gets one of the nodes, because HAProxy chooses the one with fewer connections.
    const download = await fetch(`${balancer.url}/api/photos/${photo.id}/download`, { headers: { 'device-id': device } });
    const half = Promise.withResolvers<void>();
    const sent = upload({ ...target, file: Buffer.concat([base, randomBytes(1)]), rest: half.promise });
    const receiving = await receiver();
    const sending = cluster.nodes.find((node) => node !== receiving) as TestServer;
    const page = () => fetch(`${balancer.url}/event/${event.code}`);

    const first = end(receiving, page);
    await pause(HELD_MS);
    half.resolve();
    expect((await sent).status).toBe(201);
    expect(await first).toEqual({ code: 0, statuses: [200] });
    await receiving.restart();

    const second = end(sending, page);
    await pause(HELD_MS);
    expect(sha256(new Uint8Array(await download.arrayBuffer()))).toBe(sha256(large));
    expect(await second).toEqual({ code: 0, statuses: [200] });
    await sending.restart();
  });

  it('serves the booth that HAProxy keeps at it until its port closes', async () => {
    const password = 'Knipsekasten-7';
    const event = await createEvent(admin, { with_fotobox: true, fotobox_upload_password: password });
    const headers = { authorization: `Basic ${btoa(`${event.code}:${password}`)}` };
    const folder = `/dav/${event.code}`;
    let taken = 0;
    const put = async () => {
      await pause(BOOTH_PAUSE_MS);
      const name = String(taken++);
      return fetch(`${balancer.url}${folder}/${name}.jpg`, { method: 'PUT', headers, body: Buffer.concat([base, Buffer.from(name)]) });
    };
    expect((await put()).status).toBe(201);
    const known = await Promise.all(cluster.nodes.map(async ({ url }) => (await fetch(`${url}${folder}/0.jpg`, { headers })).status));
    expect(known.toSorted()).toEqual([200, 403]);
    const own = cluster.nodes[known.indexOf(200)] as TestServer;

    const half = Promise.withResolvers<void>();
    const sent = upload({ url: own.url, code: event.code, device, file: base, rest: half.promise });
    expect(await receiver()).toBe(own);
    const ended = end(own, put);
    await pause(HELD_MS);
    half.resolve();
    expect((await sent).status).toBe(201);
    expect(await ended).toEqual({ code: 0, statuses: [201] });
    await own.restart();
  });
});
