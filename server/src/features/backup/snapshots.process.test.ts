import { DAY } from '@feierbild/contract/constants.ts';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { lockDataFolder } from '../../storage/data-lock.ts';
import { createFolderStore } from '../../storage/folder-store.ts';
import { canDamageDisk, damageDisk } from '../../testing/bad-disk.ts';
import { newDevice, openApp, type TestApp } from '../testing.ts';
import { oldestSnapshot } from './backup.ts';
import { listSnapshots } from './snapshots.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { useBackups } from './testing.ts';

const all = enginesForRules();
const onDamagedDisk = canDamageDisk('a damaged file system');
const { freshFolder, elsewhere, clientOf } = useBackups();
const decoder = useDecoder(all);

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

  const { backupOf, add, remove } = clientOf(() => ({ app, event, folder, device, now }));

  it.skipIf(!onDamagedDisk)('is taken where its own disk does not list a folder any more, leaves that alone and names it', async () => {
    await add();
    const backup = backupOf(app.blobs);
    await backup.take(folder);
    const left = (name: string): string => join(folder, 'blobs/events', name);
    for (const name of ['known', 'unknown']) {
      await mkdir(left(name));
      await writeFile(join(left(name), 'b.original'), 'of a snapshot that is gone');
    }
    const mend = damageDisk(join(folder, 'blobs'), ['events/unknown']);
    try {
      now += 1;
      expect(await backup.take(folder)).toMatchObject({ photos: 1, missing: [], unlisted: ['events/unknown/'] });
      expect([await readdir(left('known')), await readdir(left(''))]).toEqual([[], expect.arrayContaining(['unknown'])]);
    } finally {
      mend();
    }
    now += 1;
    expect(await backup.take(folder)).toMatchObject({ unlisted: [] });
    expect(await readdir(left('unknown'))).toEqual([]);
    const there = await elsewhere(await engine.open());
    expect(await there.backup.restore(folder)).toMatchObject({ photos: 1, damaged: [] });
  });

  it('is one of several: the oldest snapshot is that of all folders, until one has none any more', async () => {
    await add();
    const backup = backupOf(app.blobs);
    const safe = await freshFolder();
    const first = now;
    await backup.take(safe);
    now += 20 * DAY;
    await backup.take(folder);
    const last = await backup.last();
    expect(last).toMatchObject({ folder, oldest: now, others: [{ folder: safe, at: first, oldest: first }] });
    expect(last && oldestSnapshot(last)).toEqual({ at: first, folder: safe });
    await rm(join(safe, 'snapshots'), { recursive: true });
    now += 1;
    await backup.take(folder);
    expect((await backup.last())?.others).toEqual([]);
  });

  it('copies a blob once, and drops snapshots before their 14 days with the blobs that only they name', async () => {
    const backup = backupOf(app.blobs);
    /** Adds a photo and waits for its preview. */
    const addWhole = async (): Promise<string> => {
      const id = await add();
      const row = () => app.db.kysely.selectFrom('photos').select('preview_size').where('id', '=', id).executeTakeFirst();
      await expect.poll(async () => (await row())?.preview_size).toBeGreaterThan(0);
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
    expect([await backup.lastIn(folder), await backup.last()]).toEqual([
      { at: now, folder, oldest, missing: 0 },
      { at: now, folder, oldest, missing: 0, mounts: expect.any(Number), others: [] },
    ]);
  });

  it('is taken by one process at a time, and the other one says so', async () => {
    const backup = backupOf(app.blobs);
    await backup.take(folder);
    using _lock = lockDataFolder(folder);
    await expect(backup.take(folder)).rejects.toThrow(/arbeitet gerade eine andere Sicherung\.$/);
    await expect(backup.restore(folder)).rejects.toThrow(/arbeitet gerade eine andere Sicherung\.$/);
    expect(await listSnapshots(folder)).toHaveLength(1);
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
});
