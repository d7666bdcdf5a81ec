import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { drawPhoto, newDevice, openApp, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { tusClient } from './testing.ts';

const all = enginesForRules();
const decoder = useDecoder(all);
const PASSWORD = 'Blitzlicht';

describe.each(all)('an upload whose sender may no longer send, on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let photo: Buffer;
  const device = newDevice();
  beforeEach(async () => {
    app = await openApp({ db: await engine.open(), decoder });
    event = await app.event({ with_fotobox: 1, with_user_upload: 1 }, { fotobox: PASSWORD });
    photo = await drawPhoto({ width: 800, height: 600 });
  });
  afterEach(() => app.close());

  const { create, append, ask } = tusClient(() => ({ app, code: event.code, device }));
  const switchOff = (changes: { with_fotobox?: 0; with_user_upload?: 0 }) =>
    app.db.kysely
      .updateTable('events')
      .set((row) => ({ ...changes, version: row('version', '+', 1) }))
      .where('id', '=', event.id)
      .execute();
  const form = (): { headers: Record<string, string>; body: Buffer } => {
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n';
    const body = Buffer.concat([Buffer.from(head), photo, Buffer.from('\r\n--b--\r\n')]);
    return { headers: { 'device-id': device, 'event-code': event.code, 'content-type': 'multipart/form-data; boundary=b' }, body };
  };

  /** The status of a request during whose body something is switched off. */
  async function sent(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: Buffer,
    changes: Parameters<typeof switchOff>[0],
  ) {
    const sending = request(`${app.url}${path}`, { method, headers: { ...headers, 'content-length': String(body.length) } });
    const status = new Promise((resolve, reject) => {
      sending.once('response', (response) => resolve(response.resume().statusCode)).once('error', reject);
    });
    sending.write(body.subarray(0, body.length / 2));
    await expect.poll(async () => (await app.leftovers()).staged.length).toBe(1);
    await switchOff(changes);
    sending.end(body.subarray(body.length / 2));
    return status;
  }

  it.each([
    ['the form of a Fotobox', { 'event-password': PASSWORD }, { with_fotobox: 0 }],
    ['the form of a guest', {}, { with_user_upload: 0 }],
  ] as const)('is refused at its end: %s', async (_, password, changes) => {
    const { headers, body } = form();
    expect(await sent('POST', '/upload', { ...headers, ...password }, body, changes)).toBe(403);
    expect(await app.row(event.id)).toMatchObject({ photo_count: 0, used_bytes: 0 });
    expect(await app.leftovers()).toEqual({ staged: [], blobs: [] });
  });

  it('is refused at its end: a file in the folder of a Fotobox', async () => {
    const authorization = `Basic ${Buffer.from(`${event.code}:${PASSWORD}`).toString('base64')}`;
    expect(await sent('PUT', `/dav/${event.code}/1.jpg`, { authorization }, photo, { with_fotobox: 0 })).toBe(403);
    expect((await app.row(event.id)).photo_count).toBe(0);
  });

  it('is stored where something else was switched off', async () => {
    const { headers, body } = form();
    expect(await sent('POST', '/upload', { ...headers, 'event-password': PASSWORD }, body, { with_user_upload: 0 })).toBe(201);
    photo = await drawPhoto({ width: 800, height: 600 });
    await app.db.kysely.updateTable('events').set({ with_user_upload: 1 }).where('id', '=', event.id).execute();
    const guests = form();
    expect(await sent('POST', '/upload', guests.headers, guests.body, { with_fotobox: 0 })).toBe(201);
  });

  it('is refused at its next request, and goes on where that is taken back: by tus', async () => {
    const { headers } = await create(photo.length, { 'event-password': PASSWORD });
    const path = String(headers.location);
    expect((await append(path, 0, photo.subarray(0, 300_000))).status).toBe(204);
    await switchOff({ with_fotobox: 0 });
    expect(await append(path, 300_000, photo.subarray(300_000))).toMatchObject({
      status: 403,
      body: expect.stringContaining('upload_disabled'),
    });
    await app.db.kysely.updateTable('events').set({ with_fotobox: 1 }).where('id', '=', event.id).execute();
    const offset = Number((await ask('HEAD', path)).headers['upload-offset']);
    expect((await append(path, offset, photo.subarray(offset))).status).toBe(201);
  });
});
