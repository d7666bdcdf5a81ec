import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { appendFile, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClockGuard } from '../../database/clock-guard.ts';
import { requireSchema } from '../../database/migrate.ts';
import type { Db } from '../../database/open.ts';
import { engines } from '../../database/testing.ts';
import { systemClock } from '../../lib/clock.ts';
import { collect } from '../../lib/stages.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import { createFolderStore } from '../../storage/folder-store.ts';
import { createStaging } from '../../storage/staging.ts';
import { createS3Store } from '../../storage/s3-store.ts';
import { missingForS3, startS3 } from '../../storage/testing/s3.ts';
import { createQuickVault } from '../../vault/testing/quick-vault.ts';
import { createIntegrity } from '../integrity/integrity.ts';
import { canMount, mountSmallDisk } from '../../testing/system.ts';
import { drawPhoto, newDevice, openApp, type TestApp } from '../testing.ts';
import { createBackup, type Backup } from './backup.ts';
import { listSnapshots } from './snapshots.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { BYTES, drawShape, newKey, tusClient } from '../uploads/testing.ts';

const DAY = 24 * 60 * 60 * 1000;
const all = engines();
const vault = createQuickVault();
const folders: string[] = [];
const decoder = useDecoder(all);
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'feierbild-backup-'));
  folders.push(folder);
  return folder;
}

/** Another installation, empty. */
async function elsewhere(db: Db) {
  const folder = await freshFolder();
  const blobs = createFolderStore({ folder: join(folder, 'photos') });
  const staging = createStaging({ folder: join(folder, 'staging') });
  return {
    db,
    blobs,
    backup: createBackup({ db, blobs, staging, vault, clock: systemClock }),
    integrity: createIntegrity({ db, blobs, vault, graceMs: 0 }),
  };
}

describe.each(all)('a backup of $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let folder: string;
  let now: number;
  const device = newDevice();

  beforeEach(async () => {
    app = await openApp({ db: await engine.open(), decoder });
    event = await app.event();
    folder = await freshFolder();
    now = Date.now();
  });
  afterEach(() => app.close());

  const backupOf = (blobs: BlobStore): Backup =>
    createBackup({ db: app.db, blobs, staging: createStaging({ folder: join(folder, 'unused') }), vault, clock: { now: () => now } });
  const add = async (): Promise<string> => (await app.upload(event.code, await drawPhoto(), { device })).photo.id;
  const remove = (id: string): Promise<Response> =>
    fetch(`${app.url}/api/photos/${id}`, { method: 'DELETE', headers: { cookie: event.cookie, 'sec-fetch-site': 'same-origin' } });

  it('that was taken while photos came and went is restored on any engine, each photo byte for byte', async () => {
    for (let n = 0; n < 4; n++) await add();
    let running = true;
    let added = 0;
    const churn = async (): Promise<void> => {
      for (let n = 0; running; n++) {
        const id = await add();
        added += 1;
        if (n % 2 === 0) await remove(id);
      }
    };
    const backup = backupOf(app.blobs);
    const take = async (): Promise<void> => {
      while (added < 6) {
        now += 1;
        expect((await backup.take(folder)).missing).toEqual([]);
      }
      running = false;
    };
    await Promise.all([churn(), churn(), take()]);

    for (const other of all) {
      const there = await elsewhere(await other.open());
      const restored = await there.backup.restore(folder);
      expect(restored.damaged).toEqual([]);
      expect(restored.photos).toBeGreaterThan(3);
      expect(await there.integrity.check()).toMatchObject({ photos: restored.photos, findings: [] });
      expect(await there.integrity.openAll(event.id, event.privateKey)).toMatchObject({ photos: restored.photos, findings: [] });
      const common = await there.db.kysely.selectFrom('photos').selectAll().orderBy('id').execute();
      for (const row of common) {
        const original = await app.db.kysely.selectFrom('photos').selectAll().where('id', '=', row.id).executeTakeFirst();
        if (!original) continue;
        const key = `events/${event.id}/${row.id}.original`;
        expect(Buffer.compare(await collect(there.blobs.read(key)), await collect(app.blobs.read(key)))).toBe(0);
        expect(Buffer.compare(row.description, original.description)).toBe(0);
        expect(Buffer.compare(row.fingerprint, original.fingerprint)).toBe(0);
      }
      expect(await there.db.kysely.selectFrom('session_keys').selectAll().execute()).toEqual([]);
      // As the server asks when it starts: what the backup's own engine has noted of its schema is nothing of this one's.
      await requireSchema(there.db.kysely, other.name);
    }
  });

  it('holds photos in each state, with true counters, and an original that follows after it goes to its photo', async () => {
    let there: TestApp | null = null;
    const { announce, append, ask, metadata } = tusClient(() => ({ app: there ?? app, code: event.code, device }));
    const photo = await drawShape(3, 800, 600);
    const [key, expected] = [newKey(), [['stored', await add()]]];
    /** Sends both, or the preview alone. */
    const send = async (upload: string, original: Buffer, comes: boolean): Promise<string> => {
      const { id } = (await announce(upload, photo, original.length)).json.photo;
      if (comes) expect((await append(`/uploads/${upload}`, 0, original)).status).toBe(201);
      return id;
    };
    const unreadable = await send(newKey(), Buffer.alloc(9000, 7), true);
    await expect.poll(async () => (await app.photos.byId(unreadable))?.state).toBe('unreadable');
    const held = app.photos.previews.hold();
    const late = Buffer.concat([photo, Buffer.from('late')]);
    expected.push(['unreadable', unreadable], ['received', await send(newKey(), photo, true)], ['announced', await send(key, late, false)]);
    await backupOf(app.blobs).take(folder);
    held();
    for (const other of all) {
      const { db, blobs, backup, integrity } = await elsewhere(await other.open());
      expect(await backup.restore(folder)).toMatchObject({ photos: 4, damaged: [] });
      expect(await integrity.check()).toMatchObject({ photos: 4, findings: [] });
      expect((await integrity.openAll(event.id, event.privateKey)).findings).toEqual([]);
      const rows = await db.kysely.selectFrom('photos').select(['state', 'id']).execute();
      expect(rows.map(({ state, id }) => [state, id]).toSorted()).toEqual(expected.toSorted());
      there = await openApp({ db, decoder, wrapStore: () => blobs });
      const about = { 'upload-length': String(late.length), 'upload-metadata': metadata(), 'upload-key': key };
      const sent = await ask('POST', '/uploads', { ...about, ...BYTES }, late);
      expect([sent.status, JSON.parse(sent.body)]).toMatchObject([201, { photo: { id: expected.at(-1)![1], state: 'received' } }]);
      expect((await integrity.check()).findings).toEqual([]);
      await there.close();
      there = null;
    }
  });

  it('leaves out a photo that was deleted before its bytes were copied, and the counters are true', async () => {
    const kept = await add();
    const deleted = await add();
    const original = `events/${event.id}/${deleted}.original`;
    const slow: BlobStore = {
      ...app.blobs,
      async *read(key, range) {
        if (key === original) await remove(deleted);
        yield* app.blobs.read(key, range);
      },
    };
    expect(await backupOf(slow).take(folder)).toMatchObject({ photos: 1, missing: [] });
    const there = await elsewhere(await engine.open());
    expect(await there.backup.restore(folder)).toMatchObject({ photos: 1, damaged: [] });
    expect(await there.integrity.check()).toMatchObject({ photos: 1, findings: [] });
    const rows = await there.db.kysely.selectFrom('photos').select('id').execute();
    expect(rows).toEqual([{ id: kept }]);
  });

  it('copies a blob once, and drops snapshots before their 14 days with the blobs that only they name', async () => {
    const backup = backupOf(app.blobs);
    /** With its preview, which is made afterwards. */
    const addWhole = async (): Promise<string> => {
      const id = await add();
      const row = () => app.db.kysely.selectFrom('photos').select('preview_size').where('id', '=', id).executeTakeFirst();
      await expect.poll(async () => (await row())?.preview_size, { timeout: 20_000 }).toBeGreaterThan(0);
      return id;
    };
    expect(await backup.last()).toBe(null);
    const early = await addWhole();
    expect(await backup.take(folder)).toMatchObject({ photos: 1, copied: 3, present: 0 });
    await addWhole();
    await remove(early);
    now += DAY;
    expect(await backup.take(folder)).toMatchObject({ photos: 1, copied: 3, present: 0, removed: 0 });
    now += 1;
    expect(await backup.take(folder)).toMatchObject({ photos: 1, copied: 0, present: 3, removed: 0 });
    const blobs = createFolderStore({ folder: join(folder, 'blobs') });
    expect(await Array.fromAsync(blobs.list(''))).toHaveLength(6);
    now += 12.5 * DAY;
    expect(await backup.take(folder)).toMatchObject({ removed: 1 });
    const left = await Array.fromAsync(blobs.list(''));
    expect(left.map(({ key }) => key).filter((key) => key.includes(early))).toEqual([]);
    expect(left).toHaveLength(3);
    const oldest = Math.min(...(await listSnapshots(folder)).map(({ manifest }) => Date.parse(manifest?.taken_at ?? '')));
    expect(now - oldest).toBeLessThan(14 * DAY);
    expect([await backup.newest(folder), await backup.last()]).toEqual([now, { at: now, folder, oldest }]);
  });

  it('drops nothing on a clock that leapt ahead, until an operator says that it is right', async () => {
    await add();
    const clock = { now: () => now, monotonic: () => 0 };
    const backup = createBackup({ db: app.db, blobs: app.blobs, staging: createStaging({ folder: join(folder, 'unused') }), vault, clock });
    const { snapshot } = await backup.take(folder);
    now += 365 * DAY;
    expect(await backup.take(folder)).toMatchObject({ removed: 0 });
    // The papers must not say that none is so old.
    const last = await backup.last();
    expect((last?.at ?? 0) - (last?.oldest ?? 0)).toBeGreaterThan(14 * DAY);
    expect(await readdir(join(folder, 'snapshots'))).toContain(snapshot);
    await createClockGuard({ db: app.db, clock }).confirm();
    now += 1;
    expect(await backup.take(folder)).toMatchObject({ removed: 1 });
    expect(await readdir(join(folder, 'snapshots'))).not.toContain(snapshot);
  });

  it('reads each blob again within a week, and copies anew what has rotted in the backup', async () => {
    const id = await add();
    const backup = backupOf(app.blobs);
    await backup.take(folder);
    const key = `events/${event.id}/${id}.original`;
    const path = join(folder, 'blobs', key);
    const bytes = await readFile(path);
    bytes[100]! ^= 1;
    await writeFile(path, bytes);
    const rotten: string[] = [];
    for (let day = 0; day < 7; day++) {
      now += DAY;
      rotten.push(...(await backup.take(folder)).rotten);
    }
    expect(rotten).toEqual([key]);
    const there = await elsewhere(await engine.open());
    expect(await there.backup.restore(folder)).toMatchObject({ damaged: [] });
  });

  it('says what the photo store lost, and is a backup all the same', async () => {
    const lost = await add();
    await add();
    await app.blobs.remove(`events/${event.id}/${lost}.thumbnail`);
    expect(await backupOf(app.blobs).take(folder)).toMatchObject({ photos: 2, missing: [`events/${event.id}/${lost}.thumbnail`] });
    const there = await elsewhere(await engine.open());
    await there.backup.restore(folder);
    const { findings } = await there.integrity.check();
    expect(findings).toEqual([{ kind: 'photo', subject: lost, problem: 'Miniatur fehlt' }]);
  });

  it('is refused where it would overwrite, where it is incomplete and where its list is damaged', async () => {
    await add();
    const backup = backupOf(app.blobs);
    await expect(backup.restore(folder)).rejects.toThrow(/keine vollständige Sicherung/);
    const { snapshot } = await backup.take(folder);
    await expect(backup.restore(folder)).rejects.toThrow(/enthält schon Events/);
    const there = await elsewhere(await engine.open());
    await there.blobs.put('events/a/b.original', Buffer.alloc(3));
    await expect(there.backup.restore(folder)).rejects.toThrow(/nicht leer/);
    await there.blobs.removePrefix('');
    const path = join(folder, 'snapshots', snapshot);
    await appendFile(join(path, 'rows.jsonl'), '["events",{}]\n');
    await expect(there.backup.restore(folder)).rejects.toThrow(/beschädigt/);
    await rm(join(path, 'manifest.json'));
    await expect(there.backup.restore(folder)).rejects.toThrow(/keine vollständige Sicherung/);
    expect(await there.integrity.check()).toEqual({ photos: 0, blobs: 0, findings: [] });
  });

  it('removes no snapshot whose manifest it cannot read, as of a newer version, and none of its blobs', async () => {
    const id = await add();
    const backup = backupOf(app.blobs);
    const path = join(folder, 'snapshots', (await backup.take(folder)).snapshot);
    await writeFile(join(path, 'manifest.json'), '{"format":2}');
    await remove(id);
    now += DAY;
    await expect(backup.take(folder)).rejects.toThrow(/beschädigt/);
    expect(await readdir(path)).toContain('manifest.json');
    const blobs = createFolderStore({ folder: join(folder, 'blobs'), shared: true });
    expect((await Array.fromAsync(blobs.list(''))).map(({ key }) => key)).toContain(`events/${event.id}/${id}.original`);
  });

  it('restores all but the blob that rotted, and names it', async () => {
    const [rotten] = [await add(), await add()];
    const backup = backupOf(app.blobs);
    await backup.take(folder);
    const key = `events/${event.id}/${rotten}.original`;
    const bytes = Buffer.from(await collect(app.blobs.read(key)));
    bytes[100]! ^= 1;
    await writeFile(join(folder, 'blobs', key), bytes);
    const there = await elsewhere(await engine.open());
    expect(await there.backup.restore(folder)).toMatchObject({ photos: 2, damaged: [key] });
    expect((await there.integrity.check()).findings).toEqual([{ kind: 'photo', subject: rotten, problem: 'Original fehlt' }]);
  });
});

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

it.skipIf(!canMount('a backup onto a full disk'))('a backup onto a full disk says so, and the one before stays whole', async () => {
  const engine = all[0]!;
  const app = await openApp({ db: await engine.open(), decoder });
  const { folder: disk, unmount } = await mountSmallDisk(1);
  try {
    const event = await app.event();
    let now = Date.now();
    const staging = createStaging({ folder: join(await freshFolder(), 'staging') });
    const backup = createBackup({ db: app.db, blobs: app.blobs, staging, vault, clock: { now: () => now++ } });
    await app.upload(event.code, await drawPhoto());
    await backup.take(disk);
    for (let n = 0; n < 2; n++) await app.upload(event.code, await drawPhoto({ width: 1200, height: 900 }));
    await expect(backup.take(disk)).rejects.toThrow('Der Datenträger ist voll. Frühere Sicherungen sind unversehrt.');
    expect(await readdir(join(disk, 'snapshots'))).toHaveLength(1);
    const there = await elsewhere(await engine.open());
    expect(await there.backup.restore(disk)).toMatchObject({ photos: 1, damaged: [] });
    expect((await there.integrity.check()).findings).toEqual([]);
  } finally {
    await unmount();
    await app.close();
  }
});
