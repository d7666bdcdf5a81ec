import { spawnSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { sql, type Kysely } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { crc32 } from 'node:zlib';
import { zipCoverage } from '../../database/migrations/0020-zip-coverage.ts';
import type { Db } from '../../database/open.ts';
import { enginesForRules } from '../../database/testing.ts';
import { createHttp } from '../../http/bind.ts';
import { translateErrors } from '../../http/errors.ts';
import { createLog } from '../../lib/log.ts';
import { photoBlob, type BlobStore } from '../../storage/blob-store.ts';
import { createFolderStore } from '../../storage/folder-store.ts';
import { createQuickVault } from '../../vault/testing/quick-vault.ts';
import { wireApp } from '../testing.ts';
import { archiveRoutes } from './archive.routes.ts';
import { createArchiveStore } from './archive.store.ts';
import { createArchive, isUnsaved, SAVED_BY, type Archive } from './archive.ts';
import { createSelections } from './selections.ts';
import { openFilesBelow } from '../../testing/system.ts';
import { createSealedMetadata, type SealedMetadata } from '../sealed-metadata/sealed-metadata.ts';
import { createParty, type Party } from './testing/party.ts';
import { centralEntries } from './testing/read-zip.ts';

const vault = createQuickVault();
const NOW = Date.parse('2026-05-18T12:00:00Z');
/** Does nothing: the photos of these tests came without a preview. */
const verifyReceived = async (): Promise<void> => undefined;
const clock = { time: NOW, now: () => clock.time };
const all = enginesForRules();
afterAll(() => Promise.all(all.map((engine) => engine.dispose())));

describe.each(all)('the ZIP of an event on $name', (engine) => {
  let db: Db;
  let folder: string;
  let blobs: BlobStore;
  let sealedMetadata: SealedMetadata;
  let archive: Archive;
  let party: Party;
  const openKey = () => party.keys.privateKey;
  const make = async () => {
    await archive.create(party.eventId, openKey);
    await archive.close();
    return archive.status(party.eventId);
  };
  const whole = async () => {
    const zip = await archive.open(party.eventId, openKey);
    const parts: Uint8Array[] = [];
    const range = { start: 0, end: zip.size };
    for await (const piece of zip.read(range)) parts.push(Buffer.from(piece));
    await zip.sent(range);
    const bytes = Buffer.concat(parts);
    expect(bytes.length).toBe(zip.size);
    return bytes;
  };

  beforeEach(async () => {
    clock.time = NOW;
    db ??= await engine.open();
    folder = mkdtempSync(join(tmpdir(), 'feierbild-archive-'));
    blobs = createFolderStore({ folder });
    sealedMetadata = createSealedMetadata({ vault, log: createLog('silent') });
    archive = createArchive({ db, blobs, vault, sealedMetadata, verifyReceived, clock, log: createLog('silent') });
    party = await createParty({ db, blobs, vault }, 'Hochzeit Größe');
  });
  afterEach(async () => {
    await archive.close();
    rmSync(folder, { recursive: true, force: true });
  });

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

  describe('in parts', () => {
    let zip: Awaited<ReturnType<Archive['open']>>;
    /** Reads bytes from `start` until at least `enough` are reached, or to the end of the range, which then went out. */
    const take = async (start: number, end = zip.size, enough = end): Promise<number> => {
      let at = start;
      for await (const piece of zip.read({ start, end })) {
        at += piece.length;
        if (at >= enough && enough < end) break;
      }
      if (at === end) await zip.sent({ start, end });
      return at;
    };
    const downloaded = async () => {
      const times = db.kysely.selectFrom('events').select('zip_downloaded_at').where('id', '=', party.eventId);
      return (await times.executeTakeFirstOrThrow()).zip_downloaded_at !== null;
    };

    beforeEach(async () => {
      for (let i = 0; i < 3; i += 1) await party.add(randomBytes(700_000));
      await make();
      zip = await archive.open(party.eventId, openKey);
    });

    it('counts as downloaded once its parts together were the whole of it', async () => {
      await take(zip.size - 22);
      await take(zip.size - 500_000);
      expect(await downloaded()).toBe(false);
      const reached = await take(0, zip.size, 600_000);
      await take(reached + 1);
      await take(reached + 2);
      expect(await downloaded()).toBe(false);
      await take(reached - 1000, reached + 1000);
      expect(await downloaded()).toBe(true);
    });

    it('does not count while the last bytes of a part are read and have not gone out', async () => {
      const middle = 900_000;
      for (const [start, end] of [
        [middle, zip.size],
        [0, middle],
      ] as const) {
        await make();
        for await (const piece of zip.read({ start, end })) void piece;
        await take(start === 0 ? middle : 0, start === 0 ? zip.size : middle);
        expect(await downloaded()).toBe(false);
        await take(end - 10, end);
        expect(await downloaded()).toBe(true);
        await db.kysely.updateTable('events').set({ zip_downloaded_at: null }).where('id', '=', party.eventId).execute();
      }
    });

    it.each([
      [1, 3, 2],
      [1, 2, 3],
      [3, 1, 2],
      [2, 1, 3],
    ])('counts as downloaded where they end in the order %i, %i, %i', async (...order) => {
      const third = Math.ceil(zip.size / 3);
      // A browser asks for the whole first, and breaks that answer off where the second part begins.
      const parts = [() => take(0, zip.size, third), () => take(third, 2 * third), () => take(2 * third)];
      for (const [n, part] of order.entries()) {
        expect([n, await downloaded()]).toEqual([n, false]);
        await parts[part - 1]?.();
      }
      expect(await downloaded()).toBe(true);
    });

    it('does not count while one that broke off is the last: what was read for it may not have arrived', async () => {
      const third = Math.ceil(zip.size / 3);
      await take(third, 2 * third);
      await take(2 * third);
      await take(0, zip.size, third);
      expect(await downloaded()).toBe(false);
      await take(third - 1000, third);
      expect(await downloaded()).toBe(true);
    });

    it('counts where they end at the same moment, and none that a ZIP before had', async () => {
      const third = Math.ceil(zip.size / 3);
      const former = JSON.stringify({ etag: 'former', parts: [[third, zip.size]] });
      await db.kysely.updateTable('archives').set({ parts: former }).where('event_id', '=', party.eventId).execute();
      await take(0, third);
      expect(await downloaded()).toBe(false);
      const ends = [
        [0, third],
        [third, 2 * third],
        [2 * third, zip.size],
      ] as const;
      for (let round = 0; round < 10; round += 1) {
        await make();
        zip = await archive.open(party.eventId, openKey);
        await db.kysely.updateTable('events').set({ zip_downloaded_at: null }).where('id', '=', party.eventId).execute();
        await db.kysely.updateTable('archives').set({ downloaded_bytes: 0, parts: null }).where('event_id', '=', party.eventId).execute();
        await Promise.all(ends.map(([start, end]) => zip.sent({ start, end })));
        expect([round, await downloaded()]).toEqual([round, true]);
      }
    });

    it('keeps an account of a few parts, whatever is asked for', async () => {
      for (let at = zip.size - 2; at > zip.size - 1000; at -= 10) await take(at, at + 1);
      const rows = db.kysely.selectFrom('archives').select('parts').where('event_id', '=', party.eventId);
      expect((await rows.executeTakeFirstOrThrow()).parts?.length).toBeLessThan(2000);
      await take(0);
      expect(await downloaded()).toBe(true);
      expect((await rows.executeTakeFirstOrThrow()).parts).toBeNull();
    });
  });

  it('asks the store for no preview that its photo still has, and for many at the same time', async () => {
    for (let n = 0; n < 20; n += 1) await party.add(randomBytes(10), { preview: randomBytes(1000 + n) });
    await archive.create(party.eventId, openKey, { previews: true });
    await archive.close();
    let asked = 0;
    const held = Promise.withResolvers<void>();
    const size: BlobStore['size'] = async (key) => {
      asked += 1;
      if (asked === 8) held.resolve();
      await held.promise;
      return blobs.size(key);
    };
    const log = createLog('silent');
    const far = createArchive({ db, blobs: { ...blobs, size }, vault, sealedMetadata, verifyReceived, clock, log });
    await far.open(party.eventId, openKey);
    expect(asked).toBe(0);
    // Their originals came, with previews of their own; a running download needs the old ones, which stay for some hours.
    await db.kysely.updateTable('photos').set({ preview_attempt: 'second' }).where('event_id', '=', party.eventId).execute();
    await far.open(party.eventId, openKey);
    expect(asked).toBe(20);
    const { id } = await db.kysely.selectFrom('photos').select('id').where('event_id', '=', party.eventId).executeTakeFirstOrThrow();
    await blobs.remove(photoBlob(party.eventId, id, 'preview', 'first'));
    await expect(far.open(party.eventId, openKey)).rejects.toMatchObject({ code: 'archive_not_ready' });
    expect(await archive.status(party.eventId)).toMatchObject({ status: 'idle' });
  });

  it('has its list opened once for all that read it at the same time', async () => {
    for (let n = 0; n < 3; n += 1) await party.add(randomBytes(1000));
    await make();
    let opened = 0;
    const open: typeof vault.open = (...sealed) => {
      opened += 1;
      return vault.open(...sealed);
    };
    const shared = { db, blobs, vault: { ...vault, open }, sealedMetadata, verifyReceived, clock, log: createLog('silent') };
    const reading = createArchive(shared);
    const zips = [];
    for (let n = 0; n < 4; n += 1) zips.push(await reading.open(party.eventId, openKey));
    expect(opened).toBe(1);
    const bytes = await Promise.all(
      zips.map(async (zip) => Buffer.concat(await Array.fromAsync(zip.read({ start: 0, end: zip.size }), (piece) => Buffer.from(piece)))),
    );
    expect(bytes.every((one) => one.equals(bytes[0] as Buffer))).toBe(true);
    await party.add(randomBytes(1000));
    await make();
    expect((await reading.open(party.eventId, openKey)).entries).toHaveLength(4);
    expect(opened).toBe(2);
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

  it('breaks off within seconds of another password of its host, and goes on until then', async () => {
    const event_id = party.eventId;
    await db.kysely.insertInto('hosts').values({ event_id, created_at: NOW, reset_at: null, reset_seen_at: null }).execute();
    await db.kysely
      .insertInto('host_keys')
      .values({ event_id, wrapped: randomBytes(60) })
      .execute();
    for (let i = 0; i < 4; i += 1) await party.add(randomBytes(700_000));
    await make();
    const zip = await archive.open(event_id, openKey);
    const pieces = zip.read({ start: 0, end: zip.size });
    const now = performance.now.bind(performance);
    let later = 0;
    const time = vi.spyOn(performance, 'now').mockImplementation(() => now() + later);
    try {
      await pieces.next();
      later += 10_000;
      expect((await pieces.next()).done).toBe(false);
      await db.kysely
        .updateTable('host_keys')
        .set({ wrapped: randomBytes(60) })
        .where('event_id', '=', event_id)
        .execute();
      later += 10_000;
      // The reader checks the key in the background, while pieces go on.
      const next = () =>
        pieces.next().then(
          ({ done }) => (done ? 'whole' : 'goes on'),
          ({ code }: { code: string }) => code,
        );
      await expect.poll(next, { interval: 200 }).toBe('login_required');
      // A host with the new password resumes where the download broke off.
      expect((await whole()).length).toBe(zip.size);
    } finally {
      time.mockRestore();
    }
  });

  it('does not reveal names, times or CRCs to who has the database', async () => {
    await party.add(randomBytes(10), { filename: 'Geheimnis.jpg' });
    await make();
    const row = await db.kysely.selectFrom('archives').selectAll().where('event_id', '=', party.eventId).executeTakeFirstOrThrow();
    expect(Buffer.from(row.manifest as Uint8Array).includes('Geheimnis')).toBe(false);
    const other = vault.createKeyPair();
    await expect(archive.open(party.eventId, () => other.privateKey)).rejects.toThrow();
  });

  describe('over HTTP', () => {
    let port: number;
    let close: () => Promise<void>;
    const path = () => `/api/events/${party.code}/download`;
    const fetchBytes = async (headers: Record<string, string> = {}) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path()}`, { headers });
      return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
    };

    const realEvents = () => wireApp({ db, vault, clock, folder, wrapStore: () => blobs }).events;

    beforeEach(async () => {
      const app = Fastify({ forceCloseConnections: true });
      translateErrors(app);
      const host = { sessionId: 's', eventId: party.eventId, eventCode: party.code, openEventKey: openKey };
      archiveRoutes(
        createHttp(app, async () => ({
          host,
          admin: null,
          assistant: null,
          projector: null,
          helper: null,
          gallery: null,
          token: null,
          deviceId: null,
          address: '127.0.0.1',
        })),
        archive,
        createSelections({ db, blobs, vault, sealedMetadata, verifyReceived, clock }),
        realEvents(),
      );
      await app.listen({ port: 0, host: '127.0.0.1' });
      port = (app.server.address() as AddressInfo).port;
      close = () => app.close();
    });
    afterEach(() => close());

    it('is made, watched and downloaded with length, name, validator and ranges', async () => {
      await party.add(randomBytes(700_000));
      const call = (method: string, name: string, ref = party.code) =>
        fetch(`http://127.0.0.1:${port}/api/events/${ref}/${name}`, { method });
      expect((await call('GET', 'download')).status).toBe(409);
      expect((await call('POST', 'create-zip')).status).toBe(202);
      await archive.close();
      expect(await (await call('GET', 'zip-progress', party.eventId)).json()).toMatchObject({ status: 'complete', photos: 1 });
      expect((await call('POST', 'regenerate-zip', party.code.toLowerCase())).status).toBe(202);
      await archive.close();
      expect((await call('GET', 'zip-progress', 'ABCD2345')).status).toBe(401);

      const { answer, bytes } = await fetchBytes();
      const etag = answer.headers.get('etag') as string;
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-length')).toBe(String(bytes.length));
      expect(answer.headers.get('accept-ranges')).toBe('bytes');
      expect(answer.headers.get('content-type')).toBe('application/zip');
      expect(answer.headers.get('content-disposition')).toContain("filename*=UTF-8''Hochzeit%20Gr%C3%B6%C3%9Fe.zip");
      expect(bytes.equals(await whole())).toBe(true);

      const part = await fetchBytes({ range: 'bytes=100000-400000', 'if-range': etag });
      expect(part.answer.status).toBe(206);
      expect(part.answer.headers.get('content-range')).toBe(`bytes 100000-400000/${bytes.length}`);
      expect(part.bytes.equals(bytes.subarray(100_000, 400_001))).toBe(true);
      expect((await fetchBytes({ range: 'bytes=100000-', 'if-range': '"another"' })).answer.status).toBe(200);
      expect((await fetchBytes({ range: `bytes=${bytes.length}-` })).answer.status).toBe(416);
      expect((await fetchBytes({ 'if-none-match': etag })).answer.status).toBe(304);
      const head = await call('HEAD', 'download');
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
    });

    it('counts as downloaded where the answer with its end is the first that is whole', async () => {
      for (let i = 0; i < 3; i += 1) await party.add(randomBytes(700_000));
      await make();
      const saved = async () => {
        const times = db.kysely.selectFrom('events').select('zip_downloaded_at').where('id', '=', party.eventId);
        return (await times.executeTakeFirstOrThrow()).zip_downloaded_at;
      };
      for (const range of ['bytes=1400000-', 'bytes=700000-1399999', 'bytes=0-699999']) {
        expect(await saved()).toBeNull();
        expect((await fetchBytes({ range })).answer.status).toBe(206);
      }
      await expect.poll(saved).not.toBeNull();
    });

    it('cut twenty times at random and continued by Range, is byte for byte the same', async () => {
      for (let i = 0; i < 5; i += 1) await party.add(randomBytes(700_000 + i));
      await make();
      const expected = await whole();
      const etag = `"${(await archive.open(party.eventId, openKey)).etag}"`;
      const received: Buffer[] = [];
      const have = () => received.reduce((sum, piece) => sum + piece.length, 0);
      for (let cut = 0; cut <= 20; cut += 1) {
        const left = expected.length - have();
        const wanted = cut === 20 ? left : randomInt(0, Math.ceil((2 * left) / (21 - cut)));
        const headers = { range: `bytes=${have()}-`, 'if-range': etag };
        received.push(await firstBytes(await request(port, path(), headers), Math.min(wanted, left)));
      }
      expect(Buffer.concat(received).equals(expected)).toBe(true);
    });

    it('breaks off where a photo was tampered with, rather than ending as if it were whole', async () => {
      await party.add(randomBytes(700_000));
      const photoId = await party.add(randomBytes(700_000));
      await make();
      const file = join(folder, photoBlob(party.eventId, photoId, 'original'));
      writeFileSync(file, randomBytes(vault.sealedSize(700_000)));
      await expect(fetchBytes()).rejects.toThrow();
    });

    it('breaks off where a photo is gone, and can be made anew', async () => {
      await party.add(randomBytes(700_000));
      const photoId = await party.add(randomBytes(700_000));
      await make();
      await db.kysely.deleteFrom('photos').where('id', '=', photoId).execute();
      await expect(fetchBytes()).rejects.toThrow();
      await expect.poll(() => archive.status(party.eventId)).toMatchObject({ status: 'idle' });
      expect(await make()).toMatchObject({ status: 'complete', photos: 1 });
    });

    it.skipIf(process.platform !== 'linux')('leaves no file open when the client goes away', async () => {
      for (let i = 0; i < 8; i += 1) await party.add(randomBytes(5_000_000));
      await make();
      for (let i = 0; i < 5; i += 1) await firstBytes(await request(port, path()), 100_000);
      await expect.poll(() => openFilesBelow(folder)).toEqual([]);
    });
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

function request(port: number, path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => get({ port, host: '127.0.0.1', path, headers, agent: false }, resolve).on('error', reject));
}

/** Reads the first bytes of an answer, then cuts the connection. */
async function firstBytes(answer: IncomingMessage, count: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  if (count > 0) {
    for await (const piece of answer) {
      pieces.push(piece as Buffer);
      length += (piece as Buffer).length;
      if (length >= count) break;
    }
  }
  answer.destroy();
  return Buffer.concat(pieces).subarray(0, count);
}
