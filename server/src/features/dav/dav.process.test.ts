import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { drawPhoto, openApp, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { boothToken, davClient, FOTOBOX } from './testing.ts';
import { beforeEachFolder, names, photosOf } from './testing/folder.ts';

const all = enginesForRules();
const decoder = useDecoder(all);
const PROPFIND = '<?xml version="1.0"?><a:propfind xmlns:a="DAV:"><a:prop><a:getcontentlength/><a:quota/></a:prop></a:propfind>';

describe.each(all)('the folder of a Fotobox on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let root: string;
  let clock: { time: number };
  beforeEachFolder(engine, decoder, (opened) => ({ app, event, root, clock } = opened));

  const dav = davClient(() => ({ port: app.port, code: event.code }));
  const photos = () => photosOf(app, event);

  it('takes a picture that is put there, durably, and shows it in the gallery', async () => {
    const photo = await drawPhoto();
    const put = await dav('PUT', `${root}/Gr%C3%B6%C3%9Fe%201.jpg`, { 'content-type': 'image/jpeg' }, photo);
    expect([put.status, put.body]).toEqual([201, '']);
    expect(await photos()).toMatchObject([{ filename: 'Größe 1.jpg', device: { name: 'Fotobox' } }]);
    expect((await dav('PUT', `${root}/Gr%C3%B6%C3%9Fe%201.jpg`, {}, photo)).status).toBe(204);
    expect(await photos()).toHaveLength(1);
    // Other bytes under the same name are another photo.
    expect((await dav('PUT', `${root}/Gr%C3%B6%C3%9Fe%201.jpg`, {}, await drawPhoto())).status).toBe(204);
    expect(await photos()).toHaveLength(2);
    expect((await app.leftovers()).staged).toEqual([]);
  });

  it('knows the same picture again after a restart, though it has forgotten who sent it', async () => {
    const photo = await drawPhoto();
    expect((await dav('PUT', `${root}/1.jpg`, {}, photo)).status).toBe(201);
    // A later software is another session with its own device, so only the database can know the picture.
    const later = davClient(() => ({ port: app.port, code: event.code, software: 'Booth/2.0' }));
    expect((await later('PROPFIND', `${root}/1.jpg`, { depth: '0' })).status).toBe(404);
    expect((await later('PUT', `${root}/1.jpg`, {}, photo)).status).toBe(201);
    expect(await photos()).toHaveLength(1);
    expect((await app.row(event.id)).used_bytes).toBe(photo.length);
    // The answer may have been lost, and the event be full by now.
    await app.db.kysely.updateTable('events').set({ storage_limit: photo.length }).where('id', '=', event.id).execute();
    const last = davClient(() => ({ port: app.port, code: event.code, software: 'Booth/3.0' }));
    expect((await last('PUT', `${root}/1.jpg`, {}, photo)).status).toBe(201);
    for (const other of [Buffer.concat([photo, photo]), Buffer.concat([photo.subarray(0, -1), Buffer.from([0])])])
      expect((await last('PUT', `${root}/2.jpg`, {}, other)).status).toBe(507);
    expect(await photos()).toHaveLength(1);
  });

  it('is another folder on each node, of which none stores twice what came to another', async () => {
    const photo = await drawPhoto();
    const node = await openApp({ db: await engine.again(app.db), decoder, wrapStore: () => app.blobs });
    const there = davClient(() => ({ port: node.port, code: event.code }));
    expect((await dav('PUT', `${root}/1.jpg`, {}, photo)).status).toBe(201);
    expect((await there('PROPFIND', `${root}/1.jpg`, { depth: '0' })).status).toBe(404);
    expect((await there('GET', `${root}/1.jpg`)).status).toBe(403);
    // The nodes also receive the pictures at the same time.
    const other = await drawPhoto();
    const both = await Promise.all(
      [dav, there].flatMap((to) => [to('PUT', `${root}/2.jpg`, {}, other), to('PUT', `${root}/1.jpg`, {}, photo)]),
    );
    for (const { status } of both) expect([201, 204]).toContain(status);
    expect(await photos()).toHaveLength(2);
    expect((await app.row(event.id)).used_bytes).toBe(photo.length + other.length);
    await node.close();
  });

  it('does not lose what another node has told as stored, wherever it is deleted', async () => {
    const [first, second, third] = await Promise.all([drawPhoto(), drawPhoto(), drawPhoto()]);
    const node = await openApp({ db: await engine.again(app.db), decoder, wrapStore: () => app.blobs });
    const there = davClient(() => ({ port: node.port, code: event.code }));
    const nameOf = (photo: Uint8Array): string => `${[first, second, third].indexOf(photo as never)}.jpg`;
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(third)]), '3.jpg');
    for (const photo of [first, second, third]) expect((await dav('PUT', `${root}/${nameOf(photo)}`, {}, photo)).status).toBe(201);
    for (const photo of [first, second]) expect((await there('PUT', `${root}/${nameOf(photo)}`, {}, photo)).status).toBe(201);
    expect((await fetch(`${node.url}${root}/?password=${encodeURIComponent(FOTOBOX)}`, { method: 'POST', body: form })).status).toBe(200);
    expect((await dav('DELETE', `${root}/${nameOf(first)}`)).status).toBe(204);
    expect((await there('DELETE', `${root}/${nameOf(second)}`)).status).toBe(204);
    expect((await dav('DELETE', `${root}/${nameOf(third)}`)).status).toBe(204);
    expect(await photos()).toHaveLength(3);
    // The second DELETE of a photo that both nodes reported removes it.
    expect((await dav('DELETE', `${root}/${nameOf(second)}`)).status).toBe(204);
    expect(await photos()).toHaveLength(2);
    await node.close();
  });

  it('asks for code and password, tells what they are, and counts wrong ones as everywhere', async () => {
    const bare = await dav('PROPFIND', `${root}/`, { depth: '0', authorization: '' });
    expect([bare.status, bare.headers['www-authenticate']]).toEqual([401, 'Basic realm="Feierbild", charset="UTF-8"']);
    expect(Buffer.from(bare.body, 'latin1').toString()).toContain('Benutzer ist der Code des Events');
    const other = await app.event({ with_fotobox: 1 }, { fotobox: 'eine andere' });
    expect((await dav('PROPFIND', `/dav/${other.code}/`, { depth: '0' })).status).toBe(401);
    expect((await dav('PUT', `${root}/1.jpg`, {}, await drawPhoto())).status).toBe(201);
    let tries = 0;
    const guess = davClient(() => ({ port: app.port, code: event.code, password: `geraten ${tries++}`, software: 'Dieb' }));
    for (let n = 0; n < 30; n++) expect((await guess('PROPFIND', `${root}/`, { depth: '0' })).status).toBe(401);
    const limited = await guess('PROPFIND', `${root}/`, { depth: '0' });
    expect([limited.status, Number(limited.headers['retry-after']) > 0]).toEqual([429, true]);
    // The booth at the same address can still upload.
    expect((await dav('PUT', `${root}/2.jpg`, {}, await drawPhoto())).status).toBe(201);
  });

  it.each([
    ['where any guest may upload', { with_user_upload: 1 }, {}],
    ['where guests need a password', { with_user_upload: 1, with_upload_password: 1 }, { upload: 'Gästebuch' }],
  ] as const)('says the same of wrong passwords %s', async (_, form, passwords) => {
    const { code } = await app.event({ with_fotobox: 1, ...form }, { fotobox: FOTOBOX, ...passwords });
    let tries = 0;
    const guess = davClient(() => ({ port: app.port, code, password: `geraten ${tries++}`, software: 'Dieb' }));
    for (let n = 0; n < 30; n++) expect((await guess('PROPFIND', `/dav/${code}/`, { depth: '0' })).status).toBe(401);
    // A new booth is told to wait, not that its password is wrong.
    const booth = davClient(() => ({ port: app.port, code }));
    const limited = await booth('PROPFIND', `/dav/${code}/`, { depth: '0' });
    expect([limited.status, Number(limited.headers['retry-after']) > 0]).toEqual([429, true]);
    const key = await fetch(`${app.url}/api/events/${code}/booth-key`, { headers: { 'event-password': encodeURIComponent(FOTOBOX) } });
    expect(key.status).toBe(429);
  });

  it('speaks https alone where the site does', async () => {
    const secure = await openApp({ db: await engine.open(), decoder, env: { PUBLIC_URL: 'https://fotos.example' } });
    const { code } = await secure.event({ with_fotobox: 1 }, { fotobox: FOTOBOX });
    const plain = davClient(() => ({ port: secure.port, code }));
    expect((await plain('PUT', `/dav/${code}/1.jpg`, {}, await drawPhoto())).status).toBe(403);
    // A proxy that TRUST_PROXY does not name is not trusted.
    expect((await plain('PROPFIND', `/dav/${code}/`, { depth: '0', 'x-forwarded-proto': 'https' })).status).toBe(403);
    await secure.close();
  });

  it('lists and reads what the session itself has stored, and nothing that others sent', async () => {
    const photo = await drawPhoto();
    await app.upload(event.code, await drawPhoto(), { headers: { 'event-password': encodeURIComponent(FOTOBOX) } });
    await dav('PUT', `${root}/a/1.jpg`, {}, photo);
    const thief = davClient(() => ({ port: app.port, code: event.code, software: 'Dieb' }));
    expect(await photos()).toHaveLength(2);
    expect(names(await thief('PROPFIND', `${root}/`, { depth: '1' }))).toEqual([`${root}/`]);
    for (const method of ['GET', 'HEAD', 'DELETE']) expect((await thief(method, `${root}/a/1.jpg`)).status).toBe(403);
    expect((await thief('MOVE', `${root}/a/1.jpg`, { destination: `${root}/2.jpg` })).status).toBe(403);

    // Another booth of the same kind also begins at 1.
    const second = davClient(() => ({ port: app.port, code: event.code, user: `${event.code}-zwei` }));
    expect((await second('PROPFIND', `${root}/a/1.jpg`, { depth: '0' })).status).toBe(404);
    expect((await second('DELETE', `${root}/a/1.jpg`)).status).toBe(403);

    // The file's folder is listed, though no request made it.
    expect(names(await dav('PROPFIND', `${root}/`, { depth: '1' }))).toEqual([`${root}/`, `${root}/a/`]);
    expect(names(await dav('PROPFIND', `${root}/a/`, { depth: '1' }))).toEqual([`${root}/a/`, `${root}/a/1.jpg`]);
    expect((await dav('GET', `${root}/a/1.jpg`)).body).toBe(photo.toString('latin1'));
    expect((await dav('GET', `${root}/a/1.jpg`, { range: 'bytes=2-5' })).body).toBe(photo.subarray(2, 6).toString('latin1'));
    expect((await dav('HEAD', `${root}/a/1.jpg`)).headers['content-length']).toBe(String(photo.length));
    const one = await dav('PROPFIND', `${root}/a/1.jpg`, { depth: '0' }, PROPFIND);
    expect(one.status).toBe(207);
    expect(one.body).toContain(`<D:getcontentlength>${photo.length}</D:getcontentlength></D:prop><D:status>HTTP/1.1 200 OK`);
    expect(one.body).toContain('<D:quota></D:quota></D:prop><D:status>HTTP/1.1 404 Not Found');
    expect((await dav('DELETE', `${root}/a/1.jpg`)).status).toBe(204);
    expect(await photos()).toHaveLength(1);
  });

  it('gives nothing back after a while, not even to somebody with the password who pretends to be the booth', async () => {
    await dav('MKCOL', `${root}/a`);
    await dav('PUT', `${root}/a/1.jpg`, {}, await drawPhoto());
    await dav('PUT', `${root}/a/2.jpg`, {}, await drawPhoto());
    clock.time += 11 * 60 * 1000;
    await dav('PUT', `${root}/a/3.jpg`, {}, await drawPhoto());
    for (const method of ['GET', 'HEAD', 'DELETE']) expect((await dav(method, `${root}/a/1.jpg`)).status).toBe(403);
    expect((await dav('DELETE', `${root}/a`)).status).toBe(403);
    const given = await fetch(`${app.url}/api/events/${event.code}/booth-key`, {
      headers: { 'event-password': encodeURIComponent(FOTOBOX) },
    });
    const { key, event_id } = (await given.json()) as { key: string; event_id: string };
    const token = boothToken(key, event_id, clock.time);
    expect((await dav('MOVE', `${root}/a/1.jpg`, { destination: `${root}/1.${token}.jpg` })).status).toBe(403);
    expect((await fetch(`${app.url}/api/photos/temp_download/${token}`)).status).toBe(202);
    // The booth's software finds its names, and can read what it has just written.
    expect(names(await dav('PROPFIND', `${root}/a`, { depth: '1' }))).toHaveLength(4);
    expect((await dav('MOVE', `${root}/a/2.jpg`, { destination: `${root}/a/4.jpg` })).status).toBe(201);
    expect((await dav('GET', `${root}/a/4.jpg`)).status).toBe(403);
    expect((await dav('GET', `${root}/a/3.jpg`)).status).toBe(200);
    expect(await photos()).toHaveLength(3);
  });

  it('does not forget what the booths of one event have put there for those of another', async () => {
    await dav('MKCOL', `${root}/Drucke`);
    const other = await app.event({ with_fotobox: 1 }, { fotobox: FOTOBOX });
    for (let n = 0; n < 120; n++) {
      const one = davClient(() => ({ port: app.port, code: other.code, software: `Booth/${n}` }));
      expect((await one('MKCOL', `/dav/${other.code}/Drucke`)).status).toBe(201);
    }
    expect((await dav('PROPFIND', `${root}/Drucke`, { depth: '0' })).status).toBe(207);
  });

  it('cuts a sender that stalls, and keeps nothing of it', async () => {
    const photo = await drawPhoto();
    const authorization = `Basic ${Buffer.from(`${event.code}:${FOTOBOX}`).toString('base64')}`;
    const stalled = async (path: string): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const headers = { authorization, 'content-length': String(photo.length) };
      const sending = request({ port: app.port, method: 'PUT', path: `${root}/${path}`, headers });
      sending.on('error', () => undefined).on('close', resolve);
      sending.write(photo.subarray(0, 100));
      await promise;
    };
    await Promise.all([stalled('1.jpg'), stalled('._1.jpg')]);
    await expect.poll(() => app.leftovers()).toEqual({ staged: [], blobs: [] });
  });

  it('keeps a picture that came whole before its connection broke, exactly once', async () => {
    const photo = await drawPhoto();
    const authorization = `Basic ${Buffer.from(`${event.code}:${FOTOBOX}`).toString('base64')}`;
    const socket = connect(app.port, '127.0.0.1');
    socket.write(`PUT ${root}/1.jpg HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Length: ${photo.length}\r\n\r\n`);
    socket.write(photo, () => socket.destroy());
    await expect.poll(async () => (await dav('PUT', `${root}/1.jpg`, {}, photo)).status).toBeLessThan(300);
    await expect.poll(async () => (await photos()).length).toBe(1);
  });
});
