import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { engines } from '../../database/testing.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { eventPrefix, type BlobStore } from '../../storage/blob-store.ts';
import { createFolderStore } from '../../storage/folder-store.ts';
import { createQuickVault } from '../../vault/testing/quick-vault.ts';
import { addEvent } from '../testing.ts';
import { purgeEvent } from './purge.ts';
import { RUN_FOLDER } from '../../testing/run-folder.ts';

const PHOTOS = 1200;
const clock = { now: () => 1_800_000_000_000 };
const vault = createQuickVault();

describe.each(engines())('the purge of a large event on $name', (engine) => {
  let db: Db;
  let blobs: BlobStore;
  let folder: string;
  let event: string;
  let other: string;
  beforeEach(async () => {
    db = await engine.open();
    folder = await mkdtemp(join(RUN_FOLDER, 'feierbild-purge-'));
    blobs = createFolderStore({ folder });
    [event, other] = [await largeEvent(PHOTOS), await largeEvent(3)];
    for (const id of [event, other]) await blobs.put(`${eventPrefix(id)}${uuidv7(0)}.original`, randomBytes(9));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  afterAll(() => engine.dispose());

  async function largeEvent(count: number): Promise<string> {
    const { id: event_id } = await addEvent({ db, vault }, { created_at: clock.now(), photo_count: count, used_bytes: count });
    const text = { description: randomBytes(93), type: 'image/jpeg', thumbnail_type: 'image/webp', device_hash: randomBytes(32) };
    const sizes = { size: 1, width: 1, height: 1, thumbnail_size: 1, preview_type: null, preview_size: null, created_at: 0, slideshow: 1 };
    const photos = Array.from({ length: count }, (_, n) => ({ id: uuidv7(n), position: n + 1 }));
    const keys = { secret_id: 1, sealed_for_event: randomBytes(80), wrapped_for_device: randomBytes(64), facts: randomBytes(64) };
    for (let at = 0; at < count; at += 300) {
      const some = photos.slice(at, at + 300);
      const rows = some.map((photo) => ({ ...photo, ...text, ...sizes, event_id, fingerprint: randomBytes(32) }));
      await db.kysely.insertInto('photos').values(rows).execute();
      const wrapped = some.map(({ id }) => ({ photo_id: id, event_id, ...keys }));
      await db.kysely.insertInto('photo_keys').values(wrapped).execute();
    }
    const guest = { device_hash: text.device_hash, sealed_for_event: randomBytes(80) };
    await db.kysely
      .insertInto('guest_keys')
      .values({ event_id, ...guest })
      .execute();
    return event_id;
  }

  const held = async (id: string) => {
    const tables = ['photos', 'photo_keys', 'event_secrets', 'event_keys', 'guest_keys'] as const;
    const counts = tables.map((table) => db.kysely.selectFrom(table).select('event_id').where('event_id', '=', id).execute());
    return (await Promise.all(counts)).map(({ length }) => length);
  };
  const stored = async () => (await Array.fromAsync(blobs.list(''))).length;

  it('is done in transactions of some rows, between which others have their turn', async () => {
    const left: number[][] = [];
    const watched: Db = {
      ...db,
      async transaction(work) {
        const result = await db.transaction(work);
        left.push(await held(event));
        return result;
      },
    };
    await purgeEvent({ db: watched, blobs, clock, onPurged: () => undefined }, event);
    // The keys of host and guests go first; the secret over the photos' keys goes after the last of these.
    expect(left).toEqual([
      [1200, 1200, 1, 0, 0],
      [700, 700, 1, 0, 0],
      [200, 200, 1, 0, 0],
      [0, 0, 1, 0, 0],
      [0, 0, 1, 0, 0],
      [0, 0, 0, 0, 0],
    ]);
    const row = await db.kysely.selectFrom('events').selectAll().where('id', '=', event).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ purging_at: clock.now(), purged_at: null, photo_count: 0, used_bytes: 0 });
    expect([await held(other), await stored()]).toEqual([[3, 3, 1, 1, 1], 1]);
  });

  it('stops once it is aborted, and the next call goes on', async () => {
    const lost = new AbortController();
    const losing: Db = {
      ...db,
      async transaction(work) {
        const result = await db.transaction(work);
        if ((await held(event))[0] === 700) lost.abort(new Error('lost'));
        return result;
      },
    };
    const purged: string[] = [];
    const onPurged = (id: string): void => void purged.push(id);
    await expect(purgeEvent({ db: losing, blobs, clock, onPurged }, event, lost.signal)).rejects.toThrow('lost');
    expect([await held(event), await stored(), purged]).toEqual([[700, 700, 1, 0, 0], 2, []]);
    await purgeEvent({ db, blobs, clock, onPurged }, event);
    expect([await held(event), await stored(), purged]).toEqual([[0, 0, 0, 0, 0], 1, [event]]);
  });
});
