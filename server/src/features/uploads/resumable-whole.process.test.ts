import { request } from 'node:http';
import { UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import type { EventRow } from '../../database/rows.ts';
import { Unavailable } from '../../lib/errors.ts';
import { newDevice, openApp, type TestApp } from '../testing.ts';
import { BYTES, heldAnswer, photoOf, tusClient } from './testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('an upload that has arrived whole and is not yet a photo, on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let device: string;
  let now: number;
  /** Whether the store fails for originals. */
  let down: boolean;

  async function open(plugin?: ReturnType<typeof heldAnswer>['plugin']): Promise<void> {
    const db = await engine.open();
    app = await openApp({
      db: plugin ? { ...db, kysely: db.kysely.withPlugin(plugin) } : db,
      decoder,
      clock: { now: () => now },
      wrapStore: (store) => ({
        ...store,
        adopt: (key, path) => (down && key.endsWith('.original') ? Promise.reject(new Unavailable('store', null)) : store.adopt(key, path)),
      }),
    });
    event = await app.event();
    device = newDevice();
  }
  beforeEach(async () => {
    now = Date.now();
    await open();
  });
  afterEach(() => app.close());

  const tus = tusClient(() => ({ app, code: event.code, device }));
  const change = (changes: Partial<EventRow>) => app.db.kysely.updateTable('events').set(changes).where('id', '=', event.id).execute();

  /** Makes a whole upload without a photo; returns a function that asks to make the photo. */
  async function wholeUpload(): Promise<() => ReturnType<typeof tus.append>> {
    const photo = await photoOf(300_000);
    const path = (await tus.create(photo.length)).headers.location as string;
    down = true;
    expect((await tus.append(path, 0, photo)).status).toBe(503);
    down = false;
    return () => tus.append(path, photo.length, Buffer.alloc(0));
  }

  it.each([
    ['that was switched off', { is_active: 0, end_date: '2000-01-01' }, 403, 'event_inactive'],
    ['whose guests may no longer upload', { with_user_upload: 0 }, 403, 'upload_disabled'],
    ['whose key somebody may have replaced', { tampered_at: 1 }, 503, 'unavailable'],
  ] as const)('becomes none of an event %s', async (_what, changes, status, code) => {
    const complete = await wholeUpload();
    await change(changes);
    expect(await complete()).toMatchObject({ status, body: expect.stringContaining(code) });
    expect(await app.row(event.id)).toMatchObject({ photo_count: 0 });
    expect((await app.leftovers()).blobs.filter((key) => !key.includes('/uploads/'))).toEqual([]);

    // The upload waits until the event takes photos again; afterwards its answer is repeated even if the event does not any more.
    await change({ is_active: 1, with_user_upload: 1, tampered_at: null });
    const stored = await complete();
    expect(stored.status).toBe(201);
    await change(changes);
    expect(await complete()).toMatchObject({ status: 200, body: stored.body });
  });

  it('is answered as the photo that another request has just made of it, though the event has ended by then', async () => {
    await app.close();
    let watched = false;
    const found = heldAnswer(({ key_hash }) => watched && key_hash !== undefined);
    await open(found.plugin);
    const complete = await wholeUpload();
    watched = true;
    const late = complete();
    await found.taken;
    const stored = await complete();
    expect(stored.status).toBe(201);
    await change({ is_active: 0, end_date: '2000-01-01' });
    found.answer();
    expect(await late).toMatchObject({ status: 200, body: stored.body });
  });
});

describe.each(all)('a note of which photo an upload became, on $name', (engine) => {
  let app: TestApp;
  afterEach(() => app.close());

  it('stays where the upload became it while expired ones were being looked for', async () => {
    let [now, watched] = [Date.now(), false];
    const found = heldAnswer((row) => watched && String(Object.keys(row)) === 'id');
    const db = await engine.open();
    app = await openApp({ db: { ...db, kysely: db.kysely.withPlugin(found.plugin) }, decoder, clock: { now: () => now } });
    const [{ code }, device] = [await app.event(), newDevice()];
    const tus = tusClient(() => ({ app, code, device }));
    const photo = await photoOf(300_000);
    const path = (await tus.create(photo.length)).headers.location as string;
    const { version } = (await tus.row())!;
    now += UPLOAD_KEPT - 1;
    const sending = request(`${app.url}${path}`, {
      method: 'PATCH',
      headers: { 'tus-resumable': '1.0.0', 'device-id': device, 'upload-offset': '0', 'content-length': photo.length, ...BYTES },
    });
    const status = new Promise((resolve) => sending.once('response', (response) => resolve(response.statusCode)));
    sending.write(photo.subarray(0, 100_000));
    await expect.poll(async () => (await tus.row())?.version).toBe(version + 1);
    // The sender took a day for its first part.
    now += UPLOAD_KEPT;
    watched = true;
    const ending = app.uploads.resumable.endExpired();
    await found.taken;
    sending.end(photo.subarray(100_000));
    expect(await status).toBe(201);
    found.answer();
    await ending;
    expect(await tus.append(path, photo.length, Buffer.alloc(0))).toMatchObject({ status: 200 });
  });

  it('that cannot be made because the photo was deleted meanwhile is asked for again, and no error of the server', async () => {
    let deleting = async (): Promise<unknown> => undefined;
    const db = await engine.open();
    const batch: typeof db.batch = async (statements, ...more) => {
      if (statements.some((statement) => /update "uploads"/.test(statement.compile().sql))) await deleting();
      return db.batch(statements, ...more);
    };
    app = await openApp({ db: { ...db, batch }, decoder });
    const [{ code }, device, photo] = [await app.event(), newDevice(), await photoOf(300_000)];
    const stored = await app.upload(code, photo, { device });
    const tus = tusClient(() => ({ app, code, device }));
    deleting = async () => {
      deleting = async () => undefined;
      return tus.ask('DELETE', `/api/photos/${stored.photo.id}`);
    };
    const path = (await tus.create(photo.length)).headers.location as string;
    expect(await tus.append(path, 0, photo)).toMatchObject({ status: 503, body: expect.stringContaining('unavailable') });
    expect((await tus.append(path, photo.length - 1, photo.subarray(-1))).status).toBe(201);
    expect((await app.leftovers()).blobs.filter((name) => name.includes('uploads'))).toEqual([]);
  });
});
