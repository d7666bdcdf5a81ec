import { readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { HOUR } from '@feierbild/contract/constants.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules, runSql } from '../../database/testing.ts';
import { canDamageDisk, damage, damageDisk } from '../../testing/bad-disk.ts';
import { photoBlob } from '../../storage/blob-store.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { systemClock } from '../../lib/clock.ts';
import { collect, single } from '../../lib/stages.ts';
import { createQuickVault } from '../../vault/testing/quick-vault.ts';
import { type Key, Tampered, type Vault } from '../../vault/vault.ts';
import { drawPhoto, newDevice, openApp, type TestApp } from '../testing.ts';
import { eventSecret, uncovered } from '../photo-keys/photo-keys.ts';
import { createIntegrity, type Integrity } from './integrity.ts';
import { createJanitor } from './janitor.ts';
import { useDecoder } from '../testing/use-decoder.ts';

/** Time for which a preview that is made after the answer may be without its row. */
const BRIEF_MS = 200;

const all = enginesForRules();
const onDamagedDisk = canDamageDisk('a damaged file system');
const decoder = useDecoder(all);

describe.each(all)('integrity on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let patient: Integrity;
  /** An integrity check that hardly waits, as none of the tests' damage repairs itself. */
  let integrity: Integrity;
  const device = newDevice();

  beforeEach(async () => {
    app = await openApp({ db: await engine.open(), decoder });
    event = await app.event();
    const parts = { db: app.db, blobs: app.blobs, vault: createQuickVault() };
    [patient, integrity] = [createIntegrity(parts), createIntegrity({ ...parts, graceMs: BRIEF_MS })];
  });
  afterEach(() => app.close());

  const upload = async (): Promise<string> => (await app.upload(event.code, await drawPhoto(), { device })).photo.id;
  /** Uploads a photo and waits until nothing is left to be done for it. */
  const add = async (): Promise<string> => {
    const id = await upload();
    expect((await patient.check()).findings).toEqual([]);
    return id;
  };
  const said = ({ findings }: { findings: { kind: string; subject: string; problem: string }[] }) =>
    findings.map(({ kind, subject, problem }) => `${kind} ${subject}: ${problem}`);

  it('finds nothing where all is well, and opens every byte', async () => {
    for (let n = 0; n < 3; n++) await add();
    expect(await integrity.check()).toMatchObject({ photos: 3, findings: [] });
    expect(await integrity.openAll(event.id, event.privateKey)).toMatchObject({ photos: 3, findings: [] });
  });

  it('names files that are no photos of ours, in one line each, and counts them from the 21st', async () => {
    await add();
    const folder = join(app.config.dataDir, 'photos');
    await writeFile(join(folder, '.tmp-of-a-running-upload'), '');
    await writeFile(join(folder, 'events', event.id, 'IMG_1\n.JPG'), 'x');
    expect(said(await integrity.check())).toEqual([`blob events/${event.id}/IMG_1.JPG: nicht von Feierbild angelegt`]);
    for (let n = 0; n < 20; n++) await writeFile(join(folder, `Notiz ${n}`), '');
    const found = said(await integrity.check());
    expect([found.length, found.at(-1)]).toEqual([21, 'further 1 Datei: nicht von Feierbild angelegt']);
  });

  it('names photos whose blobs are missing or cut, blobs without a photo, and counters that are not true', async () => {
    const [lost, cut] = [await add(), await add()];
    await app.blobs.remove(photoBlob(event.id, lost, 'thumbnail'));
    await app.blobs.put(photoBlob(event.id, cut, 'original'), Buffer.alloc(10));
    const stranger = photoBlob(event.id, '01970000-0000-7000-8000-000000000000', 'original');
    await app.blobs.put(stranger, Buffer.alloc(10));
    await app.db.kysely.updateTable('events').set({ photo_count: 5, device_count: 7 }).where('id', '=', event.id).execute();
    expect(said(await integrity.check()).sort()).toEqual(
      [
        `blob ${stranger}: gehört zu keinem Foto`,
        `event ${event.id}: Zahl der Fotos ist 5 statt 2`,
        `event ${event.id}: Zahl der Geräte ist 7 statt 1`,
        `photo ${lost}: Miniatur fehlt`,
        expect.stringMatching(`photo ${cut}: Original hat 10 statt [0-9]+ Bytes`),
      ].sort((a, b) => String(a).localeCompare(String(b))),
    );
  });

  it('calls nothing of an event lost whose purge was interrupted and goes on with the next run', async () => {
    await add();
    const ended = AbortSignal.abort(new Error('the process ends'));
    await expect(app.events.purgeRows(event.id, ended)).rejects.toThrow('the process ends');
    expect(await integrity.check()).toMatchObject({ photos: 1, findings: [] });
    await app.events.purgeRows(event.id);
    expect(await integrity.check()).toMatchObject({ photos: 0, findings: [] });
  });

  it('tells what it has found also where it cannot note it', async () => {
    const id = await add();
    await app.blobs.remove(photoBlob(event.id, id, 'thumbnail'));
    await runSql(app.db, 'alter table settings rename to former');
    const checked = await integrity.check();
    expect([said(checked), checked.unnoted]).toEqual([[`photo ${id}: Miniatur fehlt`], expect.any(Error)]);
  });

  it('finds a single flipped byte and a swapped photo where the host opens them', async () => {
    const [flipped, intact] = [await add(), await add()];
    const key = photoBlob(event.id, flipped, 'original');
    const bytes = Buffer.from(await collect(app.blobs.read(key)));
    bytes[bytes.length >> 1]! ^= 1;
    await app.blobs.put(key, bytes);
    await app.blobs.put(photoBlob(event.id, flipped, 'thumbnail'), await collect(app.blobs.read(photoBlob(event.id, intact, 'thumbnail'))));
    const found = said(await integrity.openAll(event.id, event.privateKey));
    expect(found).toEqual([`photo ${flipped}: Original lässt sich nicht öffnen`, `photo ${flipped}: Miniatur lässt sich nicht öffnen`]);
  });

  it('names photos whose bytes the disk does not give, and opens all others', async () => {
    const [damaged, swapped] = [await add(), await add()];
    await add();
    damage(join(app.config.dataDir, 'photos', photoBlob(event.id, damaged, 'original')));
    await app.blobs.put(photoBlob(event.id, swapped, 'original'), Buffer.alloc(10));
    const { photos, ...found } = await integrity.openAll(event.id, event.privateKey);
    expect([photos, said(found)]).toEqual([
      3,
      [`photo ${damaged}: Original lässt sich nicht lesen`, `photo ${swapped}: Original lässt sich nicht öffnen`],
    ]);
  });

  it.skipIf(!onDamagedDisk)('names a folder that the disk does not list, and looks at all others', async () => {
    const unknown = await add();
    const { id: other, code } = await app.event();
    const { id: cut } = (await app.upload(code, await drawPhoto(), { device })).photo;
    expect((await patient.check()).findings).toEqual([]);
    const mend = damageDisk(join(app.config.dataDir, 'photos/events'), [event.id]);
    try {
      await app.blobs.remove(photoBlob(other, cut, 'thumbnail'));
      const found = said(await integrity.check());
      expect(found).toContain(`folder events/${event.id}/: lässt sich nicht lesen`);
      expect(found).toContain(`photo ${cut}: Miniatur fehlt`);
      expect(found.filter((line) => !line.startsWith(`photo ${unknown}: `))).toHaveLength(2);
    } finally {
      mend();
    }
    expect((await integrity.check()).findings).toEqual([]);
  });

  it.skipIf(!onDamagedDisk)(
    'is restored where it can be: orphans go also behind a folder that the disk does not list, which stays',
    async () => {
      const ids = [1, 2].map((n) => `0197000${n}-0000-7000-8000-000000000000`) as [string, string];
      const keys = ids.map((id) => photoBlob(id, ids[0], 'original'));
      for (const key of keys) await app.blobs.put(key, Buffer.from('left by a crash'));
      const janitor = createJanitor({ db: app.db, blobs: app.blobs, clock: { now: () => Date.now() + 4 * HOUR } });
      const unlisted = { names: [`events/${ids[0]}/`] };
      const mend = damageDisk(join(app.config.dataDir, 'photos/events'), [ids[0]]);
      try {
        await expect(janitor.sweepPart({ night: true })).rejects.toMatchObject(unlisted);
        expect((await Array.fromAsync(app.blobs.list(`events/${ids[1]}/`))).length).toBe(0);
        // The next part does not begin with that folder again.
        expect(await janitor.sweepPart({ night: true })).toBe(0);
        await expect(janitor.sweep()).rejects.toMatchObject(unlisted);
      } finally {
        mend();
      }
      expect((await app.leftovers()).blobs.toSorted()).toEqual(keys);
      expect(await janitor.sweep()).toBe(2);
    },
  );

  it.skipIf(!onDamagedDisk)(
    'is restored where it can be: what was noted goes also behind a blob that the disk does not remove',
    async () => {
      const [stuck, other] = [1, 2].map((n) => photoBlob(event.id, `0197000${n}-0000-7000-8000-000000000000`, 'original')) as [
        string,
        string,
      ];
      for (const key of [stuck, other]) await app.blobs.put(key, Buffer.from('left by a crash'));
      await app.db.kysely
        .insertInto('orphans')
        .values([stuck, other].map((key, at) => ({ key, at })))
        .execute();
      const janitor = createJanitor({ db: app.db, blobs: app.blobs, clock: systemClock });
      const mend = damageDisk(join(app.config.dataDir, 'photos/events', event.id), [basename(stuck)]);
      try {
        await expect(janitor.removeKnown()).rejects.toMatchObject({ names: [stuck] });
        await expect(Array.fromAsync(app.blobs.list(''))).rejects.toMatchObject({ names: [stuck] });
        expect(await readdir(join(app.config.dataDir, 'photos/events', event.id))).not.toContain(basename(other));
        expect(await janitor.removeKnown()).toBe(0);
      } finally {
        mend();
      }
      expect((await app.leftovers()).blobs.toSorted()).toEqual([stuck, other]);
    },
  );

  it('notices an original that opens, but is not what was uploaded', async () => {
    const id = await add();
    const vault = createQuickVault();
    const photo = { eventId: event.id, photoId: id };
    const row = await app.db.kysely
      .selectFrom('photos')
      .innerJoin('photo_keys', 'photo_id', 'id')
      .select(['size', 'sealed_for_event'])
      .select(eventSecret)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const key = vault.openPhotoKey(event.privateKey, uncovered(vault, row, photo).sealed_for_event, photo);
    const forged = vault.sealBlob(key, { ...photo, variant: 'original' }, single(Buffer.alloc(row.size, 7)));
    await app.blobs.put(photoBlob(event.id, id, 'original'), await collect(forged));
    expect((await integrity.check()).findings).toEqual([]);
    expect(said(await integrity.openAll(event.id, event.privateKey))).toEqual([`photo ${id}: Original ist nicht, was hochgeladen wurde`]);
  });

  it('wipes the keys that it opens, also where what they lead to does not open', async () => {
    await add();
    const vault = createQuickVault();
    const opened: Bytes[] = [];
    const noted = (key: Key): Key => {
      opened.push(key);
      return key;
    };
    const closed = (): never => {
      throw new Tampered('changed');
    };
    const spied: Vault = {
      ...vault,
      openPhotoKey: (...from) => noted(vault.openPhotoKey(...from)),
      openGuestKey: (...from) => noted(vault.openGuestKey(...from)),
      openDigest: closed,
      openDescription: closed,
    };
    const { findings } = await createIntegrity({ ...app, vault: spied, graceMs: BRIEF_MS }).openAll(event.id, event.privateKey);
    expect(findings.map(({ problem }) => problem)).toEqual(['Schlüssel lässt sich nicht öffnen', 'Name lässt sich nicht öffnen']);
    expect(opened.length).toBeGreaterThanOrEqual(2);
    expect(opened.map((key) => key.every((byte) => byte === 0))).toEqual(opened.map(() => true));
  });

  it('opens every photo before it looks at any again, so that its grace is waited for once', async () => {
    const ids = [await add(), await add(), await add()];
    const vault = createQuickVault();
    const looked: string[] = [];
    const closed: Vault = {
      ...vault,
      openPhotoKey(_privateKey, _sealed, photo) {
        looked.push(photo.photoId);
        throw new Tampered('changed');
      },
    };
    const { findings } = await createIntegrity({ ...app, vault: closed, graceMs: BRIEF_MS }).openAll(event.id, event.privateKey);
    expect(findings).toHaveLength(3);
    expect(new Set(looked.slice(0, 3))).toEqual(new Set(ids));
  });

  it('names photos whose names don’t open, or have lost their key', async () => {
    const [swapped, intact] = [await add(), await add()];
    const { description } = await app.db.kysely
      .selectFrom('photos')
      .select('description')
      .where('id', '=', intact)
      .executeTakeFirstOrThrow();
    await app.db.kysely.updateTable('photos').set({ description }).where('id', '=', swapped).execute();
    expect(said(await integrity.openAll(event.id, event.privateKey))).toEqual([`photo ${swapped}: Name lässt sich nicht öffnen`]);
    await app.db.kysely.deleteFrom('guest_keys').execute();
    expect(said(await integrity.check()).sort()).toEqual(
      [swapped, intact].map((id) => `photo ${id}: der Schlüssel des Namens fehlt`).sort(),
    );
  });

  it('is not disturbed by photos that come and go meanwhile', async () => {
    let running = true;
    let added = 0;
    const churn = async (): Promise<void> => {
      for (let n = 0; running; n++) {
        const id = await upload();
        added += 1;
        if (n % 2 === 0) await app.call('DELETE', `/api/photos/${id}`, { cookie: event.cookie });
      }
    };
    const check = async (): Promise<void> => {
      while (added < 20) expect((await patient.check()).findings).toEqual([]);
      expect((await patient.openAll(event.id, event.privateKey)).findings).toEqual([]);
      running = false;
    };
    await Promise.all([churn(), churn(), check()]);
    expect(await patient.check()).toMatchObject({ findings: [] });
  });
});
