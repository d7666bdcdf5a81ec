import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { engines } from '../../database/testing.ts';
import { createDecoder } from '../../images/create-decoder.ts';
import type { Decoder } from '../../images/decoder.ts';
import { createLog } from '../../lib/log.ts';
import { drawPhoto, openApp, type TestApp } from '../testing.ts';

/** More guests than a node has connections to the database. */
const GUESTS = 14;

const postgres = engines().find(({ name }) => name === 'postgres');

describe.runIf(postgres)('an event whose row others hold', () => {
  let decoder: Decoder;
  let app: TestApp;
  beforeAll(() => {
    decoder = createDecoder({ log: createLog('silent') });
  });
  afterEach(() => app.close());
  afterAll(async () => {
    await decoder.close();
    await postgres?.dispose();
  });

  it('takes no more than three connections, so that other events go on, and refuses with 503', async () => {
    const db = await postgres!.open();
    const other = await postgres!.again(db);
    app = await openApp({ db, decoder });
    const [held, free] = [await app.event(), await app.event()];
    const waiting = async (): Promise<number> => {
      const { rows } = await sql<{ count: number }>`select count(*) as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(other.kysely);
      return rows[0]?.count ?? 0;
    };
    let uploads: ReturnType<TestApp['upload']>[] = [];
    await other.transaction(async (trx) => {
      await trx.updateTable('events').set({ title: 'held' }).where('id', '=', held.id).execute();
      const photos = await Promise.all(Array.from({ length: GUESTS }, (_, n) => drawPhoto({ width: 100 + n })));
      // Uploads that wait for the locked row give up after 5 s: if a busy machine takes longer, the attempt proves nothing and is repeated.
      for (let width = 200; ; width++) {
        let answered = 0;
        uploads = photos.map((photo) => app.upload(held.code, photo).finally(() => answered++));
        await expect.poll(waiting).toBe(3);
        expect((await app.upload(free.code, await drawPhoto({ width }))).status).toBe(201);
        const gallery = await fetch(`${app.url}/api/events/${free.id}/photos`, { headers: { cookie: free.cookie } });
        expect(gallery.status).toBe(200);
        if (answered === 0) break;
        await Promise.all(uploads);
      }
      expect(await waiting()).toBeLessThanOrEqual(3);
      // Uploads that wait at the database give up first.
      expect(
        (await Promise.any(uploads.map(async (upload) => ((await upload).status === 503 ? 503 : Promise.reject(new Error()))))) as number,
      ).toBe(503);
    });
    const answers = await Promise.all(uploads);
    expect(answers.map(({ status }) => status).filter((status) => status !== 201 && status !== 503)).toEqual([]);
    const stored = answers.filter(({ status }) => status === 201).length;
    expect(await app.row(held.id)).toMatchObject({ photo_count: stored });
  });
});
