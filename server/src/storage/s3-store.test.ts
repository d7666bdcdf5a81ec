import { CreateBucketCommand, PutObjectCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, request as httpRequest } from 'node:http';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Unavailable } from '../lib/errors.ts';
import { tcpProxy } from '../testing/tcp-proxy.ts';
import { blobStoreConformance, keys, read } from './blob-store.conformance.ts';
import { bucketDeletions, bucketVersioning, createS3Store } from './s3-store.ts';
import { missingForS3, startS3, type TestS3 } from './testing/s3.ts';

const missing = missingForS3();
if (missing.length > 0) console.log(`skipped: S3; its suite needs Ceph (missing here: ${missing.join(', ')})`);

describe.skipIf(missing.length > 0)('in a bucket:', () => {
  let s3: TestS3;
  let client: S3Client;
  let buckets = 0;

  beforeAll(async () => {
    s3 = await startS3();
    process.env.AWS_ACCESS_KEY_ID = s3.credentials.accessKeyId;
    process.env.AWS_SECRET_ACCESS_KEY = s3.credentials.secretAccessKey;
    client = new S3Client({ region: 'us-east-1', endpoint: s3.endpoint, forcePathStyle: true });
  });
  afterAll(async () => {
    client?.destroy();
    await s3?.stop();
  });

  async function freshBucket(): Promise<string> {
    const bucket = `photos-${++buckets}`;
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    return bucket;
  }

  blobStoreConformance(async () => {
    const bucket = await freshBucket();
    return { open: () => createS3Store({ bucket, prefix: buckets % 2 ? '' : 'some/prefix/', endpoint: s3.endpoint }) };
  });

  it('two stores with prefixes of their own in one bucket do not see each other', async () => {
    const bucket = await freshBucket();
    const [one, two] = ['one/', 'two/'].map((prefix) => createS3Store({ bucket, prefix, endpoint: s3.endpoint }));
    await one?.put('events/a/b.original', Buffer.from('1'));
    await two?.put('events/a/b.original', Buffer.from('2'));
    await two?.removePrefix('');
    expect((await read(one as NonNullable<typeof one>, 'events/a/b.original')).toString()).toBe('1');
    await one?.close();
    await two?.close();
  });

  it('names what lies in its part of the bucket and is not its own, and nothing that it or a console put there', async () => {
    const bucket = await freshBucket();
    const [own, other] = ['own/', 'other/'].map((prefix) => createS3Store({ bucket, prefix, endpoint: s3.endpoint }));
    await own?.put('events/a/b.original', Buffer.from('1'));
    await other?.put('events/c/d.original', Buffer.from('2'));
    await own?.check();
    const foreign = ['own/urlaub.jpg', 'own/events/Mein Fest/notiz.txt', 'own/events/', 'daneben.txt'];
    for (const Key of foreign) await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: '' }));
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
    const bucket = await freshBucket();
    const options = { bucket, prefix: '', endpoint: s3.endpoint };
    expect(await bucketVersioning(options)).toBe('off');
    for (const [Status, state] of [['Enabled', 'on'] as const, ['Suspended', 'suspended'] as const]) {
      await client.send(new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration: { Status } }));
      expect(await bucketVersioning(options)).toBe(state);
    }
    await expect(bucketVersioning({ ...options, bucket: 'never-made' })).rejects.toThrow();
  });

  it('a missing bucket is not taken for a missing blob', async () => {
    const store = createS3Store({ bucket: 'never-made', prefix: '', endpoint: s3.endpoint });
    await expect(read(store, 'events/a/b.original')).rejects.toMatchObject({ name: 'NoSuchBucket' });
    await store.close();
  });

  it('a staged file arrives whole although the connection broke in the middle of the first attempts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-staged-'));
    const staged = join(folder, 'file');
    const bytes = Buffer.alloc(3_000_000, 9);
    await writeFile(staged, bytes);
    const proxy = await breakingProxy(s3.endpoint, 2);
    const store = createS3Store({ bucket: await freshBucket(), prefix: '', endpoint: proxy.endpoint });
    await store.adopt('events/a/b.original', staged);
    expect(proxy.broken()).toBe(2);
    expect((await read(store, 'events/a/b.original')).equals(bytes)).toBe(true);
    expect(existsSync(staged)).toBe(false);
    await store.close();
    proxy.server.close();
    await rm(folder, { recursive: true });
  });

  it('a staged file is given up after four attempts, and nothing of it stays', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-staged-'));
    const staged = join(folder, 'file');
    await writeFile(staged, Buffer.alloc(3_000_000, 9));
    const bucket = await freshBucket();
    const proxy = await breakingProxy(s3.endpoint, Number.POSITIVE_INFINITY);
    const store = createS3Store({ bucket, prefix: '', endpoint: proxy.endpoint });
    await expect(store.adopt('events/a/b.original', staged)).rejects.toThrow();
    expect(proxy.broken()).toBe(4);
    expect(existsSync(staged)).toBe(false);
    await store.close();
    const direct = createS3Store({ bucket, prefix: '', endpoint: s3.endpoint });
    expect(await keys(direct, '')).toEqual([]);
    await direct.close();
    proxy.server.close();
    await rm(folder, { recursive: true });
  });

  it('a staged file that cannot be read is given up at once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-staged-'));
    const store = createS3Store({ bucket: await freshBucket(), prefix: '', endpoint: s3.endpoint });
    // A folder can be opened, and each read of it fails.
    await expect(store.adopt('events/a/b.original', folder)).rejects.toThrow('EISDIR');
    await expect(store.adopt('events/a/b.original', join(folder, 'missing'))).rejects.toThrow('ENOENT');
    expect(await keys(store, '')).toEqual([]);
    await store.close();
    await rm(folder, { recursive: true });
  });

  it('a read goes on where its connection broke, as often as that happens, and gives each byte once', async () => {
    const bucket = await freshBucket();
    const bytes = randomBytes(5_000_000);
    const direct = createS3Store({ bucket, prefix: '', endpoint: s3.endpoint });
    await direct.put('events/a/b.original', bytes);
    await direct.close();
    const proxy = await breakingProxy(s3.endpoint, Number.POSITIVE_INFINITY);
    const store = createS3Store({ bucket, prefix: '', endpoint: proxy.endpoint });
    expect((await read(store, 'events/a/b.original')).equals(bytes)).toBe(true);
    expect((await read(store, 'events/a/b.original', { start: 1_000, end: 3_000_000 })).equals(bytes.subarray(1_000, 3_000_000))).toBe(
      true,
    );
    expect(proxy.broken()).toBeGreaterThan(4);
    await store.close();
    proxy.server.close();
  });

  it('a read whose store is gone or whose blob was replaced in the middle fails, and is never taken for the end', async () => {
    const bucket = await freshBucket();
    const direct = createS3Store({ bucket, prefix: '', endpoint: s3.endpoint });
    await direct.put('events/a/b.original', Buffer.alloc(3_000_000, 9));
    for (const trouble of ['gone', 'replaced']) {
      const proxy = await breakingProxy(s3.endpoint, Number.POSITIVE_INFINITY);
      const store = createS3Store({ bucket, prefix: '', endpoint: proxy.endpoint });
      const reading = (async () => {
        let first = true;
        for await (const piece of store.read('events/a/b.original')) {
          if (!first || piece.length === 0) continue;
          first = false;
          if (trouble === 'gone') proxy.server.close();
          else await direct.put('events/a/b.original', Buffer.alloc(3_000_000, 8));
        }
      })();
      await expect(reading).rejects.toThrow();
      await store.close();
      proxy.server.close();
    }
    await direct.close();
  });

  it('originals carry their MD5, and a store that knows no call for many objects is asked to delete them one by one', async () => {
    const bucket = await freshBucket();
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

  it('a silent store is given up in time, then refused at once, and used again as soon as it answers', { timeout: 60_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-staged-'));
    const proxy = await tcpProxy(Number(new URL(s3.endpoint).port));
    const callMs = 300;
    const store = createS3Store({ bucket: await freshBucket(), prefix: '', endpoint: `http://127.0.0.1:${proxy.port}`, callMs });
    const bytes = Buffer.alloc(2_000_000, 9);
    await store.put('events/a/b.original', bytes);
    const adopt = async (): Promise<void> => {
      const staged = join(folder, 'file');
      await writeFile(staged, bytes.subarray(0, 10_000));
      await store.adopt('events/a/c.original', staged).finally(() => expect(existsSync(staged)).toBe(false));
    };
    const reading = store.read('events/a/b.original')[Symbol.asyncIterator]();
    await reading.next();
    proxy.silence();
    proxy.silenceNew(true);
    const drained = async (): Promise<void> => {
      while (!(await reading.next()).done);
    };
    const calls = [
      drained,
      () => store.put('events/a/d.original', bytes.subarray(0, 1000)),
      adopt,
      () => store.size('events/a/b.original'),
      () => store.remove('events/a/b.original'),
      () => read(store, 'events/a/b.original'),
      () => keys(store, 'events/'),
    ];
    for (const call of calls) {
      const began = performance.now();
      await expect(call()).rejects.toThrow(Unavailable);
      expect(performance.now() - began).toBeLessThan(5000);
    }
    // Each call now and then goes to the store until there were enough failures in a row; from then on none does.
    for (const call of calls.slice(1))
      await expect
        .poll(async () => {
          const began = performance.now();
          await expect(call()).rejects.toThrow(Unavailable);
          return performance.now() - began;
        })
        .toBeLessThan(callMs / 2);
    proxy.silence();
    proxy.silenceNew(false);
    await expect.poll(() => store.size('events/a/b.original').catch(() => 'not yet'), { timeout: 15_000 }).toBe(bytes.length);
    await expect
      .poll(
        () =>
          adopt().then(
            () => 'stored',
            () => 'not yet',
          ),
        { timeout: 15_000 },
      )
      .toBe('stored');
    expect((await read(store, 'events/a/b.original')).equals(bytes)).toBe(true);
    await store.close();
    await proxy.close();
    await rm(folder, { recursive: true });
  });

  it('a body may take longer than a call, where its reader takes its time', async () => {
    const store = createS3Store({ bucket: await freshBucket(), prefix: '', endpoint: s3.endpoint, callMs: 200 });
    const bytes = randomBytes(5_000_000);
    await store.put('events/a/b.original', bytes);
    const pieces: Buffer[] = [];
    for await (const piece of store.read('events/a/b.original')) {
      if (pieces.length === 2) await new Promise((resolve) => setTimeout(resolve, 600));
      pieces.push(Buffer.from(piece));
    }
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
    await store.close();
  });

  it('a bucket beyond its quota says that the disk is full, and keeps nothing', async () => {
    const bucket = await freshBucket();
    await s3.admin('quota', 'set', '--quota-scope=bucket', '--uid=test', `--bucket=${bucket}`, '--max-size=100K');
    await s3.admin('quota', 'enable', '--quota-scope=bucket', '--uid=test', `--bucket=${bucket}`);
    const store = createS3Store({ bucket, prefix: '', endpoint: s3.endpoint });
    await expect(store.put('events/a/b.original', Buffer.alloc(1_000_000))).rejects.toMatchObject({ code: 'disk_full' });
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-staged-'));
    const staged = join(folder, 'file');
    await writeFile(staged, Buffer.alloc(1_000_000));
    await expect(store.adopt('events/a/b.original', staged)).rejects.toMatchObject({ code: 'disk_full' });
    expect(existsSync(staged)).toBe(false);
    expect(await keys(store, '')).toEqual([]);
    await store.close();
    await rm(folder, { recursive: true });
  });
});

/** Bytes in either direction after which the proxy breaks a connection. */
const BREAKS_AFTER = 1_000_000;

/** A proxy that breaks the first `times` connections that carry much. */
async function breakingProxy(target: string, times: number): Promise<{ endpoint: string; server: Server; broken(): number }> {
  let broken = 0;
  const server = createServer((near) => {
    const far = connect(Number(new URL(target).port), '127.0.0.1');
    let carried = 0;
    const count = (chunk: Buffer): void => {
      carried += chunk.length;
      if (carried < BREAKS_AFTER || broken >= times || near.destroyed) return;
      broken++;
      near.destroy();
      far.destroy();
    };
    near.on('data', count).on('error', () => far.destroy());
    far.on('data', count).on('error', () => near.destroy());
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, broken: () => broken };
}
