import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { drawPhoto, newDevice, openApp, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { drawShape, newKey, previewOf, tusClient } from './testing.ts';

const all = enginesForRules();
const decoder = useDecoder(all);
const PASSWORD = 'Blitzlicht';

/** Passwords by kind. */
type Passwords = Partial<Record<'upload' | 'fotobox', string>>;

describe.each(all)('an upload whose sender may no longer send, on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let photo: Buffer;
  const device = newDevice();
  /** Tells whether a request was admitted and is being read. */
  let isRead: () => Promise<boolean>;
  beforeEach(async () => {
    isRead = async () => (await app.leftovers()).staged.length === 1;
    app = await openApp({ db: await engine.open(), decoder });
    event = await app.event({ with_fotobox: 1, with_user_upload: 1 }, { fotobox: PASSWORD });
    photo = await drawPhoto({ width: 800, height: 600 });
  });
  afterEach(() => app.close());

  const { create, append, ask, metadata } = tusClient(() => ({ app, code: event.code, device }));
  /** Changes the event as an administrator does. */
  async function change(columns: { with_fotobox?: 0; with_user_upload?: 0; with_upload_password?: 1 }, passwords: Passwords = {}) {
    for (const [kind, password] of Object.entries(passwords)) {
      const row = { event_id: event.id, kind, verifier: await app.vault.createVerifier(password), sealed: Buffer.alloc(0) };
      const set = app.db.kysely.insertInto('event_passwords').values(row);
      await set.onConflict((conflict) => conflict.columns(['event_id', 'kind']).doUpdateSet({ verifier: row.verifier })).execute();
    }
    const changed = app.db.kysely.updateTable('events').set((row) => ({ ...columns, version: row('version', '+', 1) }));
    await changed.where('id', '=', event.id).execute();
  }
  const form = (): { headers: Record<string, string>; body: Buffer } => {
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n';
    const body = Buffer.concat([Buffer.from(head), photo, Buffer.from('\r\n--b--\r\n')]);
    return { headers: { 'device-id': device, 'event-code': event.code, 'content-type': 'multipart/form-data; boundary=b' }, body };
  };

  /** Changes something while the body of a request is on its way; returns the status of the answer. */
  async function sent(method: string, path: string, headers: Record<string, string>, body: Buffer, ...changes: Parameters<typeof change>) {
    const sending = request(`${app.url}${path}`, { method, headers: { ...headers, 'content-length': String(body.length) } });
    const status = new Promise((resolve, reject) => {
      sending.once('response', (response) => resolve(response.resume().statusCode)).once('error', reject);
    });
    sending.write(body.subarray(0, body.length / 2));
    await expect.poll(isRead).toBe(true);
    await change(...changes);
    sending.end(body.subarray(body.length / 2));
    return status;
  }

  it.each<[string, Record<string, string>, ...Parameters<typeof change>]>([
    ['the form of a Fotobox that is switched off', { 'event-password': PASSWORD }, { with_fotobox: 0 }],
    ['the form of a guest who is switched off', {}, { with_user_upload: 0 }],
    ['the form of a Fotobox whose password is another', { 'event-password': PASSWORD }, {}, { fotobox: 'neu' }],
    ['the form of a guest from whom a password is wanted now', {}, { with_upload_password: 1 }, { upload: 'neu' }],
  ])('is refused at its end: %s', async (_, password, ...changes) => {
    const { headers, body } = form();
    expect(await sent('POST', '/upload', { ...headers, ...password }, body, ...changes)).toBe(403);
    expect(await app.row(event.id)).toMatchObject({ photo_count: 0, used_bytes: 0 });
    expect(await app.leftovers()).toEqual({ staged: [], blobs: [] });
  });

  it.each<[string, ...Parameters<typeof change>]>([
    ['is switched off', { with_fotobox: 0 }],
    ['has another password', {}, { fotobox: 'neu' }],
  ])('is refused at its end: a file in the folder of a Fotobox that %s', async (_, ...changes) => {
    const authorization = `Basic ${Buffer.from(`${event.code}:${PASSWORD}`).toString('base64')}`;
    expect(await sent('PUT', `/dav/${event.code}/1.jpg`, { authorization }, photo, ...changes)).toBe(403);
    expect((await app.row(event.id)).photo_count).toBe(0);
  });

  it.each<[string, ...Parameters<typeof change>]>([
    ['is switched off', { with_fotobox: 0 }],
    ['has another password', {}, { fotobox: 'neu' }],
  ])('is not shown by its preview: that of a Fotobox that %s', async (_, ...changes) => {
    const about = { 'upload-length': String(photo.length), 'upload-metadata': metadata(), 'content-type': 'image/jpeg' };
    const headers = { ...about, 'device-id': device, 'tus-resumable': '1.0.0', 'event-password': PASSWORD };
    isRead = async () => (await app.row(event.id)).booth_seen_at !== null;
    expect(await sent('PUT', `/uploads/${newKey()}/preview`, headers, await previewOf(await drawShape(3)), ...changes)).toBe(403);
    expect(await app.row(event.id)).toMatchObject({ announced_count: 0 });
  });

  it('is refused at its end: the form of a guest with a former password, also on a card', async () => {
    await change({ with_upload_password: 1 }, { upload: 'Gästebuch' });
    const { link_password = '' } = await app.events.guests.linkPassword(event.id, 'Gästebuch');
    for (const password of ['Gästebuch', link_password]) {
      await change({}, { upload: 'Gästebuch' });
      const { headers, body } = form();
      const given = { ...headers, 'event-password': encodeURIComponent(password) };
      expect(await sent('POST', '/upload', given, body, {}, { upload: 'neu' })).toBe(403);
    }
    expect((await app.row(event.id)).photo_count).toBe(0);
  });

  it('is stored where something else was changed', async () => {
    const { headers, body } = form();
    const others = [{ with_user_upload: 0, with_upload_password: 1 }, { upload: 'neu' }] as const;
    expect(await sent('POST', '/upload', { ...headers, 'event-password': PASSWORD }, body, ...others)).toBe(201);
    photo = await drawPhoto({ width: 800, height: 600 });
    await app.db.kysely.updateTable('events').set({ with_user_upload: 1, with_upload_password: 0 }).where('id', '=', event.id).execute();
    const guests = form();
    expect(await sent('POST', '/upload', guests.headers, guests.body, { with_fotobox: 0 })).toBe(201);
  });

  it('is refused at its next request, and goes on where that is taken back: by tus', async () => {
    const { headers } = await create(photo.length, { 'event-password': PASSWORD });
    const path = String(headers.location);
    expect((await append(path, 0, photo.subarray(0, 300_000))).status).toBe(204);
    await change({ with_fotobox: 0 });
    expect(await append(path, 300_000, photo.subarray(300_000))).toMatchObject({
      status: 403,
      body: expect.stringContaining('upload_disabled'),
    });
    await app.db.kysely.updateTable('events').set({ with_fotobox: 1 }).where('id', '=', event.id).execute();
    const offset = Number((await ask('HEAD', path)).headers['upload-offset']);
    expect((await append(path, offset, photo.subarray(offset))).status).toBe(201);
  });
});
