import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { engines } from '../../database/testing.ts';
import { systemClock } from '../../lib/clock.ts';
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
