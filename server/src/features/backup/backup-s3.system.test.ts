import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { engines } from '../../database/testing.ts';
import { systemClock } from '../../lib/clock.ts';
import { Unavailable } from '../../lib/errors.ts';
import { photoBlob } from '../../storage/blob-store.ts';
import { createStaging } from '../../storage/staging.ts';
import { createS3Store } from '../../storage/s3-store.ts';
import { missingForS3, startS3 } from '../../storage/testing/s3.ts';
import { createIntegrity } from '../integrity/integrity.ts';
import { drawPhoto, openApp } from '../testing.ts';
import { createBackup } from './backup.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { useBackups } from './testing.ts';

const all = engines();
const { vault, freshFolder, elsewhere } = useBackups();
const decoder = useDecoder(all);

/** Photos that S3 holds: with all attempts at each of their blobs, more requests than a run may make to a store that is down. */
const PHOTOS = 10;
const MOST_IN_VAIN = 50;

const withoutS3 = missingForS3();
if (withoutS3.length > 0) console.log('skipped: a backup from and to S3; its test needs Ceph');

it.skipIf(withoutS3.length > 0)('a backup goes from a folder to S3 and from there to another folder', async () => {
  const s3 = await startS3();
  const engine = all.at(-1)!;
  const app = await openApp({ db: await engine.open(), decoder });
  const client = new S3Client({ region: 'us-east-1', endpoint: s3.endpoint, forcePathStyle: true, credentials: s3.credentials });
  process.env.AWS_ACCESS_KEY_ID = s3.credentials.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = s3.credentials.secretAccessKey;
  const bucket = createS3Store({ bucket: 'photos', prefix: 'x/', endpoint: s3.endpoint });
  try {
    await client.send(new CreateBucketCommand({ Bucket: 'photos' }));
    const event = await app.event();
    for (let n = 0; n < 3; n++) await app.upload(event.code, await drawPhoto());
    const staging = createStaging({ folder: join(await freshFolder(), 'staging') });
    const [first, second] = [await freshFolder(), await freshFolder()];
    await createBackup({ db: app.db, blobs: app.blobs, staging, vault, clock: systemClock }).take(first);
    const cloud = { db: await engine.open(), blobs: bucket, vault };
    const there = createBackup({ ...cloud, staging, clock: systemClock });
    expect(await there.restore(first)).toMatchObject({ photos: 3, damaged: [] });
    expect(await createIntegrity(cloud).openAll(event.id, event.privateKey)).toMatchObject({ photos: 3, findings: [] });
    expect(await there.take(second)).toMatchObject({ photos: 3, missing: [] });
    const home = await elsewhere(await all[0]!.open());
    expect(await home.backup.restore(second)).toMatchObject({ photos: 3, damaged: [] });
    expect((await home.integrity.check()).findings).toEqual([]);
    expect(await home.integrity.openAll(event.id, event.privateKey)).toMatchObject({ photos: 3, findings: [] });
  } finally {
    await bucket.close();
    client.destroy();
    await app.close();
    await s3.stop();
  }
});

it.skipIf(withoutS3.length > 0)(
  'an object that S3 refuses for good keeps no others back, and is named; a store that is down ends the run soon',
  async () => {
    const s3 = await startS3();
    const engine = all[0]!;
    const app = await openApp({ db: await engine.open(), decoder });
    process.env.AWS_ACCESS_KEY_ID = s3.credentials.accessKeyId;
    process.env.AWS_SECRET_ACCESS_KEY = s3.credentials.secretAccessKey;
    await s3.createBucket('photos');
    const proxy = await refusingProxy(s3.endpoint);
    const [direct, bucket] = [s3.endpoint, proxy.endpoint].map((endpoint) => createS3Store({ bucket: 'photos', prefix: '', endpoint }));
    try {
      const event = await app.event();
      const ids: string[] = [];
      for (let n = 0; n < PHOTOS; n++) ids.push((await app.upload(event.code, await drawPhoto())).photo.id);
      const [refused, cut] = ids as [string, string];
      const staging = createStaging({ folder: join(await freshFolder(), 'staging') });
      const [first, second, third] = [await freshFolder(), await freshFolder(), await freshFolder()];
      await createBackup({ db: app.db, blobs: app.blobs, staging, vault, clock: systemClock }).take(first);
      const cloud = { db: await engine.open(), blobs: bucket!, vault };
      const there = createBackup({ ...cloud, staging, clock: systemClock });
      const integrity = createIntegrity({ ...cloud, graceMs: 0 });
      await there.restore(first);
      expect((await integrity.openAll(event.id, event.privateKey)).findings).toEqual([]);

      const keys = [photoBlob(event.id, refused, 'original'), photoBlob(event.id, cut, 'thumbnail')];
      await direct!.put(keys[1] as string, Buffer.alloc(10));
      proxy.refuse((method, path) => method !== 'PUT' && keys.some((key) => path.includes(key)));
      const taken = await there.take(second);
      expect([taken.photos, taken.missing.toSorted()]).toEqual([PHOTOS, keys.toSorted()]);
      expect((await integrity.check()).findings).toEqual([{ kind: 'photo', subject: cut, problem: 'Miniatur fehlt' }]);
      const { photos, findings } = await integrity.openAll(event.id, event.privateKey);
      expect([photos, findings]).toEqual([
        PHOTOS,
        [
          { kind: 'photo', subject: refused, problem: 'Original lässt sich nicht lesen' },
          { kind: 'photo', subject: cut, problem: 'Miniatur lässt sich nicht lesen' },
        ],
      ]);
      // What a restore finds in the store and cannot read, it writes anew.
      const again = createBackup({ ...cloud, db: await engine.open(), staging, clock: systemClock });
      expect(await again.restore(first)).toMatchObject({ photos: PHOTOS, damaged: [] });
      proxy.refuse(() => false);
      expect((await integrity.openAll(event.id, event.privateKey)).findings).toEqual([]);

      proxy.refuse(() => true);
      for (const run of [() => there.take(third), () => integrity.openAll(event.id, event.privateKey), () => integrity.check()]) {
        const before = proxy.refusals();
        await expect(run()).rejects.toThrow(Unavailable);
        expect(proxy.refusals() - before).toBeLessThan(MOST_IN_VAIN);
      }
    } finally {
      for (const store of [direct, bucket]) await store?.close();
      proxy.close();
      await app.close();
      await s3.stop();
    }
  },
);

/** Passes requests on to S3, or refuses them with 503. */
async function refusingProxy(endpoint: string) {
  const { hostname, port } = new URL(endpoint);
  let refuses: (method: string, path: string) => boolean = () => false;
  let refusals = 0;
  const server = createServer((asked, answer) => {
    const { method = '', url = '', headers } = asked;
    if (refuses(method, url)) {
      refusals += 1;
      asked.resume().once('end', () => answer.writeHead(503).end());
      return;
    }
    const onward = request({ hostname, port, method, path: url, headers }, (given) => {
      given.pipe(answer.writeHead(given.statusCode ?? 502, given.headers));
    });
    onward.once('error', () => answer.destroy());
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refuse: (these: typeof refuses): void => void (refuses = these),
    refusals: (): number => refusals,
    close: (): void => void server.close(),
  };
}
