import { HOUR, MINUTE } from '@feierbild/contract/constants.ts';
import { execFile } from 'node:child_process';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requireSchema } from '../../database/migrate.ts';
import { openDatabase } from '../../database/open.ts';
import { fillTables, IN_BACKUPS, rowsOf } from '../../database/testing/fill.ts';
import { engines, enginesForRules } from '../../database/testing.ts';
import { systemClock } from '../../lib/clock.ts';
import { collect } from '../../lib/stages.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import { createStaging } from '../../storage/staging.ts';
import { newDevice, openApp, type TestApp } from '../testing.ts';
import { createBackup } from './backup.ts';
import { holdableDecoder } from '../testing/holdable-decoder.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { useBackups } from './testing.ts';
import { runsKind } from '../../testing/kinds.ts';
import { BYTES, drawShape, newKey, tusClient } from '../uploads/testing.ts';

const CLI = join(import.meta.dirname, '../../cli.ts');
const all = engines();
const forRules = enginesForRules().map(({ name }) => name);
/** The engines to restore to: without the system's tests the other one, if there is one. */
const targetsOf = (own: string) => all.filter(({ name }) => runsKind('system') || all.length === 1 || name !== own);
const { vault, freshFolder, elsewhere, clientOf } = useBackups();
const { decoder, hold: holdBackground } = holdableDecoder(useDecoder(all));

describe.each(all)('a backup of $name', (engine) => {
  /** A test whose outcome depends on the backup's files alone: `npm test` without the system's tests runs it on SQLite. */
  const rule = it.runIf(forRules.includes(engine.name));
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
      // Check as the server does at its start: the schema notes must be those of the new engine, not of the backup's.
      await requireSchema(there.db.kysely, other.name);
    }
  });

  it('holds photos in each state, with true counters, and an original that follows after it goes to its photo', async () => {
    let there: TestApp | null = null;
    const { announce, append, ask, metadata } = tusClient(() => ({ app: there ?? app, code: event.code, device }));
    const photo = await drawShape(3, 800, 600);
    const [key, expected] = [newKey(), [['stored', await add()]]];
    /** Announces an upload and, if `comes`, sends the original after the preview. */
    const send = async (upload: string, original: Buffer, comes: boolean): Promise<string> => {
      const { id } = (await announce(upload, photo, original.length)).json.photo;
      if (comes) expect((await append(`/uploads/${upload}`, 0, original)).status).toBe(201);
      return id;
    };
    const unreadable = await send(newKey(), Buffer.alloc(9000, 7), true);
    await expect.poll(async () => (await app.photos.byId(unreadable))?.state).toBe('unreadable');
    const held = holdBackground();
    const late = Buffer.concat([photo, Buffer.from('late')]);
    expected.push(['unreadable', unreadable], ['received', await send(newKey(), photo, true)], ['announced', await send(key, late, false)]);
    await backupOf(app.blobs).take(folder);
    held();
    for (const other of targetsOf(engine.name)) {
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

  it.each([
    ['before the backup', false],
    ['while the backup ran', true],
  ])(
    'keeps that an original is not wanted any more: its photo was deleted %s, when it was shown by its preview alone',
    async (_when, meanwhile) => {
      let there: TestApp | null = null;
      const { announce, ask, metadata } = tusClient(() => ({ app: there ?? app, code: event.code, device }));
      const [key, photo] = [newKey(), await drawShape(3, 800, 600)];
      const original = Buffer.concat([photo, Buffer.from('late')]);
      const { id } = (await announce(key, photo, original.length)).json.photo;
      if (!meanwhile) expect((await remove(id)).status).toBe(204);
      const slow: BlobStore = {
        ...app.blobs,
        async *read(name, range) {
          if (name.includes(id)) await remove(id);
          yield* app.blobs.read(name, range);
        },
      };
      expect(await backupOf(slow).take(folder)).toMatchObject({ photos: 0, missing: [] });
      for (const other of targetsOf(engine.name)) {
        const { db, blobs, backup } = await elsewhere(await other.open());
        await backup.restore(folder);
        there = await openApp({ db, decoder, wrapStore: () => blobs });
        const about = { 'upload-length': String(original.length), 'upload-metadata': metadata(), 'upload-key': key };
        const sent = await ask('POST', '/uploads', { ...about, ...BYTES }, original);
        expect([sent.status, JSON.parse(sent.body)]).toMatchObject([410, { code: 'photo_removed' }]);
        await there.close();
        there = null;
      }
    },
  );

  it('holds a row of every table and is restored by another process, without the rows of a photo that was deleted meanwhile', async () => {
    const [kept, deleted] = [await add(), await add()];
    const original = `events/${event.id}/${deleted}.original`;
    await fillTables(app.db, { event_id: event.id, photo_id: deleted });
    await fillTables(app.db, { event_id: event.id, photo_id: kept });
    // A backup keeps only the uploads that are marked as unwanted.
    await app.db.kysely.updateTable('uploads').set({ description: null }).where('photo_id', 'is', null).execute();
    const taken: Record<string, string[]> = {};
    const slow: BlobStore = {
      ...app.blobs,
      async *read(key, range) {
        if (key === original) {
          await remove(deleted);
          for (const table of IN_BACKUPS) taken[table] = await rowsOf(app.db, table);
        }
        yield* app.blobs.read(key, range);
      },
    };
    expect(await backupOf(slow).take(folder)).toMatchObject({ photos: 1, missing: [] });
    for (const other of targetsOf(engine.name)) {
      const db = await other.open();
      const { url } = other.location(db);
      const dataDir = await freshFolder();
      const env = { ...process.env, DATA_DIR: dataDir, DEMO: 'off', ...(url && { DATABASE_URL: url }) };
      // `restore` fails with findings, as the tests' rows reference blobs that no store has.
      const { stdout } = await promisify(execFile)(process.execPath, [CLI, 'restore', folder], { env }).catch(
        (error: Error & { stdout: string }) => error,
      );
      expect(stdout).toMatch(/mit 1 Foto wiederhergestellt/);
      expect(stdout).toMatch(/Was seit dem .* Uhr gelöscht oder widerrufen wurde, ist wieder da:/);
      const there = url ? db : await openDatabase({ url: null, file: join(dataDir, 'feierbild.sqlite') }, { schema: 'require' });
      const restored: Record<string, string[]> = {};
      for (const table of IN_BACKUPS) restored[table] = await rowsOf(there, table);
      if (there !== db) await there.close();
      for (const row of restored.outbox ?? []) expect(JSON.parse(row)).toMatchObject({ state: 'delivered', payload: null, answer: null });
      // These tables differ: deletions have counted on, the outbox keeps only sent mails, and schema notes belong to their own database.
      for (const table of ['events', 'event_secrets', 'outbox', 'settings']) {
        expect([table, restored[table]?.length]).not.toEqual([table, 0]);
        delete restored[table];
        delete taken[table];
      }
      // The title picture belonged to the deleted photo; the ZIP did not contain it.
      expect(Object.keys(restored).filter((table) => restored[table]?.length === 0)).toEqual(['pictures']);
      for (const table of Object.keys(restored)) expect([table, restored[table]]).toEqual([table, taken[table]]);
    }
  });

  it('lets what waited for its release wait its minutes anew, as nobody could decide meanwhile', async () => {
    const host = { cookie: event.cookie };
    await app.json('PUT', `/api/events/${event.code}/release`, host, { value: true, minutes: 10 });
    const waits = await add();
    await app.json('PUT', `/api/events/${event.code}/release`, host, { value: false });
    const shown = await add();
    await backupOf(app.blobs).take(folder);
    for (const other of targetsOf(engine.name)) {
      const clock = { time: Date.now() + 8 * HOUR, now: () => clock.time };
      const { db, backup, blobs } = await elsewhere(await other.open(), clock);
      await backup.restore(folder);
      // The service starts when all has been looked at.
      clock.time += 3 * HOUR;
      const there = await openApp({ db, decoder, clock, wrapStore: () => blobs });
      const onWall = async () => {
        await there.dueApprovals.run();
        return (await db.kysely.selectFrom('photos').select('id').where('slideshow', '=', 1).orderBy('position').execute()).map(
          ({ id }) => id,
        );
      };
      expect(await onWall()).toEqual([shown]);
      clock.time += 10 * MINUTE - 1;
      expect(await onWall()).toEqual([shown]);
      clock.time += 1;
      expect(await onWall()).toEqual([waits, shown]);
      await there.close();
    }
  });

  rule('takes over what a restore that failed has left, and refuses a photo store that holds anything else', async () => {
    const [early, late] = [await add(), await add()];
    const backup = backupOf(app.blobs);
    const { snapshot: first } = await backup.take(folder);
    await remove(early);
    now += 1;
    const { snapshot: second } = await backup.take(folder);
    const there = await elsewhere(await engine.open());
    await there.db.kysely.insertInto('leases').values({ name: 'x', holder: 'x', expires_at: 1 }).execute();
    const failing = createBackup({
      db: { ...there.db, transaction: () => Promise.reject(new Error('the database ended')) },
      blobs: there.blobs,
      staging: createStaging({ folder: await freshFolder() }),
      vault,
      clock: systemClock,
    });
    await expect(failing.restore(folder, first)).rejects.toThrow('the database ended');
    const keys = async () => (await Array.fromAsync(there.blobs.list(''))).map(({ key }) => key);
    expect((await keys()).filter((key) => key.includes(early))).not.toEqual([]);
    // A power cut may leave half a file.
    await there.blobs.put(`events/${event.id}/${late}.thumbnail`, Buffer.alloc(3));
    await there.blobs.put(`events/${event.id}/unknown.original`, Buffer.alloc(3));
    await expect(there.backup.restore(folder, second)).rejects.toThrow(
      /nicht leer: events\/.*\/unknown\.original steht in keiner dieser Sicherungen\. .* noch einmal, bevor Sie etwas löschen/,
    );
    await there.blobs.remove(`events/${event.id}/unknown.original`);
    expect(await there.backup.restore(folder, second)).toMatchObject({ photos: 1, damaged: [] });
    expect((await keys()).filter((key) => key.includes(early))).toEqual([]);
    expect(await there.integrity.check()).toMatchObject({ photos: 1, findings: [] });
    expect(await there.integrity.openAll(event.id, event.privateKey)).toMatchObject({ photos: 1, findings: [] });
  });

  rule('is refused where it would overwrite, where it is incomplete and where its list is damaged', async () => {
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

  rule('restores all but the blob that rotted, and names it', async () => {
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
