import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordChange } from '../../database/changes.ts';
import { engines } from '../../database/testing.ts';
import { drawPhoto, openApp, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { createPhotoStore } from './photos.store.ts';

const all = engines();
const decoder = useDecoder(all);

// SQLite runs one transaction after the other.
describe.each(all.filter(({ name }) => name === 'postgres'))('what writes photos and their event, on $name,', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let id: string;

  beforeEach(async () => {
    app = await openApp({ db: await engine.open(), decoder });
    event = await app.event();
    id = (await app.upload(event.code, await drawPhoto())).photo.id;
  });
  afterEach(() => app.close());

  const rendition = { type: 'image/webp', size: 1, version: 'a' };
  const opened = async () => ({
    row: (await app.photos.byId(id))!,
    openKey: () => app.vault.createPhotoKey(),
    describe: () => ({ deviceName: 'Anna', filename: 'foto.jpg', takenAt: null }),
  });
  const saveVerification = (store: ReturnType<typeof createPhotoStore>) =>
    store.saveVerification(
      { id, event_id: event.id },
      { state: 'stored', drawn_by: 'replaced' },
      (trx) => recordChange(trx, event.id, 'replaced', id),
      0,
    );

  it.each<[string, (store: ReturnType<typeof createPhotoStore>) => Promise<unknown>]>([
    ['a deletion', async () => app.photos.remove({ row: (await app.photos.byId(id))! })],
    ['a decision', async (store) => store.setSlideshow(await opened(), { value: true, now: 0 })],
    ['a verification', saveVerification],
    ['a poster', (store) => store.saveRendition(id, 'preview', rendition, null, event.id)],
  ])('holds nothing of a photo while it waits for the event, so that an upload never waits for it in turn: %s', async (_what, write) => {
    await app.db.kysely.updateTable('photos').set({ state: 'received' }).where('id', '=', id).execute();
    const store = createPhotoStore(app.db, app.vault);
    let runs = 0;
    let writing: Promise<unknown> = Promise.resolve();
    await app.db.transaction(async (trx) => {
      runs += 1;
      await trx
        .updateTable('events')
        .set((row) => ({ change_seq: row('change_seq', '+', 1) }))
        .where('id', '=', event.id)
        .execute();
      if (runs === 1) writing = write(store);
      const locks = sql<{
        n: number;
      }>`select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      await expect.poll(async () => (await locks.execute(app.db.kysely)).rows[0]?.n).toBe(1);
      // If this had to wait, both would, until the database ends one of them.
      await sql`set local lock_timeout = '200ms'`.execute(trx);
      await trx.updateTable('photos').set({ sample: 0 }).where('id', '=', id).execute();
    });
    await writing;
    expect(runs).toBe(1);
  });
});
