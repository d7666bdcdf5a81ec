import { CreateBucketCommand, PutObjectCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blobStoreConformance, keys, read } from './testing/conformance.ts';
import { bucketDeletions, bucketVersioning } from './s3-client.ts';
import { createS3Store } from './s3-store.ts';
import { missingForS3 } from './testing/s3.ts';
import { useS3 } from './testing/use-s3.ts';

const missing = missingForS3();
if (missing.length > 0) console.log(`skipped: S3; its suite needs Ceph (missing here: ${missing.join(', ')})`);

describe.skipIf(missing.length > 0)('in a bucket:', () => {
  const s3 = useS3();

  blobStoreConformance(async () => {
    const bucket = await s3.freshBucket();
    const prefix = bucket.endsWith('1') ? '' : 'some/prefix/';
    return { open: () => createS3Store({ bucket, prefix, endpoint: s3.endpoint }) };
  });

  it('two stores with prefixes of their own in one bucket do not see each other', async () => {
    const bucket = await s3.freshBucket();
    const [one, two] = ['one/', 'two/'].map((prefix) => createS3Store({ bucket, prefix, endpoint: s3.endpoint }));
    await one?.put('events/a/b.original', Buffer.from('1'));
    await two?.put('events/a/b.original', Buffer.from('2'));
    await two?.removePrefix('');
    expect((await read(one as NonNullable<typeof one>, 'events/a/b.original')).toString()).toBe('1');
    await one?.close();
    await two?.close();
  });

  it('names what lies in its part of the bucket and is not its own, and nothing that it or a console put there', async () => {
    const bucket = await s3.freshBucket();
    const [own, other] = ['own/', 'other/'].map((prefix) => createS3Store({ bucket, prefix, endpoint: s3.endpoint }));
    await own?.put('events/a/b.original', Buffer.from('1'));
    await other?.put('events/c/d.original', Buffer.from('2'));
    await own?.check();
    const foreign = ['own/urlaub.jpg', 'own/events/Mein Fest/notiz.txt', 'own/events/', 'daneben.txt'];
    for (const Key of foreign) await s3.client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: '' }));
    const strays: string[] = [];
    for await (const name of own?.strays() ?? []) strays.push(name);
    expect(strays.sort()).toEqual(['events/Mein Fest/notiz.txt', 'urlaub.jpg']);
    await own?.close();
    await other?.close();
  });

  it('a check fails where the bucket is missing or belongs to someone else', async () => {
    const store = createS3Store({ bucket: 'never-made', prefix: '', endpoint: s3.endpoint });
    await expect(store.check()).rejects.toThrow();
    await store.close();
    await s3.admin('user', 'create', '--uid=other', '--display-name=other', '--access-key=otheraccess', '--secret-key=othersecret');
    const theirs = new S3Client({
      region: 'us-east-1',
      endpoint: s3.endpoint,
      forcePathStyle: true,
      credentials: { accessKeyId: 'otheraccess', secretAccessKey: 'othersecret' },
    });
    await theirs.send(new CreateBucketCommand({ Bucket: 'theirs' }));
    theirs.destroy();
    const foreign = createS3Store({ bucket: 'theirs', prefix: '', endpoint: s3.endpoint });
    await expect(foreign.check()).rejects.toThrow();
    await foreign.close();
  });

  it('knows whether a bucket keeps what is removed from it', async () => {
    const bucket = await s3.freshBucket();
    const options = { bucket, prefix: '', endpoint: s3.endpoint };
    expect(await bucketVersioning(options)).toBe('off');
    for (const [Status, state] of [['Enabled', 'on'] as const, ['Suspended', 'suspended'] as const]) {
      await s3.client.send(new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration: { Status } }));
      expect(await bucketVersioning(options)).toBe(state);
    }
    await expect(bucketVersioning({ ...options, bucket: 'never-made' })).rejects.toThrow();
  });

  it('a missing bucket and changed keys are an outage of the store, and never taken for a missing blob', async () => {
    const wrong = { accessKeyId: 'nobody', secretAccessKey: 'nothing' };
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-staged-'));
    for (const [options, name] of [
      [{ bucket: 'never-made' }, 'NoSuchBucket'],
      [{ bucket: await s3.freshBucket(), credentials: wrong }, 'InvalidAccessKeyId'],
    ] as const) {
      const store = createS3Store({ prefix: '', endpoint: s3.endpoint, ...options });
      await writeFile(join(folder, 'file'), 'photo');
      const outage = { dependency: 'store', cause: { name } };
      await expect(read(store, 'events/a/b.original')).rejects.toMatchObject(outage);
      await expect(store.put('events/a/b.original', Buffer.from('photo'))).rejects.toMatchObject(outage);
      await expect(store.adopt('events/a/b.original', join(folder, 'file'))).rejects.toMatchObject(outage);
      await expect(store.remove('events/a/b.original')).rejects.toMatchObject(outage);
      await expect(store.size('events/a/b.original')).rejects.toMatchObject({ dependency: 'store' });
      await store.close();
    }
    await rm(folder, { recursive: true });
  });

  it('originals carry their MD5, and a store that knows no call for many objects is asked to delete them one by one', async () => {
    const bucket = await s3.freshBucket();
    const seen: string[] = [];
    const proxy = createHttpServer((request, response) => {
      seen.push(`${request.method} ${request.headers['content-md5'] ? 'md5' : ''}`);
      if (request.method === 'POST' && request.url?.includes('delete')) {
        response.writeHead(501, { 'content-type': 'application/xml' }).end('<Error><Code>NotImplemented</Code></Error>');
        request.resume();
        return;
      }
      const { port } = new URL(s3.endpoint);
      const forwarded = httpRequest({ port, host: '127.0.0.1', method: request.method, path: request.url, headers: request.headers });
      forwarded.on('response', (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 500, answer.headers)));
      request.pipe(forwarded);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const options = { bucket, prefix: '', endpoint: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
    const store = createS3Store(options);
    const staged = join(await mkdtemp(join(tmpdir(), 'feierbild-staged-')), 'file');
    await writeFile(staged, Buffer.alloc(10_000, 1));
    await store.adopt('events/a/b.original', staged);
    expect(seen).toEqual(['PUT md5']);
    await store.put('events/a/c.original', Buffer.alloc(5));
    await store.removePrefix('events/a/');
    expect(await keys(store, '')).toEqual([]);
    expect(await bucketDeletions(options)).toBe('single');
    expect(await bucketDeletions({ ...options, endpoint: s3.endpoint })).toBe('together');
    await store.close();
    proxy.close();
  });

  it('a bucket beyond its quota says that the disk is full, and keeps nothing', async () => {
    const bucket = await s3.freshBucket();
    await s3.admin('quota', 'set', '--quota-scope=bucket', '--uid=test', `--bucket=${bucket}`, '--max-size=100K');
    await s3.admin('quota', 'enable', '--quota-scope=bucket', '--uid=test', `--bucket=${bucket}`);
    const store = createS3Store({ bucket, prefix: '', endpoint: s3.endpoint });
    await expect(store.put('events/a/b.original', Buffer.alloc(1_000_000))).rejects.toMatchObject({ code: 'disk_full' });
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-staged-'));
    const staged = join(folder, 'file');
    await writeFile(staged, Buffer.alloc(1_000_000));
    await expect(store.adopt('events/a/b.original', staged)).rejects.toMatchObject({ code: 'disk_full' });
    expect(existsSync(staged)).toBe(true);
    expect(await keys(store, '')).toEqual([]);
    await store.close();
    await rm(folder, { recursive: true });
  });
});
