import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addDays, berlinTime, startOfBerlinDay } from '@feierbild/contract/berlin.ts';
import { DEMO_BYTES, DEMO_PHOTOS, DEMO_RESET, DEMO_SHOWN_GIGABYTES, GB, HOUR, MINUTE } from '@feierbild/contract/constants.ts';
import type { HostEvent, Photo } from '@feierbild/contract/entities.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { enginesForRules } from '../../database/testing.ts';
import { createLog } from '../../lib/log.ts';
import { drawPhoto, newDevice, openApp, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { createDemo, type Demo } from './demo.ts';
import type { Sample } from './samples.ts';
import { RUN_FOLDER } from '../../testing/run-folder.ts';

const log = createLog('silent');

describe.each(enginesForRules())('the demo on $name', (engine) => {
  const clock = { time: 0, now: () => clock.time };
  let folder: string;
  let samples: Sample[];
  const decoder = useDecoder([engine]);
  let db: Db;
  let app: TestApp;
  let demo: Demo;

  beforeAll(async () => {
    folder = await mkdtemp(join(RUN_FOLDER, 'feierbild-samples-'));
    samples = await Promise.all(
      ['Anna', 'Jörg', 'Anna'].map(async (guest, n) => {
        await writeFile(join(folder, `${n}.jpg`), await drawPhoto());
        return { file: `${n}.jpg`, name: `IMG_${n}.jpg`, guest, at: `2${n}:15` };
      }),
    );
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    clock.time = Date.UTC(2026, 4, 17, 12);
    db = await engine.open();
    app = await openApp({ db, decoder, clock });
    await app.admins.ensureFirst('admin', 'ein-langes-Kennwort-1');
    demo = node();
    await demo.run();
  });
  afterEach(() => app.close());

  function node({
    on = true,
    pictures = samples,
    ending = new AbortController().signal,
  }: { on?: boolean; pictures?: Sample[]; ending?: AbortSignal } = {}): Demo {
    const { events, uploads, photos } = app;
    return createDemo({ db, clock, log, events, uploads, photos, pictures: { folder, samples: pictures }, on, ending, firstPollMs: 100 });
  }

  const shown = (): { code: string; password: string } => {
    const current = demo.current();
    if (!current) throw new Error('the demo is not ready');
    return current;
  };

  /** Logs in as the demo's host, with a new device. */
  async function visitor() {
    const { code, password } = shown();
    const { token } = await app.accounts.loginHost({ username: code, password, address: '192.0.2.1' });
    const device = newDevice();
    const request = (path: string, init: RequestInit = {}): Promise<Response> =>
      fetch(app.url + path, {
        ...init,
        headers: { cookie: `feierbild_host=${token}`, 'device-id': device, 'sec-fetch-site': 'same-origin', ...init.headers },
      });
    const photos = async (path: string): Promise<Photo[]> => ((await (await request(path)).json()) as { photos: Photo[] }).photos;
    return {
      device,
      request,
      gallery: () => photos(`/api/events/${code}/photos`),
      slideshow: () => photos(`/api/events/${code}/slideshow`),
      upload: async () => app.upload(code, await drawPhoto(), { device }),
    };
  }

  it('shows the samples as guests would have brought them, to everybody with the public password', async () => {
    const photos = await (await visitor()).gallery();
    expect(photos.map(({ filename, device }) => [filename, device.name])).toEqual([
      ['IMG_0.jpg', 'Anna'],
      ['IMG_1.jpg', 'Jörg'],
      ['IMG_2.jpg', 'Anna'],
    ]);
    // The photos are of the evening before, in Berlin time.
    expect(photos.map(({ created_at }) => created_at)).toEqual([20, 21, 22].map((hour) => `2026-05-16T${hour - 2}:15:00.000Z`));
  });

  it.each(['2027-03-28', '2026-10-25'])('shows them at the hours that clocks show on %s, when these change', async (evening) => {
    clock.time = startOfBerlinDay(addDays(evening, 1)) + HOUR;
    await demo.run();
    const shownAt = (await (await visitor()).gallery()).map(({ created_at }) => berlinTime(Date.parse(created_at)));
    expect(shownAt).toEqual([20, 21, 22].map((hour) => `${evening}T${hour}:15:00`));
  });

  it('leaves no line of logins in the audit trail, however many there are', async () => {
    const one = await visitor();
    expect((await one.request(`/api/events/${shown().code}/slideshow-lock`, { method: 'POST' })).status).toBe(204);
    const other = await visitor();
    expect((await other.request('/auth/logout', { method: 'POST' })).status).toBe(204);
    const trail = await db.kysely.selectFrom('audit').selectAll().where('actor', 'in', ['host', 'projector']).execute();
    expect(trail).toEqual([]);
  });

  it('leaves out a picture that cannot be read, and shows the others', async () => {
    await writeFile(join(folder, 'text.jpg'), 'kein Bild');
    const broken = { file: 'text.jpg', name: 'text.jpg', guest: 'Tom', at: '20:30' };
    clock.time += DEMO_RESET;
    await node({ pictures: [broken, ...samples] }).run();
    expect(await (await visitor()).gallery()).toHaveLength(3);
  });

  it('shows a visitor the own photos, and nobody else’s: not in lists, not by their addresses', async () => {
    const [one, other] = [await visitor(), await visitor()];
    const { photo } = await one.upload();
    expect(await one.gallery()).toHaveLength(4);
    expect(await one.slideshow()).toHaveLength(4);
    expect(await other.gallery()).toHaveLength(3);
    expect(await other.slideshow()).toHaveLength(3);
    for (const variant of ['thumbnail', 'preview', 'download']) {
      expect([variant, (await one.request(`/api/photos/${photo.id}/${variant}`)).status]).toEqual([variant, 200]);
      expect([variant, (await other.request(`/api/photos/${photo.id}/${variant}`)).status]).toEqual([variant, 404]);
    }
    expect((await other.request(`/api/photos/${photo.id}`, { method: 'DELETE' })).status).toBe(404);
    const mark = { method: 'PUT', body: '{"value":false}', headers: { 'content-type': 'application/json' } };
    expect((await other.request(`/api/photos/${photo.id}/slideshow`, mark)).status).toBe(404);
    expect((await one.request(`/api/photos/${photo.id}/slideshow`, mark)).status).toBe(200);
    expect((await one.request(`/api/photos/${photo.id}`, { method: 'DELETE' })).status).toBe(204);
  });

  it('counts for a visitor only the photos that this visitor sees', async () => {
    const [one, other] = [await visitor(), await visitor()];
    const { code } = shown();
    const counts = async ({ request }: typeof one) => {
      const { storage, storage_stats, device_count, previews } = (await (await request(`/api/events/${code}`)).json()) as HostEvent;
      const { total_photos } = (await (await request(`/api/events/${code}/stats`)).json()) as { total_photos: number };
      return {
        photos: [storage.photos.count, total_photos],
        bytes: [storage.total * GB, storage_stats.total_size],
        previews,
        device_count,
      };
    };
    const before = await counts(other);
    const { photo } = await one.upload();
    const bytes = before.bytes.map((samples) => samples + photo.size);
    expect(before).toMatchObject({ photos: [3, 3], device_count: 2 });
    expect(await counts(other)).toEqual(before);
    const none = { coming: 0, left: 0 };
    expect(await counts(one)).toEqual({ photos: [4, 4], bytes, previews: none, device_count: 3 });
    await db.kysely.updateTable('photos').set({ state: 'announced' }).where('id', '=', photo.id).execute();
    await db.kysely.updateTable('events').set({ announced_count: 1 }).where('demo', '=', 1).execute();
    expect(await counts(other)).toMatchObject({ photos: [3, 3], previews: none });
    expect(await counts(one)).toMatchObject({ photos: [3, 3], previews: { coming: 1, left: 0 } });
  });

  it('shows the storage of a package, and takes what the demo’s own limit allows', async () => {
    const one = await visitor();
    const { code } = shown();
    const { storage_limit } = (await (await one.request(`/api/events/${code}`)).json()) as HostEvent;
    expect(storage_limit).toBe(DEMO_SHOWN_GIGABYTES);
    const remaining = async () => ((await (await one.request(`/event/${code}/max`)).json()) as { remaining_bytes: number }).remaining_bytes;
    const event = await db.kysely.selectFrom('events').select(['id', 'used_bytes']).where('code', '=', code).executeTakeFirstOrThrow();
    expect(await remaining()).toBe(DEMO_BYTES - event.used_bytes);
    await db.kysely
      .updateTable('events')
      .set({ used_bytes: DEMO_BYTES - 1000 })
      .where('id', '=', event.id)
      .execute();
    expect(await one.upload()).toMatchObject({ status: 507, code: 'storage_full' });
    expect(await remaining()).toBe(1000);
  });

  it('is called renewed only by the run that renews it', async () => {
    clock.time += DEMO_RESET;
    const lease = (expires_at: number) => db.kysely.updateTable('leases').set({ holder: 'another', expires_at }).execute();
    await lease(Date.now() + MINUTE);
    expect(await demo.refresh()).toBe(false);
    await lease(0);
    expect([await demo.refresh(), await demo.refresh()]).toEqual([true, false]);
  });

  it('keeps no switch that a visitor sets', async () => {
    const [one, other] = [await visitor(), await visitor()];
    const { code } = shown();
    const settings = async () => (await other.request(`/api/events/${code}/settings`)).json();
    const before = await settings();
    for (const name of ['nsfw_check', 'random_slideshow']) {
      const set = { method: 'PUT', body: '{"value":true}', headers: { 'content-type': 'application/json' } };
      const answer = await one.request(`/api/events/${code}/${name}`, set);
      expect([answer.status, await answer.json()]).toEqual([200, { value: true }]);
    }
    expect(await settings()).toEqual(before);
  });

  it('lets nobody change a sample or publish anything by a link', async () => {
    const guest = await visitor();
    const { photo: own } = await guest.upload();
    const [sample] = await guest.gallery();
    if (!sample) throw new Error('no sample');
    const mark = { method: 'PUT', body: '{"value":false}', headers: { 'content-type': 'application/json' } };
    const answers = [
      await guest.request(`/api/photos/${sample.id}`, { method: 'DELETE' }),
      await guest.request(`/api/photos/${sample.id}/slideshow`, mark),
      await guest.request(`/api/photos/${sample.id}/link`, { method: 'POST' }),
      await guest.request(`/api/photos/${own.id}/link`, { method: 'POST' }),
    ];
    for (const answer of answers) expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([403, 'demo_fixed']);
    expect((await guest.gallery()).filter(({ slideshow }) => slideshow)).toHaveLength(4);
  });

  it(`takes ${DEMO_PHOTOS} photos a device, also when more come at once`, async () => {
    const guest = await visitor();
    const results = await Promise.all(Array.from({ length: DEMO_PHOTOS + 3 }, () => guest.upload()));
    expect(results.filter(({ status }) => status === 201)).toHaveLength(DEMO_PHOTOS);
    expect(results.filter(({ code }) => code === 'demo_full')).toHaveLength(3);
    expect((await (await visitor()).upload()).status).toBe(201);
  });

  it('begins anew every two hours: same code and password, other keys, nothing left of what visitors did', async () => {
    const guest = await visitor();
    const { photo } = await guest.upload();
    const before = shown();
    const [{ id: old } = { id: '' }] = await db.kysely.selectFrom('events').select('id').execute();
    clock.time += DEMO_RESET - 1;
    await demo.run();
    expect(await guest.gallery()).toHaveLength(4);
    clock.time += 1;
    await demo.run();
    expect(shown()).toEqual(before);
    expect((await guest.request(`/api/events/${before.code}/photos`)).status).toBe(401);
    expect((await guest.request(`/api/photos/${photo.id}/thumbnail`)).status).toBe(404);
    expect(await (await visitor()).gallery()).toHaveLength(3);
    expect((await db.kysely.selectFrom('events').select('id').execute()).map(({ id }) => id)).not.toContain(old);
    expect((await app.leftovers()).blobs.filter((key) => key.includes(old))).toEqual([]);
  });

  it('is refreshed by the operator’s command where it is due, and never begun by it', async () => {
    const { code } = shown();
    expect(await demo.refresh()).toBe(false);
    clock.time += DEMO_RESET;
    expect(await demo.refresh()).toBe(true);
    expect([shown().code, await (await visitor()).gallery()]).toMatchObject([code, { length: 3 }]);
    await node({ on: false }).run();
    expect(await node().refresh()).toBe(false);
    expect(await app.events.demoIds()).toEqual([]);
  });

  it('is made once by two nodes that check at the same moment', async () => {
    clock.time += DEMO_RESET;
    const nodes = [node(), node()];
    await Promise.all(nodes.map((one) => one.run()));
    expect(await app.events.demoIds()).toHaveLength(1);
    expect(await (await visitor()).gallery()).toHaveLength(3);
  });

  it('is shown by a node that came while another one was making the first', async () => {
    await node({ on: false }).run();
    const life = new AbortController();
    const other = node({ ending: life.signal });
    // Leases use the database's clock, not this test's.
    await db.kysely.deleteFrom('leases').execute();
    await db.kysely
      .insertInto('leases')
      .values({ name: 'demo', holder: 'another', expires_at: Date.now() + MINUTE })
      .execute();
    other.start();
    try {
      const row = async () => db.kysely.selectFrom('demo').select('code').execute();
      await expect.poll(row).toHaveLength(1);
      expect(other.current()).toBeNull();
      await db.kysely.deleteFrom('leases').execute();
      await expect.poll(() => other.current(), { timeout: 60_000 }).not.toBeNull();
    } finally {
      life.abort();
      await other.ended();
    }
  });

  it('is made anew where the clock ran ahead and was set back', async () => {
    clock.time += 60 * 24 * 60 * MINUTE;
    await demo.run();
    clock.time -= 60 * 24 * 60 * MINUTE;
    await demo.run();
    const { reset_at } = await db.kysely.selectFrom('demo').select('reset_at').executeTakeFirstOrThrow();
    expect(reset_at).toBe(clock.time);
  });

  it('goes on as it was while a reset fails, and clears what that left', async () => {
    clock.time += DEMO_RESET;
    const broken = [...samples.slice(0, 2), { file: 'fehlt.jpg', name: 'x.jpg', guest: 'Anna', at: '23:00' }];
    await expect(node({ pictures: broken }).run()).rejects.toThrow('ENOENT');
    expect(await (await visitor()).gallery()).toHaveLength(3);
    expect(await app.events.demoIds()).toHaveLength(2);
    await demo.run();
    expect(await app.events.demoIds()).toHaveLength(1);
    expect(await (await visitor()).gallery()).toHaveLength(3);
  });

  it('is no event of the administration, and goes when it is switched off', async () => {
    expect(await db.kysely.selectFrom('events').select('id').where('demo', '=', 0).execute()).toEqual([]);
    const off = node({ on: false });
    await off.run();
    expect(off.current()).toBeNull();
    expect(await db.kysely.selectFrom('events').select('id').execute()).toEqual([]);
    // A blob whose preview was being made is removed once its row is missed.
    await expect.poll(async () => (await app.leftovers()).blobs).toEqual([]);
  });
});
