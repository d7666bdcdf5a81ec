import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import fs, { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { DAY } from '@feierbild/contract/constants.ts';
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createClockGuard } from '../../database/clock-guard.ts';
import { enginesForRules } from '../../database/testing.ts';
import type { Clock } from '../../lib/clock.ts';
import { Unavailable } from '../../lib/errors.ts';
import { photoBlob, type BlobStore } from '../../storage/blob-store.ts';
import { createStaging } from '../../storage/staging.ts';
import { createParty, type Party } from '../archive/testing/party.ts';
import { openPortless, type PortlessApp } from '../testing.ts';
import { createBackup } from './backup.ts';
import { useBackups } from './testing.ts';

const { vault, freshFolder, elsewhere } = useBackups();

describe.each(enginesForRules())('a backup of $name', (engine) => {
  let app: PortlessApp;
  let party: Party;
  let folder: string;
  let now: number;

  beforeEach(async () => {
    app = await openPortless({ db: await engine.open() });
    party = await createParty(app, 'Fest');
    folder = await freshFolder();
    now = Date.now();
  });
  afterEach(() => app.close());
  afterAll(() => engine.dispose());

  const backupOf = (blobs: BlobStore, clock: Clock = { now: () => now }) =>
    createBackup({ db: app.db, blobs, staging: createStaging({ folder: join(folder, 'unused') }), vault, clock });
  const blobsOf = (id: string) => (['original', 'thumbnail'] as const).map((variant) => photoBlob(party.eventId, id, variant));
  async function add(): Promise<string> {
    const id = await party.add(randomBytes(500));
    await app.blobs.put(blobsOf(id)[1] as string, randomBytes(vault.sealedSize(1)));
    return id;
  }
  async function remove(id: string): Promise<void> {
    await app.db.kysely.deleteFrom('photos').where('id', '=', id).execute();
    for (const key of blobsOf(id)) await app.blobs.remove(key);
  }

  it('leaves out a photo that was deleted before its bytes were copied, with the name that guests may have from it, and the counters are true', async () => {
    const kept = await add();
    const deleted = await add();
    const { kysely } = app.db;
    const [guest] = await kysely.selectFrom('photos').select(['event_id', 'device_hash']).where('id', '=', deleted).execute();
    await kysely
      .insertInto('gallery_guests')
      .values({ ...guest!, name: randomBytes(80), access: null })
      .execute();
    const original = `events/${party.eventId}/${deleted}.original`;
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
    expect(await there.db.kysely.selectFrom('gallery_guests').select('name').execute()).toEqual([{ name: null }]);
  });

  it('goes into no folder of another installation, which a new service beside a rescued disk would be; a restored one goes on there', async () => {
    await add();
    const { snapshot } = await backupOf(app.blobs).take(folder);
    const other = await elsewhere(await engine.open());
    await expect(other.backup.take(folder)).rejects.toThrow(`Sicherungen eines anderen Feierbild (zuletzt ${snapshot}).`);
    expect(await readdir(join(folder, 'snapshots'))).toEqual([snapshot]);
    const there = await elsewhere(await engine.open());
    await there.backup.restore(folder);
    now += 1;
    expect(await there.backup.take(folder)).toMatchObject({ photos: 1, missing: [] });
    now += 1;
    expect(await backupOf(app.blobs).take(folder)).toMatchObject({ photos: 1 });
  });

  it('drops nothing on a clock that leapt ahead, until an operator says that it is right', async () => {
    await add();
    const clock = { now: () => now, monotonic: () => 0, database: () => now };
    const backup = backupOf(app.blobs, clock);
    const { snapshot } = await backup.take(folder);
    now += 365 * DAY;
    expect(await backup.take(folder)).toMatchObject({ removed: 0 });
    // The data protection papers must not claim that all snapshots are younger.
    const last = await backup.last();
    expect((last?.at ?? 0) - (last?.oldest ?? 0)).toBeGreaterThan(14 * DAY);
    expect(await readdir(join(folder, 'snapshots'))).toContain(snapshot);
    await createClockGuard({ db: app.db, clock }).confirm();
    now += 1;
    expect(await backup.take(folder)).toMatchObject({ removed: 1 });
    expect(await readdir(join(folder, 'snapshots'))).not.toContain(snapshot);
  });

  describe('by a clock that was wrong', () => {
    /** The machine's clock; `wrongBy` is its error, ms. */
    const clock = { wrongBy: 0, now: () => now + clock.wrongBy, monotonic: () => now, database: () => now };
    const snapshots = () => readdir(join(folder, 'snapshots'));
    let backup: ReturnType<typeof backupOf>;
    beforeEach(async () => {
      clock.wrongBy = 0;
      await createClockGuard({ db: app.db, clock }).confirm();
      backup = backupOf(app.blobs, clock);
      await add();
    });

    it('ahead is not the newest by its date: the next one removes it, and until then a restore asks which it should be', async () => {
      const { snapshot: before } = await backup.take(folder);
      clock.wrongBy = 365 * DAY;
      const { snapshot: ahead } = await backup.take(folder);
      clock.wrongBy = 0;
      now += DAY;
      const there = await elsewhere(await engine.open(), clock);
      await expect(there.backup.restore(folder)).rejects.toThrow(
        new RegExp(`^Der Stand ${ahead} trägt ein Datum in der Zukunft: .* ihn, oder ${before}, den neuesten der übrigen\\.$`),
      );
      const after = await backup.take(folder);
      expect(after).toMatchObject({ removed: 1, ahead: [] });
      expect(await snapshots()).toEqual([before, after.snapshot]);
      expect(await there.backup.restore(folder)).toMatchObject({ snapshot: after.snapshot, takenAt: now, photos: 1, damaged: [] });
    });

    it('ahead is restored where it is named', async () => {
      await backup.take(folder);
      clock.wrongBy = 365 * DAY;
      const { snapshot: ahead } = await backup.take(folder);
      clock.wrongBy = 0;
      const there = await elsewhere(await engine.open(), clock);
      expect(await there.backup.restore(folder, ahead)).toMatchObject({ snapshot: ahead, photos: 1 });
    });

    it('behind removes no other one, names those that seem to lie ahead, and knows no age of the oldest', async () => {
      const { snapshot: right } = await backup.take(folder);
      clock.wrongBy = -3650 * DAY;
      const there = await elsewhere(await engine.open(), clock);
      expect(await there.backup.restore(folder)).toMatchObject({ snapshot: right, photos: 1 });
      // The restored database does not know that its clock is behind.
      expect(await there.backup.take(folder)).toMatchObject({ removed: 0, ahead: [right] });
      now += DAY;
      expect(await backup.take(folder)).toMatchObject({ removed: 0, ahead: [right] });
      expect((await backup.last())?.oldest).toBeUndefined();
      clock.wrongBy = 0;
      now += DAY;
      const { snapshot: next } = await backup.take(folder);
      expect(await snapshots()).toEqual([right, next]);
    });
  });

  it('follows one that was killed while it removed an old snapshot, also on a clock that is not trusted any more', async () => {
    await add();
    const clock = { now: () => now, monotonic: () => now, database: () => now };
    await createClockGuard({ db: app.db, clock }).confirm();
    const backup = backupOf(app.blobs, clock);
    const { snapshot } = await backup.take(folder);
    for (let n = 0; n < 2; n++) {
      now += 6 * DAY;
      await backup.take(folder);
    }
    now += 2 * DAY;
    const { rm: remove } = fs;
    onTestFinished(() => {
      fs.rm = remove;
      syncBuiltinESMExports();
    });
    // The folder's files go in any order.
    fs.rm = async (path, options) => {
      if (!String(path).endsWith(snapshot)) return remove(path, options);
      await remove(join(String(path), 'rows.jsonl'));
      throw new Error('killed');
    };
    syncBuiltinESMExports();
    await expect(backup.take(folder)).rejects.toThrow('killed');
    fs.rm = remove;
    syncBuiltinESMExports();
    now += 8 * DAY;
    expect(await backup.take(folder)).toMatchObject({ removed: 0 });
    expect(await readdir(join(folder, 'snapshots'))).toHaveLength(3);
  });

  describe('whose disk is unplugged', () => {
    const gone = () => `Der Ordner ${folder} ist nicht mehr da. Ist der Datenträger noch angeschlossen?`;
    const unplug = () => rm(folder, { recursive: true, force: true });

    it('while it is taken says so, and makes no other folder in its place', async () => {
      for (let n = 0; n < 3; n++) await add();
      const unplugging: BlobStore = {
        ...app.blobs,
        async *read(key, range) {
          await unplug();
          yield* app.blobs.read(key, range);
        },
      };
      await expect(backupOf(unplugging).take(folder)).rejects.toThrow(gone());
      expect(existsSync(folder)).toBe(false);
    });

    it('since the last one is not begun anew on the disk below, unless somebody has made the folder', async () => {
      await add();
      const backup = backupOf(app.blobs);
      await backup.take(folder);
      await unplug();
      await expect(backup.take(folder)).rejects.toThrow(gone());
      expect(existsSync(folder)).toBe(false);
      await mkdir(folder);
      expect(await backup.take(folder)).toMatchObject({ copied: 2 });
    });

    it('while it is restored says so, and calls no photo damaged', async () => {
      for (let n = 0; n < 3; n++) await add();
      await backupOf(app.blobs).take(folder);
      const there = await elsewhere(await engine.open());
      const blobs: BlobStore = { ...there.blobs, adopt: (key, path) => unplug().then(() => there.blobs.adopt(key, path)) };
      const staging = createStaging({ folder: await freshFolder() });
      const restoring = createBackup({ db: there.db, blobs, staging, vault, clock: { now: () => now } }).restore(folder);
      await expect(restoring).rejects.toThrow(gone());
      expect(await there.db.kysely.selectFrom('events').select('id').execute()).toEqual([]);
    });
  });

  it('blames the database where that is lost at the end, and not the rows', async () => {
    await add();
    const lost = new Unavailable('database', new Error('the connection broke'));
    const db = { ...app.db, migrations: () => Promise.reject(lost) };
    const staging = createStaging({ folder: join(folder, 'unused') });
    await expect(createBackup({ db, blobs: app.blobs, staging, vault, clock: { now: () => now } }).take(folder)).rejects.toBe(lost);
    expect([await readdir(join(folder, 'snapshots')), await readdir(join(folder, 'staging'))]).toEqual([[], []]);
    expect(await backupOf(app.blobs).take(folder)).toMatchObject({ copied: 0, present: 2 });
  });

  describe('restored', () => {
    /** A machine's clock without drift: its monotonic part advances with it, and the database's, too. */
    const clock = { now: () => now, monotonic: () => now, database: () => now };
    /** Returns whether a service that starts on the restored data trusts the clock, and so deletes data that is due. */
    async function isTrusted(snapshot?: string): Promise<boolean> {
      const there = await elsewhere(await engine.open(), clock);
      await there.backup.restore(folder, snapshot);
      return createClockGuard({ db: there.db, clock }).check();
    }

    it('after weeks without an event, or in its older state, lets the service delete what is due', async () => {
      await add();
      const backup = backupOf(app.blobs);
      now += 30 * DAY;
      const { snapshot } = await backup.take(folder);
      expect(await isTrusted()).toBe(true);
      now += 9 * DAY;
      await backup.take(folder);
      now += DAY;
      expect(await isTrusted(snapshot)).toBe(true);
    });

    it('says nothing of the time where it is old itself, or was taken on a clock that leapt', async () => {
      await add();
      await backupOf(app.blobs, clock).take(folder);
      now += 8 * DAY;
      expect(await isTrusted()).toBe(false);
      await backupOf(app.blobs, clock).take(folder);
      expect(await isTrusted()).toBe(false);
    });
  });

  it('keeps its own copy of what has changed on the disk of the photos since', async () => {
    const key = `events/${party.eventId}/${await add()}.original`;
    const backup = backupOf(app.blobs);
    await backup.take(folder);
    const whole = await readFile(join(folder, 'blobs', key));
    const flipped = Buffer.from(whole);
    flipped[100]! ^= 1;
    await app.blobs.put(key, flipped);
    for (let n = 0; n < 8; n++) {
      now += DAY;
      expect(await backup.take(folder)).toMatchObject({ copied: 0, missing: [], rotten: [] });
    }
    expect((await readFile(join(folder, 'blobs', key))).equals(whole)).toBe(true);
    const there = await elsewhere(await engine.open(), { now: () => now });
    expect(await there.backup.restore(folder)).toMatchObject({ damaged: [] });
  });

  it.each([
    ['each day, within a week', 1, 7],
    ['every other day, within eight days', 2, 4],
    ['once a week, each time', 7, 1],
    ['every ten days, each time', 10, 1],
  ])('where it is taken %s reads each blob again, and copies anew what has rotted in it', async (_what, days, times) => {
    const backup = backupOf(app.blobs);
    const keys: string[] = [];
    for (let n = 0; n < 2; n++) keys.push(`events/${party.eventId}/${await add()}.original`);
    await backup.take(folder);
    for (const key of keys) {
      const path = join(folder, 'blobs', key);
      const bytes = await readFile(path);
      bytes[100]! ^= 1;
      await writeFile(path, bytes);
    }
    const rotten: string[] = [];
    for (let n = 0; n < times; n++) {
      now += days * DAY;
      rotten.push(...(await backup.take(folder)).rotten);
    }
    expect(rotten.toSorted()).toEqual(keys.toSorted());
    const there = await elsewhere(await engine.open(), { now: () => now });
    expect(await there.backup.restore(folder)).toMatchObject({ damaged: [] });
  });
});
