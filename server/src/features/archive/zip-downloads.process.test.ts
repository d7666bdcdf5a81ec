import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Db } from '../../database/open.ts';
import { enginesForRules } from '../../database/testing.ts';
import { createLog } from '../../lib/log.ts';
import { photoBlob, type BlobStore } from '../../storage/blob-store.ts';
import { createArchive, type Archive } from './archive.ts';
import type { SealedMetadata } from '../sealed-metadata/sealed-metadata.ts';
import type { Party } from './testing/party.ts';
import { NOW, zipsOf } from './testing/zips.ts';

describe.each(enginesForRules())('the ZIP of an event on $name', (engine) => {
  let db: Db;
  let blobs: BlobStore;
  let sealedMetadata: SealedMetadata;
  let archive: Archive;
  let party: Party;
  const { clock, vault, verifyReceived, openKey, make, whole } = zipsOf(engine, (opened) => {
    ({ db, blobs, sealedMetadata, archive, party } = opened);
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
});
