import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createS3Store } from '../../server/src/storage/s3-store.ts';
import { blobsOf, eventPrefix, photoBlob } from '../../server/src/storage/blob-store.ts';
import { adminOf, createEvent, deviceOf, hostOf, upload } from '../support/api.ts';
import { missingForCluster, startCluster, type Cluster } from '../support/cluster.ts';
import { drawPhoto } from '../support/photos.ts';
import type { TestServer } from '../support/server.ts';

if (missingForCluster.length > 0) console.log(`skipped: previews of two nodes; they need ${missingForCluster.join(', ')}`);

describe.skipIf(missingForCluster.length > 0)('a preview on two nodes', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster(2);
  }, 240_000);
  afterAll(() => cluster?.dispose());

  it('is one blob where both make it at the same time, and no other is left', async () => {
    const [one, two] = cluster.nodes as [TestServer, TestServer];
    const { kysely } = cluster.db;
    const event = await createEvent(await adminOf(one.url));
    const file = await drawPhoto(1, 2600, 1800);
    const answer = await upload({ url: one.url, code: event.code, device: await deviceOf(one.url), file });
    const { id } = ((await answer.json()) as { photo: { id: string } }).photo;
    const row = () => kysely.selectFrom('photos').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    await expect.poll(async () => (await row()).preview_size).not.toBeNull();

    const { bucket, prefix } = cluster.bucket;
    const blobs = createS3Store(cluster.bucket);
    const { preview_attempt: made } = await row();
    const none = { preview_type: null, preview_size: null, preview_attempt: null };
    await kysely.updateTable('photos').set(none).where('id', '=', id).execute();
    await blobs.remove(photoBlob(event.id, id, 'preview', made));

    const hosts = [await hostOf(one.url, event), await hostOf(two.url, event)];
    const put = `PUT /${bucket}/${prefix}${eventPrefix(event.id)}`;
    const placed = cluster.store.count(put);
    const passOn = cluster.store.hold(put);
    const asked = Promise.all(
      hosts.map(async (host) => {
        const preview = await host.request(`/api/photos/${id}/preview`);
        return [preview.status, preview.headers.get('content-type'), (await preview.arrayBuffer()).byteLength];
      }),
    );
    // Both nodes have made the preview before either has stored it.
    await expect.poll(placed).toBe(2);
    passOn();
    const seen = await asked;
    const { preview_size: size } = await row();
    expect(seen).toEqual([
      [200, 'image/jpeg', size],
      [200, 'image/jpeg', size],
    ]);
    expect(placed()).toBe(2);
    const stored = async (): Promise<string[]> =>
      (await Array.fromAsync(blobs.list(eventPrefix(event.id)))).map(({ key }) => key).toSorted();
    const named = blobsOf(await row()).map(({ key }) => key);
    await expect.poll(stored).toEqual(named.toSorted());
    await blobs.close();
  });
});
