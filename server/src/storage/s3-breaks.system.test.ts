import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { Unavailable } from '../lib/errors.ts';
import { tcpProxy } from '../testing/tcp-proxy.ts';
import { keys, read } from './testing/conformance.ts';
import type { BlobStore } from './blob-store.ts';
import { bucketDeletions, bucketVersioning } from './s3-client.ts';
import { createS3Store } from './s3-store.ts';
import { missingForS3 } from './testing/s3.ts';
import { useS3 } from './testing/use-s3.ts';

describe.skipIf(missingForS3().length > 0)('over a line to S3 that breaks or is silent', () => {
  const s3 = useS3();

  it('a staged file arrives whole although the connection broke in the middle of the first attempts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-staged-'));
    const staged = join(folder, 'file');
    const bytes = randomBytes(3_000_000);
    await writeFile(staged, bytes);
    const proxy = await breakingProxy(s3.endpoint, 2);
    const store = createS3Store({ bucket: await s3.freshBucket(), prefix: '', endpoint: proxy.endpoint });
    await store.adopt('events/a/b.original', staged);
    expect(proxy.broken()).toBe(2);
    expect((await read(store, 'events/a/b.original')).equals(bytes)).toBe(true);
    expect(existsSync(staged)).toBe(true);
    await store.close();
    proxy.server.close();
    await rm(folder, { recursive: true });
  });

  it('a staged file reaches a store that takes its bytes slowly as it is, with its MD5, in one attempt', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-staged-'));
    const staged = join(folder, 'file');
    const bytes = randomBytes(5_000_000);
    await writeFile(staged, bytes);
    const taken: { body: Buffer; md5: string | undefined }[] = [];
    const slow = createHttpServer(async (request, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of request) {
        pieces.push(piece as Buffer);
        await setTimeout(1);
      }
      taken.push({ body: Buffer.concat(pieces), md5: request.headers['content-md5']?.toString() });
      response.writeHead(200, { 'x-amz-request-id': '1', etag: '"1"' }).end();
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    const store = createS3Store({ bucket: 'any', prefix: '', endpoint });
    await store.adopt('events/a/b.original', staged);
    expect(taken.map(({ body, md5 }) => [body.equals(bytes), md5])).toEqual([[true, createHash('md5').update(bytes).digest('base64')]]);
    await store.close();
    slow.close();
    await rm(folder, { recursive: true });
  });

  it('a staged file is given up after four attempts, and nothing of it stays', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-staged-'));
    const staged = join(folder, 'file');
    await writeFile(staged, Buffer.alloc(3_000_000, 9));
    const bucket = await s3.freshBucket();
    const proxy = await breakingProxy(s3.endpoint, Number.POSITIVE_INFINITY);
    const store = createS3Store({ bucket, prefix: '', endpoint: proxy.endpoint });
    await expect(store.adopt('events/a/b.original', staged)).rejects.toThrow();
    expect(proxy.broken()).toBe(4);
    expect(existsSync(staged)).toBe(true);
    await store.close();
    const direct = createS3Store({ bucket, prefix: '', endpoint: s3.endpoint });
    expect(await keys(direct, '')).toEqual([]);
    await direct.close();
    proxy.server.close();
    await rm(folder, { recursive: true });
  });

  it('a staged file that cannot be read is given up at once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-staged-'));
    const store = createS3Store({ bucket: await s3.freshBucket(), prefix: '', endpoint: s3.endpoint });
    // A folder can be opened, and each read of it fails.
    await expect(store.adopt('events/a/b.original', folder)).rejects.toThrow('EISDIR');
    await expect(store.adopt('events/a/b.original', join(folder, 'missing'))).rejects.toThrow('ENOENT');
    expect(await keys(store, '')).toEqual([]);
    await store.close();
    await rm(folder, { recursive: true });
  });

  it('a read goes on where its connection broke, as often as that happens, and gives each byte once', async () => {
    const bucket = await s3.freshBucket();
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
    const bucket = await s3.freshBucket();
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

  it('a silent store is given up in time, then refused at once, and used again as soon as it answers', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-staged-'));
    const proxy = await tcpProxy(Number(new URL(s3.endpoint).port));
    const callMs = 1000;
    const bucket = await s3.freshBucket();
    const store = createS3Store({ bucket, prefix: '', endpoint: `http://127.0.0.1:${proxy.port}`, callMs });
    const bytes = Buffer.alloc(2_000_000, 9);
    await store.put('events/a/b.original', bytes);
    const direct = createS3Store({ bucket, prefix: '', endpoint: s3.endpoint });
    await direct.put('events/a/large.original', Buffer.alloc(MORE_THAN_IS_UNDER_WAY));
    await direct.close();
    const adopt = async (): Promise<void> => {
      const staged = join(folder, 'file');
      await writeFile(staged, bytes.subarray(0, 10_000));
      await store.adopt('events/a/c.original', staged).finally(() => expect(existsSync(staged)).toBe(true));
    };
    const reading = store.read('events/a/large.original')[Symbol.asyncIterator]();
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
    // Some calls go to the store until there were enough failures in a row; from then on none does.
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
    await expect.poll(() => store.size('events/a/b.original').catch(() => 'not yet')).toBe(bytes.length);
    await expect
      .poll(() =>
        adopt().then(
          () => 'stored',
          () => 'not yet',
        ),
      )
      .toBe('stored');
    await expect
      .poll(() =>
        read(store, 'events/a/b.original').then(
          (found) => found.equals(bytes),
          () => 'not yet',
        ),
      )
      .toBe(true);
    await store.close();
    await proxy.close();
    await rm(folder, { recursive: true });
  });

  it('a body may take longer than a call, where its reader takes its time', async () => {
    const store = createS3Store({ bucket: await s3.freshBucket(), prefix: '', endpoint: s3.endpoint, callMs: 200 });
    const bytes = randomBytes(5_000_000);
    await store.put('events/a/b.original', bytes);
    const pieces: Buffer[] = [];
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      for await (const piece of store.read('events/a/b.original')) {
        if (pieces.length === 2) vi.advanceTimersByTime(600);
        pieces.push(Buffer.from(piece));
      }
    } finally {
      vi.useRealTimers();
    }
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
    await store.close();
  });

  it.each([
    ['503', 503, ''],
    ['503 with a page', 503, '<html>no server is available</html>'],
    ['404', 404, ''],
    ['404 with a text', 404, '404 page not found'],
    ['404 with a page', 404, '<html><body>not found</body></html>'],
    ['200', 200, ''],
    ['200 with a page', 200, '<html><body>maintenance</body></html>'],
  ])(
    'a proxy that answers %s in place of the store is no store, and its answer no missing blob and no deletion',
    async (_, status, body) => {
      const folder = await mkdtemp(join(tmpdir(), 'feierbild-staged-'));
      const proxy = createHttpServer((request, response) => {
        request.resume();
        request.once('end', () => response.writeHead(status).end(body));
      });
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
      const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
      const store = createS3Store({ bucket: 'any', prefix: '', endpoint });
      await writeFile(join(folder, 'file'), 'photo');
      await expect(store.adopt('events/a/b.original', join(folder, 'file'))).rejects.toThrow(Unavailable);
      await expect(read(store, 'events/a/b.original')).rejects.toThrow(Unavailable);
      await expect(store.size('events/a/b.original')).rejects.toThrow(status === 200 ? /not of S3/ : Unavailable);
      for (const call of [
        () => keys(store, ''),
        () => foldersOf(store),
        () => store.remove('events/a/b.original'),
        () => store.removePrefix('events/'),
      ])
        await expect(call()).rejects.toThrow(Unavailable);
      await expect(store.check()).rejects.toThrow(status === 200 ? /not of S3/ : `store unavailable: HTTP ${status}`);
      const options = { bucket: 'any', prefix: '', endpoint };
      await expect(bucketVersioning(options)).rejects.toThrow();
      await expect(bucketDeletions(options)).rejects.toThrow();
      await store.close();
      proxy.close();
      await rm(folder, { recursive: true });
    },
  );
});

async function foldersOf(store: BlobStore): Promise<string[]> {
  return Array.fromAsync(store.folders('events/', ''));
}

/** More bytes than the buffers on the way from the store hold. */
const MORE_THAN_IS_UNDER_WAY = 32_000_000;

/** Bytes in either direction after which the proxy breaks a connection. */
const BREAKS_AFTER = 1_000_000;

/** Starts a proxy that breaks the first `times` connections that carry much. */
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
