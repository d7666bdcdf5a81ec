import { HOUR } from '@feierbild/contract/constants.ts';
import { randomBytes } from 'node:crypto';
import type { Photo } from '@feierbild/contract/entities.ts';
import { sql } from 'kysely';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { newDevice, openApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { drawShape, heldAnswer, newKey, previewOf, sha256 } from './testing.ts';
import { firstLightOf } from './testing/first-light.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('a photo whose preview comes first, on $name', (engine) => {
  const { at, ended, ask, append, metadata, download, breakOff, staging, offsetOf, upload, announce, asHost, gallery, row, settled } =
    firstLightOf(engine, decoder);

  it('is shown at once, and counts with its original, which is what is downloaded then', async () => {
    const announced = await announce(await previewOf(at.photo));
    expect(announced).toMatchObject({ status: 201, headers: { location: `/uploads/${at.key}`, 'upload-offset': '0' } });
    const { id } = announced.json.photo;
    expect(announced.json.photo).toMatchObject({
      state: 'announced',
      width: 1600,
      height: 1200,
      size: at.photo.length,
      filename: 'Größe.jpg',
    });
    expect(await gallery()).toMatchObject({ total: 1, photos: [{ id, state: 'announced', device: { name: 'Jörg' } }] });
    expect(await asHost(`/api/events/${at.event.code}/slideshow`)).toMatchObject({ photos: [{ id }] });
    expect(await at.app.row(at.event.id)).toMatchObject({ used_bytes: 0, photo_count: 0, announced_count: 1, device_count: 1 });
    const early = await fetch(`${at.app.url}/api/photos/${id}/download`, { headers: { cookie: at.event.cookie } });
    expect(early.headers.get('content-disposition')).toContain('Vorschau');
    expect(await sharp(Buffer.from(await early.arrayBuffer())).metadata()).toMatchObject({ format: 'jpeg', width: 1600 });

    const sent = await append(`/uploads/${at.key}`, 0, at.photo);
    expect(sent).toMatchObject({ status: 201, headers: { 'repr-digest': `sha-256=:${sha256(at.photo).toString('base64')}:` } });
    expect((JSON.parse(sent.body) as { photo: Photo }).photo).toMatchObject({ id, state: 'received', width: 2400, height: 1800 });
    await settled(id).toBe('stored');
    expect(await row(id)).toMatchObject({ drawn_by: 'phone' });
    expect(await gallery()).toMatchObject({ total: 1, photos: [{ id, state: 'stored', width: 2400 }] });
    expect(await at.app.row(at.event.id)).toMatchObject({ used_bytes: at.photo.length, photo_count: 1, announced_count: 0 });
    expect(sha256(await download(id))).toEqual(sha256(at.photo));
    const { findings } = await at.app.integrity.check();
    expect(findings).toEqual([]);
    expect((await at.app.integrity.openAll(at.event.id, at.event.privateKey)).findings).toEqual([]);
  });

  it('is announced once, however often its preview is sent, and again after its upload was ended', async () => {
    const picture = await previewOf(at.photo);
    const [one, other] = await Promise.all([announce(picture), announce(picture)]);
    const { id } = one.json.photo;
    expect(other.json.photo.id).toBe(id);
    expect([one.status, other.status].toSorted()).toEqual([200, 201]);
    expect(await at.app.row(at.event.id)).toMatchObject({ announced_count: 1 });
    expect((await at.app.leftovers()).blobs).toHaveLength(2);
    // The upload ends: others needed its budget, or a day has passed.
    await at.app.uploads.resumable.end({ id });
    expect(await row(id)).toMatchObject({ state: 'announced' });
    expect(await asHost(`/api/events/${at.event.code}`)).toMatchObject({ previews: { coming: 0, left: 1 } });
    const about = { 'upload-length': String(at.photo.length), 'upload-metadata': metadata(), 'upload-key': at.key };
    const sent = await ask('POST', '/uploads', { ...about, 'content-type': 'application/offset+octet-stream' }, at.photo);
    expect((JSON.parse(sent.body) as { photo: Photo }).photo).toMatchObject({ id, state: 'received' });
    expect(await at.app.row(at.event.id)).toMatchObject({ announced_count: 0, photo_count: 1 });
  });

  it('is not taken for another file’s that had its key', async () => {
    const { id } = (await announce(await previewOf(at.photo))).json.photo;
    await append(`/uploads/${at.key}`, 0, at.photo);
    const forget = () => at.app.db.kysely.deleteFrom('uploads').where('id', '=', id).execute();
    await forget();
    const longer = await announce(await previewOf(at.photo), at.photo.length + 1);
    expect(longer).toMatchObject({ status: 409, json: { code: 'upload_key_taken' } });
    await forget();
    const other = Buffer.concat([at.photo.subarray(0, -1), Buffer.of(7)]);
    expect((await announce(await previewOf(at.photo))).status).toBe(200);
    expect(await append(`/uploads/${at.key}`, 0, other)).toMatchObject({ status: 409, body: expect.stringContaining('upload_key_taken') });
    expect(sha256(await download(id))).toEqual(sha256(at.photo));
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
    ['more than 400 KB', async () => Buffer.concat([await previewOf(at.photo), Buffer.alloc(400_000)])],
  ])('is not shown by a preview that is %s, and can be sent without', async (_what, make) => {
    const refused = await announce(await make());
    expect([413, 415]).toContain(refused.status);
    expect(await at.app.db.kysely.selectFrom('uploads').selectAll().execute()).toEqual([]);
    expect(await at.app.leftovers()).toEqual({ staged: [], blobs: [] });
    expect((await at.app.upload(at.event.code, at.photo, { device: at.device })).photo).toMatchObject({ state: 'stored' });
  });

  it('is announced by nothing that calls itself otherwise than a JPEG', async () => {
    const refused = await announce(await previewOf(at.photo), at.photo.length, { 'content-type': 'application/offset+octet-stream' });
    expect(refused).toMatchObject({ status: 415, json: { code: 'upload_body_type' } });
  });

  it.each([
    ['', async () => undefined],
    [', days later', async () => void (await at.app.db.kysely.updateTable('uploads').set({ expires_at: 1 }).execute())],
    [', also where its upload had ended before', async () => at.app.uploads.resumable.end((await upload())!)],
  ])('does not come back with its original once it was deleted%s', async (when, pass) => {
    const { id } = (await announce(await previewOf(at.photo))).json.photo;
    await append(`/uploads/${at.key}`, 0, at.photo.subarray(0, 100_000));
    if (when.includes('before')) await pass();
    await asHost(`/api/photos/${id}`, 'DELETE');
    expect((await at.app.leftovers()).blobs).toEqual([]);
    if (!when.includes('before')) await pass();
    await at.app.uploads.resumable.endExpired();
    expect(await at.app.uploads.resumable.list()).toEqual([]);
    expect(await append(`/uploads/${at.key}`, 100_000, at.photo.subarray(100_000))).toMatchObject({ status: 410 });
    expect((await announce(await previewOf(at.photo))).json).toMatchObject({ code: 'photo_removed' });
    const about = { 'upload-length': String(at.photo.length), 'upload-metadata': metadata(), 'upload-key': at.key };
    const bytes = { 'content-type': 'application/offset+octet-stream' };
    expect(await ask('POST', '/uploads', { ...about, ...bytes }, at.photo)).toMatchObject({ status: 410 });
    expect(await ask('HEAD', `/uploads/${at.key}`)).toMatchObject({ status: 410 });
    expect(await gallery()).toMatchObject({ total: 0, photos: [] });
    expect(await at.app.row(at.event.id)).toMatchObject({ used_bytes: 0, photo_count: 0, announced_count: 0 });
    await at.app.events.purgeRows(at.event.id);
    expect(await upload()).toBeUndefined();
  });

  // SQLite runs one transaction after the other.
  it.runIf(engine.name === 'postgres')('does not come back where it is deleted as its original begins to come', async () => {
    const { id } = (await announce(await previewOf(at.photo))).json.photo;
    const held = heldAnswer((found) => String(Object.keys(found)) === 'version');
    const [{ db, blobs }, before] = [at.app, at.app];
    at.app = await openApp({ db: { ...db, kysely: db.kysely.withPlugin(held.plugin) }, decoder, wrapStore: () => blobs });
    const sending = append(`/uploads/${at.key}`, 0, at.photo);
    await held.taken;
    await before.photos.remove({ row: (await before.photos.byId(id))! });
    held.answer();
    expect(await sending).toMatchObject({ status: 410 });
    expect(await gallery()).toMatchObject({ total: 0, photos: [] });
    ended.push(before);
  });

  it('is stored without parts where its original comes whole, and goes on from what came where that breaks off', async () => {
    await announce(await previewOf(at.photo));
    const { version } = (await upload())!;
    expect(await append(`/uploads/${at.key}`, 0, at.photo)).toMatchObject({ status: 201 });
    // Each part raises the version.
    expect(await upload()).toMatchObject({ version: version + 1 });
    // The answer was lost.
    expect(await offsetOf(`/uploads/${at.key}`)).toBe(at.photo.length);
    expect(await append(`/uploads/${at.key}`, at.photo.length, new Uint8Array())).toMatchObject({ status: 200 });

    const other = Buffer.concat([at.photo, randomBytes(200_000)]);
    at.key = newKey();
    await announce(await previewOf(at.photo), other.length);
    const headers = { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
    const about = { ...headers, 'content-length': String(other.length) };
    await breakOff('PATCH', `/uploads/${at.key}`, about, other.subarray(0, 150_000), staging);
    const offset = await offsetOf(`/uploads/${at.key}`);
    expect(offset).toBe(150_000);
    const rest = await append(`/uploads/${at.key}`, offset, other.subarray(offset));
    expect(rest).toMatchObject({ status: 201, headers: { 'repr-digest': `sha-256=:${sha256(other).toString('base64')}:` } });
    expect((await at.app.leftovers()).staged).toEqual([]);
  });

  it('goes with its upload where its sender ends that', async () => {
    await announce(await previewOf(at.photo));
    expect(await ask('DELETE', `/uploads/${at.key}`)).toMatchObject({ status: 204 });
    expect(await gallery()).toMatchObject({ total: 0 });
    expect(await at.app.leftovers()).toEqual({ staged: [], blobs: [] });
  });

  it.each([
    ['expired', () => at.app.db.kysely.updateTable('uploads').set({ expires_at: 0 }).execute()],
    ['been ended', async () => at.app.uploads.resumable.end((await upload())!)],
  ])('goes where its sender ends an upload that has %s before', async (_, end) => {
    await announce(await previewOf(at.photo));
    await end();
    expect(await ask('DELETE', `/uploads/${at.key}`)).toMatchObject({ status: 204 });
    expect(await gallery()).toMatchObject({ total: 0 });
    expect(await ask('DELETE', `/uploads/${at.key}`)).toMatchObject({ status: 410 });
  });

  it('is the same photo that came before by another way', async () => {
    const first = (await at.app.upload(at.event.code, at.photo, { device: at.device })).photo;
    const { id } = (await announce(await previewOf(at.photo))).json.photo;
    expect(await gallery()).toMatchObject({ total: 2 });
    const sent = await append(`/uploads/${at.key}`, 0, at.photo);
    expect(JSON.parse(sent.body)).toMatchObject({ photo: { id: first.id } });
    expect(await row(id)).toBeUndefined();
    expect(await at.app.row(at.event.id)).toMatchObject({ used_bytes: at.photo.length, photo_count: 1, announced_count: 0 });
    expect((await at.app.integrity.check()).findings).toEqual([]);
  });

  it('waits for room where the event is full, and is shown meanwhile', async () => {
    await at.app.db.kysely.updateTable('events').set({ storage_limit: at.photo.length }).where('id', '=', at.event.id).execute();
    const { id } = (await announce(await previewOf(at.photo))).json.photo;
    await at.app.upload(at.event.code, await drawShape(9, 800, 600), { device: newDevice() });
    expect(await append(`/uploads/${at.key}`, 0, at.photo)).toMatchObject({ status: 507 });
    expect(await row(id)).toMatchObject({ state: 'announced' });
    await at.app.db.kysely.updateTable('events').set({ storage_limit: null }).where('id', '=', at.event.id).execute();
    expect(await append(`/uploads/${at.key}`, at.photo.length - 1, at.photo.subarray(-1))).toMatchObject({ status: 201 });
    await settled(id).toBe('stored');
  });

  it('is not taken in the hour after a database with events was migrated: nodes of the release before may run', async () => {
    const migrated = (ms: number) =>
      sql`update kysely_migration set timestamp = ${new Date(ms).toISOString()} where name = '0002-photo-states'`.execute(at.app.db.kysely);
    await at.app.db.kysely.updateTable('events').set({ created_at: 1 }).where('id', '=', at.event.id).execute();
    await migrated(Date.now() - HOUR / 2);
    expect(await announce(await previewOf(at.photo))).toMatchObject({ status: 415, json: { code: 'preview_refused' } });
    expect(await gallery()).toMatchObject({ total: 0 });
    await migrated(Date.now() - HOUR);
    expect((await announce(await previewOf(at.photo))).status).toBe(201);
  });

  it('goes with its event, and its keys before', async () => {
    await announce(await previewOf(at.photo));
    await append(`/uploads/${at.key}`, 0, at.photo.subarray(0, 100_000));
    await at.app.events.purgeRows(at.event.id);
    expect(await at.app.db.kysely.selectFrom('photos').selectAll().execute()).toEqual([]);
    expect(await at.app.db.kysely.selectFrom('uploads').selectAll().execute()).toEqual([]);
    expect(await at.app.row(at.event.id)).toMatchObject({ announced_count: 0, used_bytes: 0 });
    expect(await append(`/uploads/${at.key}`, 100_000, at.photo.subarray(100_000))).toMatchObject({ status: 404 });
  });
});
