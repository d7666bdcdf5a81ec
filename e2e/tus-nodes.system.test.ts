import { MB } from '@feierbild/contract/constants.ts';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../server/src/database/open.ts';
import { engines, type Engine } from '../server/src/database/testing.ts';
import { createS3Store } from '../server/src/storage/s3-store.ts';
import { missingForS3, startS3, type TestS3 } from '../server/src/storage/testing/s3.ts';
import { adminOf, createEvent, deviceOf, type EventUnderTest } from './support/api.ts';
import { launchBrowser, openPage } from './support/browser.ts';
import { drawPhoto } from './support/photos.ts';
import { startProxy } from './support/proxy.ts';
import { startServer, type TestServer } from './support/server.ts';
import { sha256 } from './support/sha256.ts';
import { sendInBrowser, tusDevice } from './support/tus.ts';

/** Bytes of a part, and bytes that may lie unread in sockets. */
const PART = 8 * 1024 * 1024;
const SLACK_BYTES = 256 * 1024;
const postgres = engines().find(({ name }) => name === 'postgres');
const missing = missingForS3();
if (missing.length > 0) console.log(`skipped: uploads over two nodes; they need Ceph (missing here: ${missing.join(', ')})`);

describe.skipIf(missing.length > 0 || !postgres)('an upload over two nodes, on PostgreSQL and S3', () => {
  let s3: TestS3;
  let engine: Engine;
  let db: Db;
  let nodes: [TestServer, TestServer];
  let event: EventUnderTest;
  let base: Buffer;
  let device: string;
  let tus: ReturnType<typeof tusDevice>;

  beforeAll(async () => {
    engine = postgres as Engine;
    s3 = await startS3();
    process.env.AWS_ACCESS_KEY_ID = s3.credentials.accessKeyId;
    process.env.AWS_SECRET_ACCESS_KEY = s3.credentials.secretAccessKey;
    await s3.createBucket('photos');
    db = await engine.open();
    const settings = {
      DATABASE_URL: engine.location(db).url as string,
      STORAGE_URL: `s3://photos?endpoint=${s3.endpoint}`,
      AWS_ACCESS_KEY_ID: s3.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
      SHUTDOWN_DELAY: '0',
    };
    nodes = [await startServer(settings), await startServer(settings)];
    event = await createEvent(await adminOf(nodes[0].url));
    base = await drawPhoto(1, 1600, 1200);
    device = await deviceOf(nodes[0].url);
    tus = tusDevice(device);
  }, 240_000);
  afterAll(async () => {
    await Promise.all((nodes ?? []).map((node) => node.dispose()));
    await engine?.dispose();
    await s3?.stop();
  });

  const photoOf = (bytes: number): Buffer => Buffer.concat([base, randomBytes(bytes - base.length)]);
  const at = (node: 0 | 1, path: string): string => nodes[node].url + path;
  async function begin(photo: Buffer): Promise<string> {
    return (await tus.create(nodes[0].url, event.code, photo.length)).headers.get('location') as string;
  }
  async function stored(body: string): Promise<string> {
    const answer = await fetch(at(1, `/api/photos/${JSON.parse(body).photo.id}/download`), { headers: { 'device-id': device } });
    return sha256(new Uint8Array(await answer.arrayBuffer()));
  }
  async function partsLeft(): Promise<string[]> {
    const store = createS3Store({ bucket: 'photos', prefix: '', endpoint: s3.endpoint });
    const keys = (await Array.fromAsync(store.list('events/'))).map(({ key }) => key);
    await store.close();
    return keys.filter((key) => key.includes('/uploads/'));
  }
  const received = async (): Promise<number> =>
    Number((await db.kysely.selectFrom('uploads').select('received').where('photo_id', 'is', null).executeTakeFirst())?.received ?? 0);

  it('goes on at the other node when one is killed: at most 8 MiB are sent again', async () => {
    const photo = photoOf(40 * MB);
    const path = await begin(photo);
    const sent = 30 * MB;
    const sending = await tus.begin(at(0, path), 0, photo.length, photo.subarray(0, sent));
    await expect.poll(received, { timeout: 60_000 }).toBeGreaterThanOrEqual(sent - PART - SLACK_BYTES);
    await nodes[0].kill();
    sending.destroy();
    const offset = (await tus.offset(at(1, path))) as number;
    expect(offset).toBeGreaterThanOrEqual(sent - PART - SLACK_BYTES);
    const last = await tus.append(at(1, path), offset, photo.subarray(offset));
    expect(last.status).toBe(201);
    expect(await stored(last.body)).toBe(sha256(photo));
    await nodes[0].restart();
    // The node that knows nothing of the upload answers for the other one.
    const again = await tus.append(at(0, path), photo.length, Buffer.alloc(0));
    expect([again.status, JSON.parse(again.body)]).toEqual([200, JSON.parse(last.body)]);
    expect(await partsLeft()).toEqual([]);
  });

  it('loses nothing where a node is told to stop: what has arrived is kept first', async () => {
    const photo = photoOf(20 * MB);
    const path = await begin(photo);
    const sent = 13 * MB;
    const sending = await tus.begin(at(0, path), 0, photo.length, photo.subarray(0, sent));
    await expect.poll(received, { timeout: 60_000 }).toBeGreaterThanOrEqual(PART);
    expect(await nodes[0].stop()).toBe(0);
    sending.destroy();
    const offset = (await tus.offset(at(1, path))) as number;
    expect(offset).toBeGreaterThanOrEqual(sent - SLACK_BYTES);
    const last = await tus.append(at(1, path), offset, photo.subarray(offset));
    expect(await stored(last.body)).toBe(sha256(photo));
    await nodes[0].restart();
  });

  it('belongs to the newer of two senders, on whichever node', async () => {
    const photo = photoOf(20 * MB);
    const path = await begin(photo);
    const forged = randomBytes(photo.length);
    await tus.append(at(0, path), 0, photo.subarray(0, MB));
    const claimed = async () =>
      Number((await db.kysely.selectFrom('uploads').select('version').where('photo_id', 'is', null).executeTakeFirst())?.version);
    const before = await claimed();
    const older = await tus.begin(at(0, path), MB, photo.length - MB, forged.subarray(0, 3 * MB));
    await expect.poll(claimed).toBe(before + 1);
    const newer = await tus.begin(at(1, path), MB, photo.length - MB, photo.subarray(MB, 2 * MB));
    await expect.poll(claimed).toBe(before + 2);
    // The older sender ends before the newer one; none of its bytes may be stored.
    const refused = new Promise<number | undefined>((resolve) => older.once('response', ({ statusCode }) => resolve(statusCode)));
    older.end(forged.subarray(3 * MB, photo.length - MB));
    expect(await refused).toBe(409);
    const answer = new Promise<string>((resolve, reject) => {
      newer.once('response', (response) => response.toArray().then((pieces) => resolve(Buffer.concat(pieces).toString()), reject));
    });
    newer.end(photo.subarray(2 * MB));
    expect(await stored(await answer)).toBe(sha256(photo));
    expect(await partsLeft()).toEqual([]);
  });

  it('gets to the end by tus-js-client in a browser whose connections are cut and lead to one node and the other in turn', async () => {
    const photo = photoOf(18 * MB);
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-tus-'));
    const path = join(folder, 'IMG_0042.jpg');
    await writeFile(path, photo);
    const [proxy, browser] = await Promise.all([startProxy(nodes[0].url), launchBrowser()]);
    try {
      const { page } = await openPage(browser, proxy.url);
      let cuts = 0;
      proxy.cutAfter(() => {
        proxy.lead(nodes[++cuts % 2 === 0 ? 0 : 1].url);
        return Math.floor(photo.length * (0.1 + 0.3 * Math.random()));
      });
      const body = await sendInBrowser(page, { path, code: event.code, device });
      expect(cuts).toBeGreaterThan(3);
      expect(await stored(body)).toBe(sha256(photo));
      expect(await partsLeft()).toEqual([]);
    } finally {
      await browser.close();
      await proxy.close();
      await rm(folder, { recursive: true });
    }
  });
});
