import { HOUR } from '@feierbild/contract/constants.ts';
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { Photo } from '@feierbild/contract/entities.ts';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { single } from '../../lib/stages.ts';
import { photoBlob } from '../../storage/blob-store.ts';
import { createJanitor } from '../integrity/janitor.ts';
import { newDevice, openApp, type TestApp } from '../testing.ts';
import { holdableDecoder } from '../testing/holdable-decoder.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { drawShape, heldAnswer, newKey, previewOf, sha256, tusClient } from './testing.ts';

const all = enginesForRules();
const { decoder, hold: holdBackground, waiting } = holdableDecoder(useDecoder(all));

describe.each(all)('a photo whose preview comes first, on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let device: string;
  let photo: Buffer;
  let key: string;
  const ended: TestApp[] = [];

  beforeEach(async () => {
    app = await openApp({ db: await engine.open(), decoder });
    event = await app.event();
    device = newDevice();
    photo = await drawShape(3);
    key = newKey();
  });
  afterEach(async () => {
    await app.close();
    for (const process of ended.splice(0)) await process.close();
  });
  /** Ends the process, whose memory is lost with its keys; another one goes on with the stored rest. */
  async function goOn(): Promise<void> {
    ended.push(app);
    await app.photos.previews.close();
    await app.db.kysely
      .updateTable('photos')
      .set({ created_at: Date.now() - 120_000 })
      .execute();
    const { blobs } = app;
    app = await openApp({ db: app.db, decoder, wrapStore: () => blobs });
  }

  const client = tusClient(() => ({ app, code: event.code, device }));
  const { ask, append, metadata, download, breakOff, staging, offsetOf, row: upload } = client;
  const announce = (picture: Uint8Array, length = photo.length, headers?: Record<string, string>) =>
    client.announce(key, picture, length, headers);
  const asHost = async <T = { photos: Photo[]; total: number }>(path: string, method = 'GET', body?: object): Promise<T> => {
    const response = await app.call(method, path, { cookie: event.cookie }, body);
    return (response.status === 204 ? undefined : await response.json()) as T;
  };
  const gallery = () => asHost(`/api/events/${event.code}/photos?after=0`);
  const look = (id: string) => fetch(`${app.url}/api/photos/${id}/thumbnail`, { headers: { cookie: event.cookie } });
  const row = (id: string) => app.db.kysely.selectFrom('photos').selectAll().where('id', '=', id).executeTakeFirst();
  const settled = (id: string) => expect.poll(async () => (await row(id))?.state);
  const madeZip = async (previews: boolean): Promise<Buffer> => {
    await asHost(`/api/events/${event.code}/create-zip`, 'POST', { previews });
    await expect.poll(async () => (await asHost<{ status: string }>(`/api/events/${event.code}/zip-progress`)).status).toBe('complete');
    const response = await fetch(`${app.url}/api/events/${event.code}/download`, { headers: { cookie: event.cookie } });
    return Buffer.from(await response.arrayBuffer());
  };

  it('is shown at once, and counts with its original, which is what is downloaded then', async () => {
    const announced = await announce(await previewOf(photo));
    expect(announced).toMatchObject({ status: 201, headers: { location: `/uploads/${key}`, 'upload-offset': '0' } });
    const { id } = announced.json.photo;
    expect(announced.json.photo).toMatchObject({
      state: 'announced',
      width: 1600,
      height: 1200,
      size: photo.length,
      filename: 'Größe.jpg',
    });
    expect(await gallery()).toMatchObject({ total: 1, photos: [{ id, state: 'announced', device: { name: 'Jörg' } }] });
    expect(await asHost(`/api/events/${event.code}/slideshow`)).toMatchObject({ photos: [{ id }] });
    expect(await app.row(event.id)).toMatchObject({ used_bytes: 0, photo_count: 0, announced_count: 1, device_count: 1 });
    const early = await fetch(`${app.url}/api/photos/${id}/download`, { headers: { cookie: event.cookie } });
    expect(early.headers.get('content-disposition')).toContain('Vorschau');
    expect(await sharp(Buffer.from(await early.arrayBuffer())).metadata()).toMatchObject({ format: 'jpeg', width: 1600 });

    const sent = await append(`/uploads/${key}`, 0, photo);
    expect(sent).toMatchObject({ status: 201, headers: { 'repr-digest': `sha-256=:${sha256(photo).toString('base64')}:` } });
    expect((JSON.parse(sent.body) as { photo: Photo }).photo).toMatchObject({ id, state: 'received', width: 2400, height: 1800 });
    await settled(id).toBe('stored');
    expect(await row(id)).toMatchObject({ drawn_by: 'phone' });
    expect(await gallery()).toMatchObject({ total: 1, photos: [{ id, state: 'stored', width: 2400 }] });
    expect(await app.row(event.id)).toMatchObject({ used_bytes: photo.length, photo_count: 1, announced_count: 0 });
    expect(sha256(await download(id))).toEqual(sha256(photo));
    const { findings } = await app.integrity.check();
    expect(findings).toEqual([]);
    expect((await app.integrity.openAll(event.id, event.privateKey)).findings).toEqual([]);
  });

  it('is announced once, however often its preview is sent, and again after its upload was ended', async () => {
    const picture = await previewOf(photo);
    const [one, other] = await Promise.all([announce(picture), announce(picture)]);
    const { id } = one.json.photo;
    expect(other.json.photo.id).toBe(id);
    expect([one.status, other.status].toSorted()).toEqual([200, 201]);
    expect(await app.row(event.id)).toMatchObject({ announced_count: 1 });
    expect((await app.leftovers()).blobs).toHaveLength(2);
    // The upload ends: others needed its budget, or a day has passed.
    await app.uploads.resumable.end({ id });
    expect(await row(id)).toMatchObject({ state: 'announced' });
    expect(await asHost(`/api/events/${event.code}`)).toMatchObject({ previews: { coming: 0, left: 1 } });
    const about = { 'upload-length': String(photo.length), 'upload-metadata': metadata(), 'upload-key': key };
    const sent = await ask('POST', '/uploads', { ...about, 'content-type': 'application/offset+octet-stream' }, photo);
    expect((JSON.parse(sent.body) as { photo: Photo }).photo).toMatchObject({ id, state: 'received' });
    expect(await app.row(event.id)).toMatchObject({ announced_count: 0, photo_count: 1 });
  });

  it('is not taken for another file’s that had its key', async () => {
    const { id } = (await announce(await previewOf(photo))).json.photo;
    await append(`/uploads/${key}`, 0, photo);
    const forget = () => app.db.kysely.deleteFrom('uploads').where('id', '=', id).execute();
    await forget();
    const longer = await announce(await previewOf(photo), photo.length + 1);
    expect(longer).toMatchObject({ status: 409, json: { code: 'upload_key_taken' } });
    await forget();
    const other = Buffer.concat([photo.subarray(0, -1), Buffer.of(7)]);
    expect((await announce(await previewOf(photo))).status).toBe(200);
    expect(await append(`/uploads/${key}`, 0, other)).toMatchObject({ status: 409, body: expect.stringContaining('upload_key_taken') });
    expect(sha256(await download(id))).toEqual(sha256(photo));
  });

  it('makes place for the server’s own pictures where it shows another one, or one of other sides', async () => {
    const wide = await sharp(photo).resize(1600, 900, { fit: 'fill' }).jpeg().toBuffer();
    for (const forged of [await previewOf(await drawShape(5)), wide]) {
      key = newKey();
      photo = await drawShape(forged === wide ? 7 : 11);
      const { id } = (await announce(forged)).json.photo;
      await append(`/uploads/${key}`, 0, photo);
      await settled(id).toBe('stored');
      expect(await row(id)).toMatchObject({ drawn_by: 'replaced' });
      const mine = (await gallery()).photos.find((one) => one.id === id) as Photo;
      expect(mine).toMatchObject({ replaced: true, thumbnail_url: `/api/photos/${id}/thumbnail?replaced` });
      const response = await fetch(`${app.url}${mine.preview_url}`, { headers: { cookie: event.cookie } });
      const shown = Buffer.from(await response.arrayBuffer());
      const { difference } = await decoder.probe(() => single(shown), shown.length, { owner: event.id, likeness: photo });
      expect(difference).toBeLessThan(3);
    }
    const trail = await Array.fromAsync(app.audit.list({ eventCode: event.code }));
    expect(trail.map(({ actor, action }) => [actor, action])).toEqual([
      ['system', 'preview.replaced'],
      ['system', 'preview.replaced'],
    ]);
    expect((await app.integrity.check()).findings).toEqual([]);
  });

  it.each([
    ['HTML', () => Buffer.from('<html><script>alert(1)</script></html>'.repeat(2000))],
    ['a JPEG of noise behind its header', async () => Buffer.concat([(await drawShape(2)).subarray(0, 700), Buffer.alloc(90_000, 7)])],
  ])('keeps its preview where its original is %s, which leaves by no ZIP and no link, and the ZIP has its preview', async (_what, make) => {
    const file = await make();
    const { id } = (await announce(await previewOf(photo), file.length)).json.photo;
    expect(await append(`/uploads/${key}`, 0, file)).toMatchObject({ status: 201 });
    await settled(id).toBe('unreadable');
    expect((await gallery()).photos).toMatchObject([{ id, state: 'unreadable' }]);
    expect(await app.row(event.id)).toMatchObject({ used_bytes: file.length, photo_count: 1, announced_count: 0 });
    expect(await asHost(`/api/photos/${id}/link`, 'POST')).toMatchObject({ code: 'original_missing' });
    expect((await asHost<{ unreadable: number }>(`/api/events/${event.code}/zip-progress`)).unreadable).toBe(1);
    const zip = await madeZip(false);
    expect(zip.toString('latin1')).toContain('/nur-vorschau/');
    expect(zip.includes(file.subarray(-80_000, -40_000))).toBe(false);
    expect((await app.integrity.check()).findings).toEqual([]);
  });

  it.each([
    [
      'no JPEG',
      async () =>
        sharp(await drawShape(1))
          .resize(800)
          .png()
          .toBuffer(),
    ],
    [
      'an animation',
      async () =>
        sharp(await drawShape(1))
          .resize(300)
          .gif()
          .toBuffer(),
    ],
    [
      'larger than a phone draws it',
      async () =>
        sharp(await drawShape(1))
          .jpeg({ quality: 30 })
          .toBuffer(),
    ],
    ['HTML', async () => Buffer.from('<html></html>')],
    ['a JPEG’s beginning alone', async () => Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])],
    ['more than 400 KB', async () => Buffer.concat([await previewOf(photo), Buffer.alloc(400_000)])],
  ])('is not shown by a preview that is %s, and can be sent without', async (_what, make) => {
    const refused = await announce(await make());
    expect([413, 415]).toContain(refused.status);
    expect(await app.db.kysely.selectFrom('uploads').selectAll().execute()).toEqual([]);
    expect(await app.leftovers()).toEqual({ staged: [], blobs: [] });
    expect((await app.upload(event.code, photo, { device })).photo).toMatchObject({ state: 'stored' });
  });

  it('is announced by nothing that calls itself otherwise than a JPEG', async () => {
    const refused = await announce(await previewOf(photo), photo.length, { 'content-type': 'application/offset+octet-stream' });
    expect(refused).toMatchObject({ status: 415, json: { code: 'upload_body_type' } });
  });

  it.each([
    ['', async () => undefined],
    [', days later', async () => void (await app.db.kysely.updateTable('uploads').set({ expires_at: 1 }).execute())],
    [', also where its upload had ended before', async () => app.uploads.resumable.end((await upload())!)],
  ])('does not come back with its original once it was deleted%s', async (when, pass) => {
    const { id } = (await announce(await previewOf(photo))).json.photo;
    await append(`/uploads/${key}`, 0, photo.subarray(0, 100_000));
    if (when.includes('before')) await pass();
    await asHost(`/api/photos/${id}`, 'DELETE');
    expect((await app.leftovers()).blobs).toEqual([]);
    if (!when.includes('before')) await pass();
    await app.uploads.resumable.endExpired();
    expect(await app.uploads.resumable.list()).toEqual([]);
    expect(await append(`/uploads/${key}`, 100_000, photo.subarray(100_000))).toMatchObject({ status: 410 });
    expect((await announce(await previewOf(photo))).json).toMatchObject({ code: 'photo_removed' });
    const about = { 'upload-length': String(photo.length), 'upload-metadata': metadata(), 'upload-key': key };
    const bytes = { 'content-type': 'application/offset+octet-stream' };
    expect(await ask('POST', '/uploads', { ...about, ...bytes }, photo)).toMatchObject({ status: 410 });
    expect(await ask('HEAD', `/uploads/${key}`)).toMatchObject({ status: 410 });
    expect(await gallery()).toMatchObject({ total: 0, photos: [] });
    expect(await app.row(event.id)).toMatchObject({ used_bytes: 0, photo_count: 0, announced_count: 0 });
    await app.events.purgeRows(event.id);
    expect(await upload()).toBeUndefined();
  });

  // SQLite runs one transaction after the other.
  it.runIf(engine.name === 'postgres')('does not come back where it is deleted as its original begins to come', async () => {
    const { id } = (await announce(await previewOf(photo))).json.photo;
    const held = heldAnswer((found) => String(Object.keys(found)) === 'version');
    const [{ db, blobs }, before] = [app, app];
    app = await openApp({ db: { ...db, kysely: db.kysely.withPlugin(held.plugin) }, decoder, wrapStore: () => blobs });
    const sending = append(`/uploads/${key}`, 0, photo);
    await held.taken;
    await before.photos.remove({ row: (await before.photos.byId(id))! });
    held.answer();
    expect(await sending).toMatchObject({ status: 410 });
    expect(await gallery()).toMatchObject({ total: 0, photos: [] });
    ended.push(before);
  });

  it('is stored without parts where its original comes whole, and goes on from what came where that breaks off', async () => {
    await announce(await previewOf(photo));
    const { version } = (await upload())!;
    expect(await append(`/uploads/${key}`, 0, photo)).toMatchObject({ status: 201 });
    // Each part raises the version.
    expect(await upload()).toMatchObject({ version: version + 1 });
    // The answer was lost.
    expect(await offsetOf(`/uploads/${key}`)).toBe(photo.length);
    expect(await append(`/uploads/${key}`, photo.length, new Uint8Array())).toMatchObject({ status: 200 });

    const other = Buffer.concat([photo, randomBytes(200_000)]);
    key = newKey();
    await announce(await previewOf(photo), other.length);
    const headers = { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
    const about = { ...headers, 'content-length': String(other.length) };
    await breakOff('PATCH', `/uploads/${key}`, about, other.subarray(0, 150_000), staging);
    const offset = await offsetOf(`/uploads/${key}`);
    expect(offset).toBe(150_000);
    const rest = await append(`/uploads/${key}`, offset, other.subarray(offset));
    expect(rest).toMatchObject({ status: 201, headers: { 'repr-digest': `sha-256=:${sha256(other).toString('base64')}:` } });
    expect((await app.leftovers()).staged).toEqual([]);
  });

  it('goes with its upload where its sender ends that', async () => {
    await announce(await previewOf(photo));
    expect(await ask('DELETE', `/uploads/${key}`)).toMatchObject({ status: 204 });
    expect(await gallery()).toMatchObject({ total: 0 });
    expect(await app.leftovers()).toEqual({ staged: [], blobs: [] });
  });

  it.each([
    ['expired', () => app.db.kysely.updateTable('uploads').set({ expires_at: 0 }).execute()],
    ['been ended', async () => app.uploads.resumable.end((await upload())!)],
  ])('goes where its sender ends an upload that has %s before', async (_, end) => {
    await announce(await previewOf(photo));
    await end();
    expect(await ask('DELETE', `/uploads/${key}`)).toMatchObject({ status: 204 });
    expect(await gallery()).toMatchObject({ total: 0 });
    expect(await ask('DELETE', `/uploads/${key}`)).toMatchObject({ status: 410 });
  });

  it('is the same photo that came before by another way', async () => {
    const first = (await app.upload(event.code, photo, { device })).photo;
    const { id } = (await announce(await previewOf(photo))).json.photo;
    expect(await gallery()).toMatchObject({ total: 2 });
    const sent = await append(`/uploads/${key}`, 0, photo);
    expect(JSON.parse(sent.body)).toMatchObject({ photo: { id: first.id } });
    expect(await row(id)).toBeUndefined();
    expect(await app.row(event.id)).toMatchObject({ used_bytes: photo.length, photo_count: 1, announced_count: 0 });
    expect((await app.integrity.check()).findings).toEqual([]);
  });

  it('waits for room where the event is full, and is shown meanwhile', async () => {
    await app.db.kysely.updateTable('events').set({ storage_limit: photo.length }).where('id', '=', event.id).execute();
    const { id } = (await announce(await previewOf(photo))).json.photo;
    await app.upload(event.code, await drawShape(9, 800, 600), { device: newDevice() });
    expect(await append(`/uploads/${key}`, 0, photo)).toMatchObject({ status: 507 });
    expect(await row(id)).toMatchObject({ state: 'announced' });
    await app.db.kysely.updateTable('events').set({ storage_limit: null }).where('id', '=', event.id).execute();
    expect(await append(`/uploads/${key}`, photo.length - 1, photo.subarray(-1))).toMatchObject({ status: 201 });
    await settled(id).toBe('stored');
  });

  it('is in the ZIP only with its original, which is verified for it; where asked for as a preview in a folder of its own', async () => {
    const hold = holdBackground();
    const { id } = (await announce(await previewOf(photo))).json.photo;
    expect(await asHost(`/api/events/${event.code}/create-zip`, 'POST', {})).toMatchObject({ code: 'archive_empty' });
    const early = await madeZip(true);
    expect(early.toString('latin1')).toContain('/nur-vorschau/');
    expect(early.length).toBeLessThan(400_000);
    await append(`/uploads/${key}`, 0, photo);
    expect(await row(id)).toMatchObject({ state: 'received' });
    const late = await madeZip(false);
    expect(late.includes(photo)).toBe(true);
    expect(late.toString('latin1')).not.toContain('nur-vorschau');
    expect(await row(id)).toMatchObject({ state: 'stored' });
    hold();
  });

  it('has another address on a wall once its original is decoded, which the wall learns of with its next question', async () => {
    const hold = holdBackground();
    const { id } = (await announce(await previewOf(photo))).json.photo;
    await append(`/uploads/${key}`, 0, photo);
    type Shown = { seq: number; photos: Photo[] };
    const before = await asHost<Shown>(`/api/events/${event.code}/slideshow?after=0`);
    expect(before.photos).toMatchObject([{ id, state: 'received', preview_url: `/api/photos/${id}/preview` }]);
    hold();
    await settled(id).toBe('stored');
    const after = await asHost<Shown>(`/api/events/${event.code}/slideshow?seq=${before.seq}`);
    expect(after.photos).toMatchObject([{ id, state: 'stored', preview_url: `/api/photos/${id}/preview?drawn` }]);
  });

  it('stays in a ZIP that has it while that is downloaded, also where a wide screen has asked for a larger one', async () => {
    const { id } = (await announce(await previewOf(photo))).json.photo;
    await asHost(`/api/events/${event.code}/create-zip`, 'POST', { previews: true });
    await expect.poll(async () => (await asHost<{ status: string }>(`/api/events/${event.code}/zip-progress`)).status).toBe('complete');
    const zip = async () => {
      const response = await fetch(`${app.url}/api/events/${event.code}/download`, { headers: { cookie: event.cookie } });
      return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
    };
    const before = await zip();
    const drawn = (await row(id))!.preview_attempt;
    await append(`/uploads/${key}`, 0, photo);
    await settled(id).toBe('stored');
    await fetch(`${app.url}/api/photos/${id}/preview?wide`, { headers: { cookie: event.cookie } });
    expect((await row(id))!.preview_attempt).not.toBe(drawn);
    expect(await zip()).toEqual(before);
    const sweep = (now: number) => createJanitor({ db: app.db, blobs: app.blobs, clock: { now: () => now } });
    await sweep(Date.now()).sweep({ graceMs: 0 });
    expect(await zip()).toEqual(before);
    // Hours later the ZIP has to be made again, and the answer says so before its first byte.
    await expect.poll(() => sweep(Date.now() + 7 * HOUR).removeKnown()).toBe(1);
    expect(await zip()).toMatchObject({ status: 409 });
    expect(await asHost(`/api/events/${event.code}/zip-progress`)).toMatchObject({ status: 'idle' });
  });

  it('is not taken in the hour after a database with events was migrated: nodes of the release before may run', async () => {
    const migrated = (at: number) =>
      sql`update kysely_migration set timestamp = ${new Date(at).toISOString()} where name = '0002-photo-states'`.execute(app.db.kysely);
    await app.db.kysely.updateTable('events').set({ created_at: 1 }).where('id', '=', event.id).execute();
    await migrated(Date.now() - HOUR / 2);
    expect(await announce(await previewOf(photo))).toMatchObject({ status: 415, json: { code: 'preview_refused' } });
    expect(await gallery()).toMatchObject({ total: 0 });
    await migrated(Date.now() - HOUR);
    expect((await announce(await previewOf(photo))).status).toBe(201);
  });

  it('is verified while another guest sends slowly, and at once where somebody waits for it beside other work', async () => {
    const headers = { 'device-id': newDevice(), 'event-code': event.code, 'content-type': 'multipart/form-data; boundary=x' };
    const slow = request(`${app.url}/upload`, { method: 'POST', headers });
    slow.on('error', () => undefined);
    slow.write('--x\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n');
    const send = async (): Promise<string> => {
      const { id } = (await announce(await previewOf(photo))).json.photo;
      await append(`/uploads/${key}`, 0, photo);
      return id;
    };
    await settled(await send()).toBe('stored');
    [photo, key] = [await drawShape(5), newKey()];
    const hold = holdBackground();
    const id = await send();
    // By now its verification waits behind the others' work.
    await expect.poll(waiting).toBe(1);
    expect(await row(id)).toMatchObject({ state: 'received' });
    await asHost(`/api/photos/${id}/link`, 'POST');
    expect(await row(id)).toMatchObject({ state: 'stored' });
    hold();
    slow.destroy();
  });

  it('is verified by its host’s look where the process that received it has ended', async () => {
    const hold = holdBackground();
    const { id } = (await announce(await previewOf(photo))).json.photo;
    await append(`/uploads/${key}`, 0, photo);
    await goOn();
    hold();
    await look(id);
    await settled(id).toBe('stored');
  });

  it('whose original is lost keeps nobody from the others', async () => {
    const hold = holdBackground();
    const ids: string[] = [];
    for (const seed of [3, 5]) {
      [photo, key] = [await drawShape(seed), newKey()];
      ids.push((await announce(await previewOf(photo))).json.photo.id);
      await append(`/uploads/${key}`, 0, photo);
    }
    await goOn();
    hold();
    const [lost, whole] = ids as [string, string];
    await app.blobs.remove(photoBlob(event.id, lost, 'original', (await row(lost))!.original_attempt));
    for (const id of ids) await look(id);
    await settled(whole).toBe('stored');
    expect(await row(lost)).toMatchObject({ state: 'received' });
    const select = (...photos: string[]) => asHost<{ code?: string }>(`/api/events/${event.code}/selections`, 'POST', { photos });
    expect((await select(whole)).code).toBeUndefined();
    expect((await select(lost)).code).toBeUndefined();
    const zip = (await madeZip(false)).toString();
    for (const name of ['/nur-vorschau/', '/Beschädigte Fotos.txt']) expect(zip).toContain(name);
  });

  it('goes with its event, and its keys before', async () => {
    await announce(await previewOf(photo));
    await append(`/uploads/${key}`, 0, photo.subarray(0, 100_000));
    await app.events.purgeRows(event.id);
    expect(await app.db.kysely.selectFrom('photos').selectAll().execute()).toEqual([]);
    expect(await app.db.kysely.selectFrom('uploads').selectAll().execute()).toEqual([]);
    expect(await app.row(event.id)).toMatchObject({ announced_count: 0, used_bytes: 0 });
    expect(await append(`/uploads/${key}`, 100_000, photo.subarray(100_000))).toMatchObject({ status: 404 });
  });
});
