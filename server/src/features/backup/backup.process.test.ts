import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY } from '@feierbild/contract/constants.ts';
import { rowsOf } from '../../database/testing/fill.ts';
import { enginesForRules, runSql } from '../../database/testing.ts';
import { systemClock } from '../../lib/clock.ts';
import { collect } from '../../lib/stages.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import { createFolderStore } from '../../storage/folder-store.ts';
import { createStaging } from '../../storage/staging.ts';
import { damage } from '../../testing/bad-disk.ts';
import { canMount, mountSmallDisk, untilFull } from '../../testing/system.ts';
import { drawPhoto, newDevice, openApp, type TestApp } from '../testing.ts';
import { isUnsaved, SAVED_BY } from '../archive/archive.ts';
import { createBackup } from './backup.ts';
import { holdableDecoder } from '../testing/holdable-decoder.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { galleryClient, OPEN } from '../gallery/testing.ts';
import { useBackups } from './testing.ts';
import { drawShape, newKey, previewOf, tusClient } from '../uploads/testing.ts';

const all = enginesForRules();
const { vault, freshFolder, elsewhere, clientOf } = useBackups();
const { decoder, hold: holdBackground } = holdableDecoder(useDecoder(all));

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

  const { backupOf, add } = clientOf(() => ({ app, event, folder, device, now }));

  it('is none where its rows cannot be read back', async () => {
    await add();
    const backup = backupOf(app.blobs);
    const { snapshot } = await backup.take(folder);
    now += 1;
    if (engine.name === 'sqlite') await runSql(app.db, 'pragma foreign_keys = off');
    else await runSql(app.db, 'alter table host_keys drop constraint host_keys_event_id_fkey');
    const orphan = { event_id: 'of no event', wrapped: Buffer.alloc(3) };
    await app.db.kysely.insertInto('host_keys').values(orphan).execute();
    await expect(backup.take(folder)).rejects.toThrow(/ließen sich nicht zurücklesen .*Frühere Sicherungen sind unversehrt/);
    expect(await readdir(join(folder, 'snapshots'))).toEqual([snapshot]);
    expect(await readdir(join(folder, 'staging'))).toEqual([]);
  });

  it('copies the thumbnail or preview that has taken the place of another one meanwhile and the large picture that was made, and calls nothing missing', async () => {
    const id = await add();
    const key = `events/${event.id}/${id}.thumbnail`;
    const other = `events/${event.id}/${id}-again.thumbnail`;
    const large = `events/${event.id}/${id}-first.large`;
    let replaced = false;
    const slow: BlobStore = {
      ...app.blobs,
      async *read(asked, range) {
        if (asked === key && !replaced) {
          replaced = true;
          await app.blobs.put(other, await collect(app.blobs.read(key)));
          await app.blobs.put(large, await collect(app.blobs.read(key)));
          const made = { large_type: 'image/jpeg', large_attempt: 'first' };
          await app.db.kysely
            .updateTable('photos')
            .set((row) => ({ thumbnail_attempt: 'again', ...made, large_size: row.ref('thumbnail_size') }))
            .where('id', '=', id)
            .execute();
          await app.blobs.remove(key);
        }
        yield* app.blobs.read(asked, range);
      },
    };
    expect(await backupOf(slow).take(folder)).toMatchObject({ photos: 1, missing: [] });
    const there = await elsewhere(await engine.open());
    expect(await there.backup.restore(folder)).toMatchObject({ photos: 1, damaged: [] });
    expect(await there.blobs.size(large)).toBe(await app.blobs.size(large));
    expect(await there.integrity.check()).toMatchObject({ photos: 1, findings: [] });
  });

  it('counts an original that came while blobs were copied as one that no ZIP has', async () => {
    const { announce, append } = tusClient(() => ({ app, code: event.code, device }));
    const [key, original] = [newKey(), await drawShape(11)];
    await add();
    const { id } = (await announce(key, await previewOf(await drawShape(5)), original.length)).json.photo;
    await app.db.kysely
      .updateTable('events')
      .set((row) => ({ zip_downloaded_at: now, zip_seq: row.ref('change_seq') }))
      .execute();
    let hasCome = false;
    const slow: BlobStore = {
      ...app.blobs,
      async *read(asked, range) {
        if (asked.includes(id) && !hasCome) {
          hasCome = true;
          expect((await append(`/uploads/${key}`, 0, original)).status).toBe(201);
          await expect.poll(async () => (await app.photos.byId(id))?.state).toBe('stored');
        }
        yield* app.blobs.read(asked, range);
      },
    };
    expect(await backupOf(slow).take(folder)).toMatchObject({ photos: 2, missing: [] });
    const { db, backup } = await elsewhere(await engine.open());
    await backup.restore(folder);
    const saved = await db.kysely.selectFrom('events').select(SAVED_BY).executeTakeFirstOrThrow();
    expect([saved.photo_count, isUnsaved(saved)]).toEqual([2, true]);
  });

  it.each([
    ['until it is decided about', null],
    ['for ten minutes', 10],
  ])('has a picture wait that has replaced what was released while blobs were copied, %s', async (_what, minutes) => {
    const { enter, json, keysOf, set } = galleryClient(() => ({ app, event }));
    const { announce, append } = tusClient(() => ({ app, code: event.code, device }));
    const host = { cookie: event.cookie };
    await enter(await set(OPEN));
    await json('PUT', `/api/events/${event.code}/release`, host, { value: true, minutes });
    const [key, original] = [newKey(), await drawShape(11)];
    const { id } = (await announce(key, await previewOf(await drawShape(5)), original.length)).json.photo;
    await json('PUT', `/api/photos/${id}/slideshow`, host, { value: true });
    const held = holdBackground();
    expect((await append(`/uploads/${key}`, 0, original)).status).toBe(201);
    expect(await keysOf()).toEqual([id]);
    const slow: BlobStore = {
      ...app.blobs,
      async *read(asked, range) {
        held();
        await expect.poll(async () => (await app.photos.byId(id))?.state).toBe('stored');
        yield* app.blobs.read(asked, range);
      },
    };
    expect(await backupOf(slow).take(folder)).toMatchObject({ photos: 1, missing: [] });
    const row = await app.photos.byId(id);
    expect(row).toMatchObject({ drawn_by: 'replaced', slideshow: 0, release_state: 1 });
    for (const other of all) {
      const { db, backup, integrity } = await elsewhere(await other.open());
      await backup.restore(folder);
      // The ten minutes begin anew with the service.
      const waits = await db.kysely.selectFrom('photos').select('release_at').executeTakeFirstOrThrow();
      expect(waits.release_at === null).toBe(minutes === null);
      if (minutes !== null) expect(waits.release_at).toBeGreaterThan(row?.release_at ?? Infinity);
      await db.kysely
        .updateTable('photos')
        .set({ release_at: row?.release_at ?? null })
        .execute();
      for (const table of ['photos', 'photo_keys', 'gallery_photo_keys'] as const)
        expect(await rowsOf(db, table)).toEqual(await rowsOf(app.db, table));
      expect((await integrity.check()).findings).toEqual([]);
      expect((await integrity.openAll(event.id, event.privateKey)).findings).toEqual([]);
    }
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

  it('names what the disk does not give, has all others, and is known to lack it until it has it', async () => {
    const [lost] = [await add(), await add(), await add()];
    const key = `events/${event.id}/${lost}.original`;
    const file = join(app.config.dataDir, 'photos', key);
    const bytes = await readFile(file);
    damage(file);
    const backup = backupOf(app.blobs);
    expect(await backup.take(folder)).toMatchObject({ photos: 3, missing: [key], unnoted: null });
    for (const known of [await backup.last(), await backup.lastIn(folder)]) expect(known).toMatchObject({ at: now, missing: 1 });
    const there = await elsewhere(await engine.open());
    expect(await there.backup.restore(folder)).toMatchObject({ photos: 3, damaged: [] });
    expect((await there.integrity.check()).findings).toEqual([{ kind: 'photo', subject: lost, problem: 'Original fehlt' }]);
    await rm(file);
    await writeFile(file, bytes);
    now += 1;
    expect(await backup.take(folder)).toMatchObject({ missing: [] });
    for (const known of [await backup.last(), await backup.lastIn(folder)]) expect(known).toMatchObject({ at: now, missing: 0 });
  });

  it('keeps what the disk of the photos does not give any more, and has what its own disk does not give copied anew', async () => {
    const [kept, anew] = [await add(), await add()];
    const backup = backupOf(app.blobs);
    await backup.take(folder);
    const keyOf = (id: string): string => `events/${event.id}/${id}.original`;
    damage(join(app.config.dataDir, 'photos', keyOf(kept)));
    const own = join(folder, 'blobs', keyOf(anew));
    const { size } = await stat(own);
    await rm(own);
    damage(own);
    now += 1;
    expect(await backup.take(folder)).toMatchObject({ photos: 2, missing: [] });
    expect((await stat(own)).size).toBe(size);
    // One that neither disk gives is missing, and was not copied anew.
    damage(join(folder, 'blobs', keyOf(kept)));
    now += 7 * DAY;
    expect(await backup.take(folder)).toMatchObject({ missing: [keyOf(kept)], rotten: [] });
    damage(own);
    const there = await elsewhere(await engine.open(), { now: () => now });
    expect(await there.backup.restore(folder)).toMatchObject({ damaged: [keyOf(anew)] });
  });
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

it.skipIf(!canMount('backups whose disks are not mounted any more'))(
  'no backup is begun anew below the place where one of its disks is not mounted any more, nor is any forgotten, until it is given up',
  async () => {
    const app = await openApp({ db: await all[0]!.open(), decoder });
    const disks = [await mountSmallDisk(4), await mountSmallDisk(4), await mountSmallDisk(4)];
    const folders = disks.map(({ folder }, n) => join(folder, n === 1 ? 'feierbild' : ''));
    const [first = '', second = '', third = ''] = folders;
    try {
      const staging = createStaging({ folder: join(await freshFolder(), 'staging') });
      let now = Date.now();
      const backup = createBackup({ db: app.db, blobs: app.blobs, staging, vault, clock: { now: () => now++ } });
      const known = async () => {
        const last = await backup.last();
        return last && [last.folder, ...(last.others ?? []).map(({ folder }) => folder)].toSorted();
      };
      await app.event();
      for (const folder of folders) await backup.take(folder);
      // The places for the disks stay behind.
      for (const disk of disks) {
        await disk.unmount();
        await mkdir(disk.folder);
      }
      await mkdir(second);
      const other = await freshFolder();
      expect(await backup.take(other)).toMatchObject({ photos: 0 });
      expect(await known()).toEqual([...folders, other].toSorted());
      for (const folder of folders) {
        await expect(backup.take(folder)).rejects.toThrow(`Unter ${folder} ist der Datenträger mit den Sicherungen nicht mehr eingehängt.`);
        expect(await readdir(folder)).toEqual([]);
      }
      for (const folder of [second, third]) await mkdir(join(folder, 'snapshots'));
      // A run that failed before the disk was there leaves an empty folder of snapshots as well, but not alone.
      for (const name of ['blobs', 'snapshots']) await mkdir(join(first, name));
      await expect(backup.take(first)).rejects.toThrow(`Unter ${first} ist der Datenträger`);
      await backup.take(other);
      expect(await known()).toEqual([first, other].toSorted());
    } finally {
      for (const { folder } of disks) await rm(folder, { recursive: true, force: true });
      await app.close();
    }
  },
);

it.skipIf(!canMount('a restore onto a full disk'))('a restore onto a full disk blames that, not the disk of the backup', async () => {
  const app = await openApp({ db: await all[0]!.open(), decoder });
  const folder = await freshFolder();
  const { folder: disk, unmount } = await mountSmallDisk(1);
  try {
    const event = await app.event();
    const staging = createStaging({ folder: join(folder, 'unused') });
    for (let n = 0; n < 4; n++) await app.upload(event.code, await drawPhoto({ width: 1200, height: 900 }));
    await createBackup({ db: app.db, blobs: app.blobs, staging, vault, clock: systemClock }).take(folder);
    const there = {
      db: await all[0]!.open(),
      blobs: createFolderStore({ folder: join(disk, 'photos') }),
      staging: createStaging({ folder: join(disk, 'staging') }),
    };
    const restoring = createBackup({ ...there, vault, clock: systemClock }).restore(folder);
    await expect(restoring).rejects.toThrow(
      /^Für diese Sicherung ist beim Dienst kein Platz: .* Die Sicherung ist unversehrt\. .*„restore“/,
    );
  } finally {
    await unmount();
    await app.close();
  }
});

it.skipIf(!canMount('a first backup onto a full disk'))(
  'a first backup onto a full disk calls that full, not the disk of the service',
  async () => {
    const app = await openApp({ db: await all[0]!.open(), decoder });
    const { folder: disk, unmount } = await mountSmallDisk(1, 2);
    try {
      const staging = createStaging({ folder: join(await freshFolder(), 'staging') });
      const backup = createBackup({ db: app.db, blobs: app.blobs, staging, vault, clock: systemClock });
      await expect(backup.take(disk)).rejects.toThrow('Der Datenträger ist voll.');
    } finally {
      await unmount();
      await app.close();
    }
  },
);

it.skipIf(!canMount('a backup onto a disk without room for one more file'))(
  'a backup removes old files that no snapshot lists before it needs room, also where there is none for one more file',
  async () => {
    const app = await openApp({ db: await all[0]!.open(), decoder });
    const { folder: disk, unmount } = await mountSmallDisk(1, 100);
    try {
      const event = await app.event();
      const staging = createStaging({ folder: join(await freshFolder(), 'staging') });
      let now = Date.now() - 30 * DAY;
      const backup = createBackup({ db: app.db, blobs: app.blobs, staging, vault, clock: { now: () => now } });
      await app.upload(event.code, await drawPhoto());
      await backup.take(disk);
      // Leave files as a killed run does.
      const place = join(disk, 'blobs/events', event.id);
      for (let n = 0; n < 20; n++) await writeFile(join(place, `${randomUUID()}.thumbnail`), 'x');
      const old = new Date(now);
      for (const name of await readdir(place)) await utimes(join(place, name), old, old);
      await untilFull(() => writeFile(join(disk, randomUUID()), ''));
      now += 1 * DAY;
      await expect(backup.take(disk)).rejects.toThrow('Der Datenträger ist voll. Frühere Sicherungen sind unversehrt.');
      now = Date.now();
      await expect(backup.take(disk)).resolves.toMatchObject({ photos: 1, copied: 3 });
    } finally {
      await unmount();
      await app.close();
    }
  },
);
