import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import { describe, expect, it } from 'vitest';
import { crc32 } from 'node:zlib';
import { zipCoverage } from '../../database/migrations/0020-zip-coverage.ts';
import type { Db } from '../../database/open.ts';
import { enginesForRules } from '../../database/testing.ts';
import { createLog } from '../../lib/log.ts';
import { photoBlob, type BlobStore } from '../../storage/blob-store.ts';
import { createQuickVault } from '../../vault/testing/quick-vault.ts';
import { createArchiveStore } from './archive.store.ts';
import { createArchive, isUnsaved, SAVED_BY, type Archive } from './archive.ts';
import { createSealedMetadata } from '../sealed-metadata/sealed-metadata.ts';
import type { Party } from './testing/party.ts';
import { centralEntries } from './testing/read-zip.ts';
import { NOW, zipsOf } from './testing/zips.ts';

describe.each(enginesForRules())('the ZIP of an event on $name', (engine) => {
  let db: Db;
  let folder: string;
  let blobs: BlobStore;
  let archive: Archive;
  let party: Party;
  const { clock, vault, openKey, make, whole } = zipsOf(engine, (opened) => ({ db, folder, blobs, archive, party } = opened));

  it('holds every photo, whole, with name, CRC and order of receipt', async () => {
    const contents = [randomBytes(0), randomBytes(10), randomBytes(600_000), randomBytes(300_000)];
    for (const [i, content] of contents.entries()) await party.add(content, { deviceName: `Gast ${i}`, receivedAt: NOW - 1000 + i });
    expect(await make()).toMatchObject({ status: 'complete', progress: 100, photos: 4, new_photos: 0, zip_age: 0 });
    const zip = await whole();
    const found = centralEntries(zip, 0);
    expect(found.map(({ name }) => name)).toEqual([0, 1, 2, 3].map((i) => `Hochzeit Größe/2026-05-18/Gast ${i} – IMG_0042.jpg`));
    for (const [i, { offset, size, crc }] of found.entries()) {
      const at = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28);
      expect(zip.subarray(at, at + size).equals(contents[i] as Buffer)).toBe(true);
      expect(crc).toBe(crc32(contents[i] as Buffer));
    }
  });

  it('is refused without photos, while one is being made, and to download before it is ready', async () => {
    await expect(archive.create(party.eventId, openKey)).rejects.toMatchObject({ code: 'archive_empty' });
    await expect(archive.open(party.eventId, openKey)).rejects.toMatchObject({ code: 'archive_not_ready' });
    await party.add(randomBytes(10));
    const store = createArchiveStore({ db, vault: createQuickVault() });
    const starts = await Promise.all(['a', 'b', 'c'].map((run) => store.begin(party.eventId, run, NOW, { from: NOW - 1000, to: NOW })));
    expect(starts.filter(Boolean)).toHaveLength(1);
    await expect(archive.create(party.eventId, openKey)).rejects.toMatchObject({ code: 'archive_running' });
    await expect(archive.open(party.eventId, openKey)).rejects.toMatchObject({ code: 'archive_not_ready' });
    await expect(archive.create('no such event', openKey)).rejects.toMatchObject({ code: 'event_not_found' });
  });

  it('stays ready when photos come, and counts them and its age', async () => {
    await party.add(randomBytes(10));
    await make();
    const before = await whole();
    await party.add(randomBytes(10));
    clock.time += 65_000;
    expect(await archive.status(party.eventId)).toMatchObject({ status: 'complete', photos: 1, new_photos: 1, zip_age: 65 });
    expect((await whole()).equals(before)).toBe(true);
    expect(await make()).toMatchObject({ photos: 2, new_photos: 0, zip_age: 0 });
  });

  it('has the same validator when nothing changed, and another when something did', async () => {
    await party.add(randomBytes(10));
    const etag = async () => (await archive.open(party.eventId, openKey)).etag;
    await make();
    const first = await etag();
    await make();
    expect(await etag()).toBe(first);
    await party.add(randomBytes(10));
    await make();
    expect(await etag()).not.toBe(first);
  });

  it('is idle again once a photo is deleted that it has, and stays for any other', async () => {
    const listed = await party.add(randomBytes(10));
    await make();
    const other = await party.add(randomBytes(10));
    const remove = (id: string, created_at: number) =>
      db.transaction((trx) => archive.invalidate(trx, { id, event_id: party.eventId, created_at }));
    // The ZIP's members, not the times, say that it lacks the photo: that may be received in the ZIP's minute or announced before it.
    await remove(other, NOW - 1);
    expect(await archive.status(party.eventId)).toMatchObject({ status: 'complete' });
    await whole();
    await remove(listed, NOW - 1);
    expect(await archive.status(party.eventId)).toMatchObject({ status: 'idle', progress: 0, zip_age: null });
    // A ZIP of an older release has no members.
    await make();
    await db.kysely.updateTable('archives').set({ members: null }).execute();
    await remove(other, NOW + 3_600_000);
    expect(await archive.status(party.eventId)).toMatchObject({ status: 'complete' });
    await remove(other, NOW - 1);
    expect(await archive.status(party.eventId)).toMatchObject({ status: 'idle' });
  });

  it('of an earlier release counts for what it has: what came after it is unsaved', async () => {
    const { kysely } = db;
    const event = () => kysely.selectFrom('events').select(SAVED_BY).where('id', '=', party.eventId).executeTakeFirstOrThrow();
    const upgrade = async (): Promise<void> => {
      await kysely.updateTable('events').set({ photo_count: 2, change_seq: 7 }).where('id', '=', party.eventId).execute();
      for (const column of ['events drop column originals_seq', 'events drop column zip_seq', 'archives drop column seq'])
        await sql.raw(`alter table ${column}`).execute(kysely);
      await zipCoverage.up(kysely as unknown as Kysely<unknown>);
    };
    await party.add(randomBytes(10), { receivedAt: NOW - 1000 });
    await make();
    await upgrade();
    expect(isUnsaved(await event())).toBe(true);
    await whole();
    expect(isUnsaved(await event())).toBe(false);
    await upgrade();
    expect(isUnsaved(await event())).toBe(false);
    await party.add(randomBytes(10), { receivedAt: NOW + 1000 });
    await upgrade();
    expect(isUnsaved(await event())).toBe(true);
    // The ZIP that was made before lacks the second photo.
    await whole();
    expect(isUnsaved(await event())).toBe(true);
    await make();
    // The old ZIP was downloaded after the photo came; the new one, which contains the photo, was not.
    await kysely
      .updateTable('events')
      .set({ zip_downloaded_at: NOW + 2000 })
      .where('id', '=', party.eventId)
      .execute();
    await upgrade();
    expect(isUnsaved(await event())).toBe(true);
    await whole();
    expect(isUnsaved(await event())).toBe(false);
  });

  it('is not made any further when a photo is deleted meanwhile', async () => {
    await party.add(randomBytes(10));
    await archive.create(party.eventId, openKey);
    await db.transaction((trx) => archive.invalidate(trx, { id: 'any', event_id: party.eventId, created_at: 0 }));
    await archive.close();
    expect(await archive.status(party.eventId)).toMatchObject({ status: 'idle' });
  });

  it('complains of no name while its event is deleted, the keys of whose guests go first', async () => {
    await party.add(randomBytes(10));
    const errors: object[] = [];
    const watched = createSealedMetadata({ vault, log: { error: (fields: object) => void errors.push(fields) } });
    const purging = async (): Promise<void> => {
      await db.kysely.updateTable('events').set({ purging_at: NOW }).where('id', '=', party.eventId).execute();
      await db.kysely.deleteFrom('guest_keys').where('event_id', '=', party.eventId).execute();
    };
    const log = createLog('silent');
    const meanwhile = createArchive({ db, blobs, vault, sealedMetadata: watched, verifyReceived: purging, clock, log });
    await meanwhile.create(party.eventId, openKey);
    await meanwhile.close();
    expect(errors).toEqual([]);
  });

  it('fails where the blobs of all photos are missing or cut, and can be made again', async () => {
    const photoId = await party.add(randomBytes(1000));
    const path = join(folder, photoBlob(party.eventId, photoId, 'original'));
    truncateSync(path, 500);
    expect(await make()).toMatchObject({ status: 'failed', progress: 0 });
    rmSync(path);
    expect(await make()).toMatchObject({ status: 'failed' });
    await party.add(randomBytes(10));
    expect(await make()).toMatchObject({ status: 'complete', photos: 1, damaged: 1 });
    await db.kysely.deleteFrom('photos').where('id', '=', photoId).execute();
    expect(await make()).toMatchObject({ status: 'complete', photos: 1, damaged: 0 });
  });

  it('left unfinished by a crash blocks nothing', async () => {
    await party.add(randomBytes(10));
    const crashed = {
      status: 'processing',
      progress: 40,
      started_at: clock.time,
      finished_at: null,
      etag: 'run',
      size: null,
      photo_count: 0,
      manifest: null,
    };
    await db.kysely
      .insertInto('archives')
      .values({ event_id: party.eventId, ...crashed })
      .execute();
    expect(await archive.status(party.eventId)).toMatchObject({ status: 'processing', progress: 40 });
    await expect(archive.create(party.eventId, openKey)).rejects.toMatchObject({ code: 'archive_running' });
    // A report from a clock that ran ahead counts as silence, too.
    for (const leap of [61_000, -61_000]) {
      clock.time += leap;
      expect(await archive.status(party.eventId)).toMatchObject({ status: 'failed' });
      clock.time -= leap;
    }
    clock.time += 61_000;
    await archive.recover();
    expect(await db.kysely.selectFrom('archives').select('status').where('event_id', '=', party.eventId).executeTakeFirst()).toEqual({
      status: 'failed',
    });
    expect(await make()).toMatchObject({ status: 'complete' });
  });

  it('does not reveal names, times or CRCs to who has the database', async () => {
    await party.add(randomBytes(10), { filename: 'Geheimnis.jpg' });
    await make();
    const row = await db.kysely.selectFrom('archives').selectAll().where('event_id', '=', party.eventId).executeTakeFirstOrThrow();
    expect(Buffer.from(row.manifest as Uint8Array).includes('Geheimnis')).toBe(false);
    const other = vault.createKeyPair();
    await expect(archive.open(party.eventId, () => other.privateKey)).rejects.toThrow();
  });

  const programs = {
    unzip: ['-tqq'],
    '7z': ['t', '-bso0'],
    bsdtar: ['-tf'],
    python3: ['-c', 'import sys, zipfile; assert zipfile.ZipFile(sys.argv[1]).testzip() is None'],
  };
  it.each(Object.entries(programs))('opens in %s', async (program, args) => {
    const there = spawnSync(program, ['--help']);
    if (there.error) return console.log(`skipped: no ${program} on this system`);
    for (const [i, filename] of ['IMG_0042.jpg', 'img_0042.jpg', 'Größe 🎉.jpg', '漢字.jpg'].entries())
      await party.add(randomBytes(300_000 * i), { filename });
    await make();
    const file = join(folder, 'test.zip');
    writeFileSync(file, await whole());
    const run = spawnSync(program, [...args, file], { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8' } });
    expect(`${run.stderr}${run.status}`).toBe('0');
    if (program === 'bsdtar') expect(run.stdout.normalize('NFC')).toContain('Hochzeit Größe/2026-05-17/Anna – Größe 🎉.jpg');
  });
});
