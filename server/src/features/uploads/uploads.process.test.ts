import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { photoOf, type BlobStore } from '../../storage/blob-store.ts';
import { purgeEvent } from '../events/purge.ts';
import { drawPhoto, newDevice, openApp, type TestApp } from '../testing.ts';
import { systemClock } from '../../lib/clock.ts';
import { useDecoder } from '../testing/use-decoder.ts';

const FIXTURES = join(import.meta.dirname, '../../../../../shared/fixtures/photos');
const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('an upload on $name', (engine) => {
  let app: TestApp;
  const open = async (options: Partial<Parameters<typeof openApp>[0]> = {}) => {
    app = await openApp({ db: await engine.open(), decoder, ...options });
  };
  beforeEach(() => open());
  afterEach(() => app.close());

  const nothing = { staged: [], blobs: [] };

  it('is answered 201 with the photo, and leaves original and thumbnail sealed in the store', async () => {
    const event = await app.event();
    const photo = await drawPhoto({ width: 200, height: 100 });
    const answer = await app.upload(event.code, photo, { headers: { 'device-name': encodeURIComponent('Jörg') } });
    expect(answer.status).toBe(201);
    const { id } = answer.photo;
    expect(answer.photo).toMatchObject({
      thumbnail_url: `/api/photos/${id}/thumbnail`,
      preview_url: `/api/photos/${id}/preview`,
      original_url: `/api/photos/${id}/download`,
      width: 200,
      height: 100,
      filename: 'IMG_0042.jpg',
      size: photo.length,
      slideshow: true,
      taken_at: null,
      device: { name: 'Jörg' },
    });
    expect(await app.row(event.id)).toMatchObject({ used_bytes: photo.length, photo_count: 1, device_count: 1 });
    const { staged, blobs } = await app.leftovers();
    expect(staged).toEqual([]);
    expect(blobs).toEqual(expect.arrayContaining([`events/${event.id}/${id}.original`, `events/${event.id}/${id}.thumbnail`]));
    const sealed = Buffer.concat(await Array.fromAsync(app.blobs.read(`events/${event.id}/${id}.original`)));
    expect(sealed.includes(photo.subarray(100, 132))).toBe(false);
  });

  it('keeps the form’s device name before the header’s, cleaned and at most 60 characters, and Anonym for none', async () => {
    const { code } = await app.event();
    const nameFor = async (options: Parameters<TestApp['upload']>[2]) =>
      (await app.upload(code, await drawPhoto(), options)).photo.device.name;
    expect(await nameFor({ headers: { 'device-name': 'Header' }, trailing: { deviceName: 'A\u202ena\u0007 😀' } })).toBe('Ana 😀');
    expect(await nameFor({ fields: { deviceName: '😀'.repeat(80) } })).toBe('😀'.repeat(60));
    expect(await nameFor({ headers: { 'device-name': '  ' } })).toBe('Anonym');
    expect(await nameFor({ headers: { 'device-name': 'J\u00f6rg' } })).toBe('Jörg');
  });

  it('knows the umlauts of programs that write them as Windows does', async () => {
    const { code } = await app.event();
    const known = { photo: { filename: 'Größe.jpg', device: { name: 'Jörg' } } };
    const old = (text: string): Buffer => Buffer.from(text, 'latin1');
    const send = async (path: string, headers: Record<string, string>, body: Buffer) =>
      (await fetch(app.url + path, { method: 'POST', headers: { 'device-id': newDevice(), ...headers }, body: Buffer.from(body) })).json();

    const head = (rest: string): string => `--b\r\nContent-Disposition: form-data; ${rest}\r\n\r\n`;
    const fields = old(`${head('name="deviceName"')}Jörg\r\n${head('name="file"; filename="Größe.jpg"')}`);
    const form = Buffer.concat([fields, await drawPhoto(), old('\r\n--b--\r\n')]);
    expect(await send('/upload', { 'event-code': code, 'content-type': 'multipart/form-data; boundary=b' }, form)).toMatchObject(known);

    const photo = await drawPhoto();
    const metadata = Object.entries({ filename: 'Größe.jpg', eventCode: code, deviceName: 'Jörg' });
    const tus = {
      'tus-resumable': '1.0.0',
      'upload-length': String(photo.length),
      'upload-metadata': metadata.map(([name, text]) => `${name} ${old(text).toString('base64')}`).join(','),
      'content-type': 'application/offset+octet-stream',
    };
    expect(await send('/uploads', tus, photo)).toMatchObject(known);
  });

  it('takes the code from the form where it comes before the file, and refuses without any', async () => {
    const { code } = await app.event();
    expect((await app.upload('', await drawPhoto(), { fields: { eventCode: code } })).status).toBe(201);
    expect(await app.upload('', await drawPhoto(), { trailing: { eventCode: code } })).toMatchObject({
      status: 400,
      code: 'event_code_missing',
    });
    expect(await app.upload('', await drawPhoto())).toMatchObject({ status: 400, code: 'event_code_missing' });
    expect(await app.upload(code, await drawPhoto(), { device: '' })).toMatchObject({ status: 400, code: 'device_id_missing' });
    const { staged, blobs } = await app.leftovers();
    expect([staged.length, blobs.filter((key) => key.endsWith('.original')).length]).toEqual([0, 1]);
  });

  it('keeps a name in any script, and makes a hostile one harmless', async () => {
    const { code } = await app.event();
    const named = async (name: string) => (await app.upload(code, new File([new Uint8Array(await drawPhoto())], name))).photo.filename;
    expect(await named('Größe 婚礼.JPG')).toBe('Größe 婚礼.JPG');
    expect(await named('../../etc/passwd')).toBe('passwd.jpg');
  });

  it.each([
    ['text', Buffer.from('just text, of any name')],
    ['nothing', Buffer.alloc(0)],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ])('is 415 for %s, and nothing stays', async (_what, bytes) => {
    const event = await app.event();
    expect(await app.upload(event.code, bytes)).toMatchObject({ status: 415, code: 'not_a_photo' });
    expect(await app.leftovers()).toEqual(nothing);
    expect(await app.row(event.id)).toMatchObject({ used_bytes: 0, photo_count: 0, device_count: 0 });
  });

  it.skipIf(!existsSync(FIXTURES))('decides by the bytes: phones’ photos pass, a video does not (../shared/fixtures)', async () => {
    const { code } = await app.event();
    const send = async (file: string) => (await app.upload(code, readFileSync(join(FIXTURES, file)))).status;
    expect(await send('phones/samsung-sm-j327t1_orientation-6.jpg')).toBe(201);
    expect(await send('webp-gif/alpha.webp')).toBe(201);
    expect(await send('video/issue-515_720p_gps.mp4')).toBe(415);
  });

  it('is refused in words of its own where it is a video or has more than 200 megapixels', async () => {
    const { code } = await app.event();
    const video = Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp41', 'latin1'), Buffer.alloc(5000)]);
    // Sets height and width in the header of the first frame.
    const wide = await drawPhoto();
    const frame = wide.indexOf(Buffer.from([0xff, 0xc0]));
    wide.writeUInt16BE(14_000, frame + 5);
    wide.writeUInt16BE(20_000, frame + 7);
    const said = async (bytes: Buffer) => JSON.parse((await app.upload(code, bytes)).body) as unknown;
    expect(await said(video)).toEqual({ code: 'video_refused', error: 'Bei diesem Event werden keine Videos angenommen' });
    expect(await said(wide)).toEqual({ code: 'too_many_pixels', error: 'Dieses Bild hat mehr als 200 Megapixel' });
  });

  it('is stored once however often the same device sends the same bytes, also all at once', async () => {
    const event = await app.event();
    const [photo, device] = [await drawPhoto(), newDevice()];
    const answers = await Promise.all(Array.from({ length: 6 }, () => app.upload(event.code, photo, { device })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map((answer) => answer.photo.id)).size).toBe(1);
    expect(await app.upload(event.code, photo, { device })).toMatchObject({ status: 200, photo: { id: answers[0]?.photo.id } });
    expect(await app.row(event.id)).toMatchObject({ used_bytes: photo.length, photo_count: 1, device_count: 1 });
    const { staged, blobs } = await app.leftovers();
    expect(staged).toEqual([]);
    expect(new Set(blobs.map(photoOf)).size).toBe(1);

    expect((await app.upload(event.code, photo)).status).toBe(201);
    expect(await app.row(event.id)).toMatchObject({ photo_count: 2, device_count: 2 });
  });

  it('is refused where the event is unknown, inactive, closed for uploads or the password is wrong', async () => {
    const photo = await drawPhoto();
    const send = async (code: string, password?: string) =>
      (await app.upload(code, photo, { headers: password ? { 'event-password': password } : {} })).code;
    expect(await send('ZZZZZZZZ')).toBe('event_not_found');
    for (const day of ['2020-01-01', '2999-01-01']) {
      const away = await app.event({ is_active: 0, start_date: day, end_date: day });
      expect(await send(away.code)).toBe('event_inactive');
    }
    expect(await send((await app.event({ with_user_upload: 0 })).code)).toBe('upload_disabled');
    const locked = await app.event({ with_upload_password: 1 }, { upload: 'Größe' });
    expect(await send(locked.code)).toBe('wrong_event_password');
    expect(await send(locked.code, 'falsch')).toBe('wrong_event_password');
    expect(await app.leftovers()).toEqual(nothing);
    expect((await app.upload(locked.code, photo, { headers: { 'event-password': encodeURIComponent('Größe') } })).status).toBe(201);
    expect((await app.upload(locked.code, photo, { headers: { 'event-password': 'Gr\u00f6\u00dfe' } })).status).toBe(201);
  });

  it('takes the password from the form where somebody has removed the header, with the code’s header or without', async () => {
    const locked = await app.event({ with_upload_password: 1 }, { upload: 'Größe' });
    for (const [code, named] of [
      [locked.code, {}],
      ['', { eventCode: locked.code }],
    ] as const) {
      const send = async (fields: Record<string, string>, trailing = {}) =>
        (await app.upload(code, await drawPhoto(), { fields, trailing })).code ?? 'stored';
      expect(await send({ eventPassword: 'Größe', ...named })).toBe('stored');
      expect(await send({ ...named, deviceName: 'Anna', eventPassword: 'Größe' })).toBe('stored');
      expect(await send({ ...named, eventPassword: 'falsch' })).toBe('wrong_event_password');
      // The refusal comes before any byte of a file is read.
      expect(await send({ ...named }, { eventPassword: 'Größe' })).toBe('wrong_event_password');
    }
    const fields = { eventPassword: 'falsch' };
    expect((await app.upload(locked.code, await drawPhoto(), { headers: { 'event-password': 'Gr%C3%B6%C3%9Fe' }, fields })).status).toBe(
      201,
    );
    const boxed = await app.event({ with_user_upload: 0, with_fotobox: 1 }, { fotobox: 'blitz-licht' });
    expect((await app.upload(boxed.code, await drawPhoto(), { fields: { eventPassword: 'blitz-licht' } })).status).toBe(201);
    const { staged } = await app.leftovers();
    expect(staged).toEqual([]);
  });

  it('passes from the Fotobox where guests may not upload', async () => {
    const { code } = await app.event({ with_user_upload: 0, with_fotobox: 1 }, { fotobox: 'blitz-licht' });
    const photo = await drawPhoto();
    expect((await app.upload(code, photo, { headers: { 'event-password': 'blitz-licht' } })).status).toBe(201);
    expect(await app.upload(code, photo, { headers: { 'event-password': 'geraten' } })).toMatchObject({ code: 'upload_disabled' });
  });

  it('is 400 when the form ends without its closing delimiter, or has no or two files', async () => {
    const { code } = await app.event();
    const headers = { 'device-id': newDevice(), 'event-code': code, 'content-type': 'multipart/form-data; boundary=b' };
    const post = async (body: string) => {
      const response = await fetch(`${app.url}/upload`, { method: 'POST', headers, body });
      return { status: response.status, code: ((await response.json()) as { code: string }).code };
    };
    const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\nabc\r\n';
    expect(await post(file)).toEqual({ status: 400, code: 'upload_incomplete' });
    expect(await post('--b\r\nContent-Disposition: form-data; name="deviceName"\r\n\r\nAnna\r\n--b--\r\n')).toEqual({
      status: 400,
      code: 'file_missing',
    });
    expect(await post(`${file}${file}--b--\r\n`)).toEqual({ status: 400, code: 'invalid_input' });
    // The body is a file without a form: its size is fine.
    for (const type of [
      'image/jpeg',
      'image/png',
      'application/octet-stream',
      'text/plain',
      'application/json',
      'application/x-www-form-urlencoded',
    ]) {
      const bare = { method: 'POST', headers: { ...headers, 'content-type': type }, body: Buffer.alloc(100_000) };
      const response = await fetch(`${app.url}/upload`, bare);
      expect([type, response.status, await response.json()]).toMatchObject([type, 400, { code: 'file_missing' }]);
    }
    const many = Array.from({ length: 20 }, (_, i) => `--b\r\nContent-Disposition: form-data; name="f${i}"\r\n\r\nx\r\n`).join('');
    expect(await post(`${many}${file}--b--\r\n`)).toEqual({ status: 400, code: 'invalid_input' });
    expect(await app.leftovers()).toEqual(nothing);
  });

  it('that races a purge leaves nothing', async () => {
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    await app.close();
    await open({
      wrapStore: (store): BlobStore => ({
        ...store,
        async adopt(key, path) {
          await store.adopt(key, path);
          reached.resolve();
          await goOn.promise;
        },
      }),
    });
    const event = await app.event();
    const uploading = drawPhoto().then((photo) => app.upload(event.code, photo));
    await reached.promise;
    await purgeEvent({ db: app.db, blobs: app.blobs, clock: { now: () => Date.now() }, onPurged: () => undefined }, event.id);
    goOn.resolve();
    expect((await uploading).status).toBeGreaterThanOrEqual(403);
    expect(await app.leftovers()).toEqual(nothing);
    expect(await app.row(event.id)).toMatchObject({ photo_count: 0, used_bytes: 0 });
  });

  it('puts a lost original back when the same photo comes again', async () => {
    const { code, id: eventId } = await app.event();
    const [photo, device] = [await drawPhoto(), newDevice()];
    const first = await app.upload(code, photo, { device });
    await app.blobs.remove(`events/${eventId}/${first.photo.id}.original`);
    expect(await app.upload(code, photo, { device })).toMatchObject({ status: 200, photo: { id: first.photo.id } });
    const download = await fetch(`${app.url}${first.photo.original_url}`, { headers: { 'device-id': device } });
    expect(Buffer.from(await download.arrayBuffer()).equals(photo)).toBe(true);
    expect((await app.leftovers()).staged).toEqual([]);
  });

  it.each([
    [
      'purge of the event',
      (event: string) => purgeEvent({ db: app.db, blobs: app.blobs, clock: systemClock, onPurged: () => undefined }, event),
    ],
    [
      'deletion of the photo',
      async (_: string, photo: string, device: string) => {
        const gone = await fetch(`${app.url}/api/photos/${photo}`, { method: 'DELETE', headers: { 'device-id': device } });
        expect(gone.status).toBe(204);
      },
    ],
  ])('puts no lost original back behind the back of a %s', async (_, remove) => {
    const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let holds = false;
    await app.close();
    await open({
      wrapStore: (store): BlobStore => ({
        ...store,
        async adopt(key, path) {
          if (holds) {
            reached.resolve();
            await goOn.promise;
          }
          await store.adopt(key, path);
        },
      }),
    });
    const { code, id: eventId } = await app.event();
    const [photo, device] = [await drawPhoto(), newDevice()];
    const first = await app.upload(code, photo, { device });
    await app.blobs.remove(`events/${eventId}/${first.photo.id}.original`);
    holds = true;
    const again = app.upload(code, photo, { device });
    await reached.promise;
    await remove(eventId, first.photo.id, device);
    goOn.resolve();
    expect((await again).status).toBe(503);
    await expect.poll(app.leftovers).toEqual(nothing);
  });
});
