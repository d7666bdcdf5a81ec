import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { engines, runSql } from '../../database/testing.ts';
import { newDevice, type Headers, type TestApp } from '../testing.ts';
import { beforeEachGallery, galleryClient, OPEN } from '../gallery/testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { heldAnswer } from '../uploads/testing.ts';
import { createIntegrity } from '../integrity/integrity.ts';
import { createRenewal } from './renewal.ts';

const all = engines().filter(({ name }) => name === 'postgres');
const decoder = useDecoder(all);

describe.each(all)('a renewal of keys on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let host: Headers;
  beforeEachGallery(engine, decoder, (opened) => ({ app, event, host } = opened));

  const { call, json, set, send, enter, statuses, drawn } = galleryClient(() => ({ app, event }));
  // The photos that are damaged here stay damaged, so nothing is waited for.
  const verify = () => createIntegrity({ ...app, graceMs: 0 }).openAll(event.id, event.privateKey);
  const secretsOf = async (id: string): Promise<number[]> => {
    const rows = await app.db.kysely.selectFrom('event_secrets').select('id').where('event_id', '=', id).execute();
    return rows.map((row) => row.id);
  };

  it('leaves guests the keys of a new link, which were sealed while it covered those of the former one', async () => {
    const [photo, gone] = [await send(), await send()];
    await set(OPEN);
    expect((await call('DELETE', `/api/photos/${gone.id}`, host)).status).toBe(204);
    const held = heldAnswer((row) => row['gallery_secret'] !== undefined);
    const slow: typeof app.db = {
      ...app.db,
      transaction: (work) => app.db.transaction((trx) => work(trx.withPlugin(held.plugin))),
    };
    const running = createRenewal({ db: slow, vault: app.vault }).run({ night: true });
    await held.taken;
    const settings = await json<{ url: string }>('POST', `/api/events/${event.code}/gallery/link`, host);
    held.answer();
    await running;
    expect(await statuses(photo, await enter(settings))).toEqual([200, 200, 403]);
    expect((await verify()).findings).toEqual([]);
  });

  it('destroys the old secret also where somebody changed a key, and keeps each key that still opens', async () => {
    const [intact, changed, ofDevice, ofGuests, gone] = [await send(), await send(), await send(), await send(), await send()];
    const settings = await set(OPEN);
    await drawn();
    const { kysely } = app.db;
    const bytes = randomBytes(92);
    await kysely.updateTable('photo_keys').set({ sealed_for_event: bytes }).where('photo_id', '=', changed.id).execute();
    await kysely.updateTable('photo_keys').set({ wrapped_for_device: bytes }).where('photo_id', '=', ofDevice.id).execute();
    await kysely.updateTable('gallery_photo_keys').set({ sealed_for_gallery: bytes }).where('photo_id', '=', ofGuests.id).execute();
    expect((await call('DELETE', `/api/photos/${gone.id}`, host)).status).toBe(204);
    await createRenewal(app).run({ night: true });
    expect(await secretsOf(event.id)).toEqual([2]);
    const fine = [200, 200, 200];
    expect([await statuses(intact, host), await statuses(ofDevice, host), await statuses(ofGuests, host)]).toEqual([fine, fine, fine]);
    const guest = await enter(settings);
    expect([await statuses(intact, guest), await statuses(ofDevice, guest)]).toEqual([
      [200, 200, 403],
      [200, 200, 403],
    ]);
    const { findings } = await verify();
    expect(new Set(findings.map(({ subject }) => subject))).toEqual(new Set([changed.id, ofGuests.id]));
    expect(await kysely.selectFrom('photo_keys').select('sealed_for_event').where('photo_id', '=', changed.id).execute()).toEqual([
      { sealed_for_event: bytes },
    ]);
  });

  it('leaves an event whose secret itself is damaged as it is, so that the right one opens its photos again', async () => {
    const [one, two, gone] = [await send(), await send(), await send()];
    const { kysely } = app.db;
    const mine = kysely.selectFrom('event_secrets').select('secret').where('event_id', '=', event.id);
    const { secret } = await mine.executeTakeFirstOrThrow();
    const put = (bytes: Uint8Array) =>
      kysely.updateTable('event_secrets').set({ secret: bytes }).where('event_id', '=', event.id).where('id', '=', 1).execute();
    expect((await call('DELETE', `/api/photos/${gone.id}`, host)).status).toBe(204);
    await put(randomBytes(secret.length));
    await expect(createRenewal(app).run({ night: true })).rejects.toThrow(event.id);
    expect(await secretsOf(event.id)).toEqual([1, 2]);
    await put(secret);
    await createRenewal(app).run({ night: true });
    expect(await secretsOf(event.id)).toEqual([2]);
    for (const photo of [one, two]) expect(await statuses(photo, host)).toEqual([200, 200, 200]);
  });

  it.each([0, 1])('of an event that fails is named in the error, and holds up no other event (%d)', async (which) => {
    const events = [event, await app.event()];
    for (const of of events) {
      const [, gone] = [await send(newDevice(), of), await send(newDevice(), of)];
      expect((await call('DELETE', `/api/photos/${gone.id}`, { cookie: of.cookie })).status).toBe(204);
    }
    const [failing, fine] = which === 0 ? events : events.toReversed();
    await runSql(app.db, `create function fail() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`);
    await runSql(
      app.db,
      `create trigger fail before update on photo_keys for each row when (old.event_id = '${failing!.id}') execute function fail()`,
    );
    await expect(createRenewal(app).run({ night: true })).rejects.toThrow(failing!.id);
    expect([await secretsOf(fine!.id), await secretsOf(failing!.id)]).toEqual([[2], [1, 2]]);
  });
});
