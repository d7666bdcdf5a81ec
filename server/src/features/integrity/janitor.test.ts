import { randomBytes } from 'node:crypto';
import { HOUR } from '@feierbild/contract/constants.ts';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { engines } from '../../database/testing.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { createLog } from '../../lib/log.ts';
import { partBlob, photoBlob, type BlobStore } from '../../storage/blob-store.ts';
import { createParty } from '../archive/testing/party.ts';
import { openPortless, type PortlessApp } from '../testing.ts';
import { createOpenUploadStore } from '../uploads/resumable/open-uploads.store.ts';
import { openUpload } from '../uploads/resumable/testing.ts';
import { createJanitor } from './janitor.ts';
import { createBlobLife } from './blob-life.ts';

describe.each(engines())('the janitor on $name', (engine) => {
  let db: Db;
  let app: PortlessApp;
  afterAll(() => engine.dispose());
  beforeEach(async () => {
    db = await engine.open();
    app = await openPortless({ db });
  });
  afterEach(() => app.close());

  const sweep = (graceMs: number, now = Date.now()): Promise<number> =>
    createJanitor({ db, blobs: app.blobs, clock: { now: () => now } }).sweep({ graceMs });

  async function orphan(eventId: string): Promise<string> {
    const key = photoBlob(eventId, uuidv7(Date.now()), 'original');
    await app.blobs.put(key, Buffer.from('left by a crash'));
    return key;
  }

  /** Adds a photo with its three blobs. */
  async function photo(): Promise<{ id: string; eventId: string }> {
    const { eventId, add } = await createParty(app, 'Fest');
    const id = await add(randomBytes(9));
    for (const variant of ['thumbnail', 'preview'] as const) await app.blobs.put(photoBlob(eventId, id, variant), randomBytes(9));
    await db.kysely.updateTable('photos').set({ preview_type: 'image/webp', preview_size: 1 }).where('id', '=', id).execute();
    return { id, eventId };
  }

  it('removes every blob without a photo, also of events that are gone, and no photo’s', async () => {
    const { eventId } = await photo();
    const blobs = async () => (await app.leftovers()).blobs;
    const kept = await blobs();
    expect(kept).toHaveLength(3);
    // More blobs than the janitor looks up at once.
    for (let n = 0; n < 230; n++) await orphan(eventId);
    await orphan(uuidv7(Date.now()));
    expect(await sweep(0)).toBe(231);
    expect(await blobs()).toEqual(kept);
    expect(await sweep(0)).toBe(0);
  });

  it('goes on event by event where its time was over, begins anew a day later, and by day only where that is long ago', async () => {
    const ids = [1, 2, 3].map((n) => `0197000${n}-0000-7000-8000-000000000000`);
    for (const id of ids) await orphan(id);
    const left = async (): Promise<number> => (await app.leftovers()).blobs.length;
    const at = (hours: number, partMs?: number) =>
      createJanitor({ db, blobs: app.blobs, clock: { now: () => Date.now() + hours * HOUR }, ...(partMs !== undefined && { partMs }) });
    // The sweep's time is over after the first event.
    const listed: string[] = [];
    const slowly: BlobStore = {
      ...app.blobs,
      async *list(prefix) {
        listed.push(prefix);
        await new Promise((resolve) => setTimeout(resolve, 5));
        yield* app.blobs.list(prefix);
      },
    };
    const slow = createJanitor({ db, blobs: slowly, clock: { now: () => Date.now() + 4 * HOUR }, partMs: 1 });
    for (const [n, id] of ids.entries()) {
      expect(await slow.sweepPart({ night: n === 0 })).toBe(1);
      expect([listed.at(-1), await left()]).toEqual([`events/${id}/`, 2 - n]);
    }
    expect([await slow.sweepPart({ night: true }), listed.length]).toEqual([0, 3]);

    await orphan(ids[0] as string);
    expect([await at(5).sweepPart({ night: true }), await at(28).sweepPart({ night: false })]).toEqual([0, 0]);
    expect(await at(28).sweepPart({ night: true })).toBe(1);
    await orphan(ids[0] as string);
    expect([await at(60).sweepPart({ night: false }), await at(80).sweepPart({ night: false })]).toEqual([0, 1]);
  });

  it('goes on within a large event where its time was over, so that the others have their turn', async () => {
    const [large, other] = [1, 2].map((n) => `0197000${n}-0000-7000-8000-000000000000`) as [string, string];
    for (let n = 0; n < 450; n++) await orphan(large);
    await orphan(other);
    const began: (string | undefined)[] = [];
    const blobs: BlobStore = {
      ...app.blobs,
      list(prefix, after) {
        began.push(after);
        return app.blobs.list(prefix, after);
      },
    };
    const removed: number[] = [];
    // Each part runs on a new janitor, as on another node.
    for (let n = 0; n < 5; n++) {
      const janitor = createJanitor({ db, blobs, clock: { now: () => Date.now() + 4 * HOUR }, partMs: 0 });
      removed.push(await janitor.sweepPart({ night: n === 0 }));
    }
    expect(removed).toEqual([200, 200, 50, 1, 0]);
    expect(began.map((after) => after !== undefined && after > `events/${large}/`)).toEqual([false, true, true, false]);
    expect((await app.leftovers()).blobs).toEqual([]);
  });

  it('stops where its lease is lost, and goes on with the next', async () => {
    const ids = [1, 2].map((n) => `0197000${n}-0000-7000-8000-000000000000`);
    for (const id of ids) await orphan(id);
    const lost = new AbortController();
    const losing: BlobStore = {
      ...app.blobs,
      async remove(key) {
        await app.blobs.remove(key);
        lost.abort(new Error('lost'));
      },
    };
    const clock = { now: () => Date.now() + 4 * HOUR };
    await expect(createJanitor({ db, blobs: losing, clock }).sweepPart({ night: true, signal: lost.signal })).rejects.toThrow('lost');
    expect(await createJanitor({ db, blobs: app.blobs, clock }).sweepPart({ night: true })).toBe(1);
    expect((await app.leftovers()).blobs).toEqual([]);
  });

  it('leaves a blob alone as long as its upload may still be on its way', async () => {
    const key = await orphan((await app.event()).id);
    const { modifiedAt = 0 } = (await Array.fromAsync(app.blobs.list('')))[0] ?? {};
    expect(await sweep(HOUR, modifiedAt + HOUR - 1)).toBe(0);
    expect((await app.leftovers()).blobs).toEqual([key]);
    expect(await sweep(HOUR, modifiedAt + HOUR)).toBe(1);
    expect((await app.leftovers()).blobs).toEqual([]);
  });

  it('waits three hours for that, where nobody says otherwise', async () => {
    const key = await orphan((await app.event()).id);
    const { modifiedAt = 0 } = (await Array.fromAsync(app.blobs.list('')))[0] ?? {};
    const at = (now: number) => createJanitor({ db, blobs: app.blobs, clock: { now: () => now } });
    expect([await at(modifiedAt + 3 * HOUR - 1).sweep(), await at(modifiedAt + 3 * HOUR - 1).sweepPart({ night: true })]).toEqual([0, 0]);
    expect((await app.leftovers()).blobs).toEqual([key]);
    expect(await at(modifiedAt + 3 * HOUR).sweep()).toBe(1);
  });

  it('leaves the parts of an upload that goes on', async () => {
    const { id } = await app.event();
    const upload = await openUpload(app, id);
    await createOpenUploadStore(db).addPart(upload.id, { n: upload.version, size: 9, instead: null }, upload.expires_at);
    const key = partBlob(id, upload.id, upload.version);
    await app.blobs.put(key, randomBytes(9));
    expect([await sweep(0), (await app.leftovers()).blobs]).toEqual([0, [key]]);
  });

  it('touches nothing that is no photo’s', async () => {
    await app.blobs.put('events/a/manifest.zip', Buffer.from('something else'));
    expect(await sweep(0)).toBe(0);
    expect((await app.leftovers()).blobs).toEqual(['events/a/manifest.zip']);
  });

  it('removes what was noted in an outage of store or database within the hour, by its name, and no photo’s', async () => {
    const { id, eventId } = await photo();
    const kept = (await app.leftovers()).blobs;
    const left = await orphan(eventId);
    let down = true;
    const failing: BlobStore = { ...app.blobs, remove: (key) => (down ? Promise.reject(new Error('gone')) : app.blobs.remove(key)) };
    const blobLife = createBlobLife({ db, blobs: failing, clock: { now: () => Date.now() }, log: createLog('silent') });
    const store = blobLife.blobs;
    await expect(store.remove(left)).rejects.toThrow('gone');
    await blobLife.remove([photoBlob(eventId, id, 'original')]);
    const noted = async (): Promise<number> => (await db.kysely.selectFrom('orphans').select('key').execute()).length;
    await expect.poll(noted).toBe(2);
    down = false;
    const janitor = (now: number) => createJanitor({ db, blobs: store, clock: { now: () => now } });
    expect(await janitor(Date.now()).removeKnown()).toBe(0);
    expect(await janitor(Date.now() + HOUR / 2).removeKnown()).toBe(1);
    expect([await noted(), (await app.leftovers()).blobs.toSorted()]).toEqual([0, kept.toSorted()]);
    blobLife.close();
  });
});
