import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createS3Store } from '../../server/src/storage/s3-store.ts';
import { adminOf, createEvent, deviceOf, hostOf, upload } from '../support/api.ts';
import { missingForCluster, startCluster, type Cluster } from '../support/cluster.ts';
import { drawPhoto } from '../support/photos.ts';

const STORE_BYTES = 32 * 1024 * 1024;
const STORE_TIMEOUT_S = 3;

describe.skipIf(missingForCluster.length > 0)('a node starts where the photo store takes nothing more', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster(1, { STORAGE_TIMEOUT: String(STORE_TIMEOUT_S) }, { storeBytes: STORE_BYTES });
  });
  afterAll(() => cluster.dispose());

  it('because its quota is used up: photos are seen, handed out and deleted, and uploads are refused with the reason', async () => {
    const refused = await restartAfter(() => cluster.setQuota(1));
    expect(refused.status).toBe(507);
    expect(await refused.json()).toMatchObject({ code: 'disk_full' });
    await cluster.setQuota(null);
  });

  it('because it is full: photos are seen, handed out and deleted, and uploads are asked to come again', async () => {
    const blobs = createS3Store({ ...cluster.bucket, callMs: STORE_TIMEOUT_S * 1000 });
    // Ceph notices that it is full some time after its last byte, and lets writes wait.
    const fill = async (n: number): Promise<never> => {
      await blobs.put(`events/filler/${n}.original`, Buffer.alloc(200_000, n));
      return fill(n + 1);
    };
    const refused = await restartAfter(() => expect(fill(0)).rejects.toThrow(/unavailable/));
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true]);
    expect(await refused.json()).toMatchObject({ code: 'unavailable' });
    await blobs.close();
  });

  /** Restarts the node once `exhaust` has filled the store; returns the answer to an upload. An earlier photo is read, then deleted. */
  async function restartAfter(exhaust: () => Promise<unknown>): Promise<Response> {
    const [node] = cluster.nodes as [(typeof cluster.nodes)[0]];
    const event = await createEvent(await adminOf(node.url));
    const device = await deviceOf(node.url);
    const sent = await drawPhoto(1, 320, 240);
    expect((await upload({ url: node.url, code: event.code, device, file: sent })).status).toBe(201);
    await exhaust();
    await node.restart();
    const host = await hostOf(node.url, event);
    const { photos } = await host.json<{ photos: { id: string }[] }>('GET', `/api/events/${event.code}/photos`);
    expect(photos).toHaveLength(1);
    const got = await host.request(`/api/photos/${photos[0]?.id}/download`);
    expect(Buffer.from(await got.arrayBuffer()).equals(sent)).toBe(true);
    const refused = await upload({ url: node.url, code: event.code, device, file: await drawPhoto(2, 320, 240) });
    await host.json('DELETE', `/api/photos/${photos[0]?.id}`, undefined, 204);
    return refused;
  }
});
