import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { drawPhoto, openApp, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { boothToken, davClient, FOTOBOX, type DavAnswer } from './testing.ts';

const all = enginesForRules();
const decoder = useDecoder(all);
const PROPFIND = '<?xml version="1.0"?><a:propfind xmlns:a="DAV:"><a:prop><a:getcontentlength/><a:quota/></a:prop></a:propfind>';

describe.each(all)('the folder of a Fotobox on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let root: string;
  let now: number;
  beforeEach(async () => {
    now = Date.now();
    app = await openApp({ db: await engine.open(), decoder, stallMs: 2000, clock: { now: () => now } });
    event = await app.event({ with_fotobox: 1, with_user_upload: 0 }, { fotobox: FOTOBOX });
    root = `/dav/${event.code}`;
  });
  afterEach(() => app.close());

  const dav = davClient(() => ({ port: app.port, code: event.code }));
  const photos = async (): Promise<{ id: string; filename: string; device: { name: string } }[]> => {
    const response = await fetch(`${app.url}/api/events/${event.code}/photos`, { headers: { cookie: event.cookie } });
    return ((await response.json()) as { photos: { id: string; filename: string; device: { name: string } }[] }).photos;
  };
  const names = ({ body }: DavAnswer): string[] => [...body.matchAll(/<D:response><D:href>([^<]*)</g)].map(([, href]) => String(href));

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
    now += 11 * 60 * 1000;
    await dav('PUT', `${root}/a/3.jpg`, {}, await drawPhoto());
    for (const method of ['GET', 'HEAD', 'DELETE']) expect((await dav(method, `${root}/a/1.jpg`)).status).toBe(403);
    expect((await dav('DELETE', `${root}/a`)).status).toBe(403);
    const given = await fetch(`${app.url}/api/events/${event.code}/booth-key`, {
      headers: { 'event-password': encodeURIComponent(FOTOBOX) },
    });
    const { key, event_id } = (await given.json()) as { key: string; event_id: string };
    const token = boothToken(key, event_id, now);
    expect((await dav('MOVE', `${root}/a/1.jpg`, { destination: `${root}/1.${token}.jpg` })).status).toBe(403);
    expect((await fetch(`${app.url}/api/photos/temp_download/${token}`)).status).toBe(202);
    // The booth's software finds its names, and can read what it has just written.
    expect(names(await dav('PROPFIND', `${root}/a`, { depth: '1' }))).toHaveLength(4);
    expect((await dav('MOVE', `${root}/a/2.jpg`, { destination: `${root}/a/4.jpg` })).status).toBe(201);
    expect((await dav('GET', `${root}/a/4.jpg`)).status).toBe(403);
    expect((await dav('GET', `${root}/a/3.jpg`)).status).toBe(200);
    expect(await photos()).toHaveLength(3);
  });

  it('has folders, other names and locks, none of which keeps anything for good', async () => {
    expect((await dav('MKCOL', `${root}/Drucke`)).status).toBe(201);
    expect((await dav('MKCOL', `${root}/Drucke`)).status).toBe(405);
    expect((await dav('PUT', `${root}/Drucke/1.tmp`, {}, await drawPhoto())).status).toBe(201);
    const to = { destination: `${app.url}${root}/Drucke/1%20neu.jpg` };
    expect((await dav('MOVE', `${root}/Drucke/1.tmp`, to)).status).toBe(201);
    await dav('PUT', `${root}/Drucke/2.jpg`, {}, await drawPhoto());
    for (const overwrite of ['F', 'f']) expect((await dav('MOVE', `${root}/Drucke/2.jpg`, { ...to, overwrite })).status).toBe(412);
    // The folder's own address may be written in other ways.
    const small = event.code.toLowerCase();
    const other = `/dav/%${small.charCodeAt(0).toString(16)}${small.slice(1)}`;
    expect((await dav('MOVE', `${root}/Drucke/2.jpg`, { destination: `/dav/${small}/Drucke/3.jpg` })).status).toBe(201);
    expect((await dav('MOVE', `${root}/Drucke/3.jpg`, { destination: `${app.url}${other}/Drucke/2.jpg` })).status).toBe(201);
    expect((await dav('MOVE', `${root}/Drucke/2.jpg`, { destination: `${app.url}/dav/ANDERS22/2.jpg` })).status).toBe(403);
    expect(names(await dav('PROPFIND', `${root}/Drucke`, { depth: '1' }))).toEqual([
      `${root}/Drucke/`,
      `${root}/Drucke/1%20neu.jpg`,
      `${root}/Drucke/2.jpg`,
    ]);
    const lock = await dav('LOCK', `${root}/Drucke/2.jpg`, { timeout: 'Infinite' }, '<lockinfo xmlns="DAV:"/>');
    const token = String(lock.headers['lock-token']);
    expect([lock.status, token]).toEqual([200, expect.stringMatching(/^<urn:uuid:[0-9a-f-]{36}>$/)]);
    const again = await dav('LOCK', `${root}/Drucke/2.jpg`, { if: `(${token})` });
    expect(again.headers['lock-token']).toBe(token);
    expect((await dav('PUT', `${root}/Drucke/2.jpg`, { if: `(${token})` }, await drawPhoto())).status).toBe(204);
    expect((await dav('UNLOCK', `${root}/Drucke/2.jpg`, { 'lock-token': token })).status).toBe(204);
    expect((await dav('DELETE', `${root}/Drucke`)).status).toBe(204);
    expect((await dav('PROPFIND', `${root}/Drucke`, { depth: '0' })).status).toBe(404);
    // The replaced picture stays as a photo of its own, as its name belongs to another one now.
    expect(await photos()).toHaveLength(1);
  });

  it('takes what Finder and Windows lay beside pictures, and drops it', async () => {
    for (const name of ['._1.jpg', '.DS_Store', 'Thumbs.db', 'desktop.ini', 'a/~$Liste.docx']) {
      expect((await dav('PUT', `${root}/${name}`, {}, Buffer.alloc(4096))).status).toBe(201);
      expect((await dav('PROPFIND', `${root}/${name}`, { depth: '0' })).body).toContain('<D:getcontentlength>4096<');
    }
    expect((await dav('PUT', `${root}/._gross`, {}, Buffer.alloc(1_100_000))).status).toBe(413);
    expect(await photos()).toEqual([]);
    expect((await app.leftovers()).blobs).toEqual([]);
  });

  it('refuses as POST /upload does, in the status and in a text', async () => {
    const shopping = await dav('PUT', `${root}/1.jpg`, {}, 'Einkaufsliste: Milch');
    expect([shopping.status, shopping.headers['content-type'], shopping.body]).toEqual([
      415,
      'text/plain; charset=utf-8',
      'Diese Datei ist kein lesbares Bild\n',
    ]);
    for (const bytes of [Buffer.alloc(100), Buffer.alloc(100_000)])
      expect(await dav('POST', root, { 'content-type': 'image/jpeg' }, bytes)).toMatchObject({
        status: 400,
        body: 'Es wurde keine Datei gesendet.\n',
      });
    for (const method of ['COPY', 'PATCH', 'REPORT', 'SEARCH'])
      expect(await dav(method, `${root}/1.jpg`), method).toMatchObject({
        status: 403,
        headers: { 'content-type': 'text/plain; charset=utf-8' },
      });
    // Later requests on the same connection work, too.
    const [agent, large] = [new Agent({ keepAlive: true, maxSockets: 1 }), Buffer.alloc(6_000_000)];
    const answers = [large, large, await drawPhoto()].map((bytes, n) => dav('PUT', `${root}/${n}.jpg`, {}, bytes, agent));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([413, 413, 201]);
    agent.destroy();
    await dav('DELETE', `${root}/2.jpg`);
    await app.db.kysely.updateTable('events').set({ storage_limit: 1 }).where('id', '=', event.id).execute();
    expect((await dav('PUT', `${root}/1.jpg`, {}, await drawPhoto())).status).toBe(507);
    await app.db.kysely.updateTable('events').set({ with_fotobox: 0 }).where('id', '=', event.id).execute();
    expect((await dav('PUT', `${root}/1.jpg`, {}, await drawPhoto())).status).toBe(401);
    // A preview may have been in progress when its photo was deleted.
    await expect.poll(app.leftovers).toEqual({ staged: [], blobs: [] });
  });

  it('is bounded: in names, paths, XML, depth and locks', async () => {
    for (const path of [`${'n'.repeat(4096)}.jpg`, '../../etc/passwd', '%2e%2e/x.jpg', 'a/%00.jpg', `${'a/'.repeat(300)}x.jpg`])
      expect((await dav('PUT', `${root}/${path}`, {}, await drawPhoto())).status).toBe(400);
    expect((await dav('PUT', `${root}/1.jpg`, { 'content-range': 'bytes 0-99/200' }, await drawPhoto())).status).toBe(400);
    expect((await dav('PROPFIND', `${root}/`, { depth: 'infinity' })).status).toBe(403);
    const lol = `<!DOCTYPE l [<!ENTITY a "ha">${'<!ENTITY b "&a;&a;">'.repeat(9)}]><propfind xmlns="DAV:"><prop>&b;</prop></propfind>`;
    const xxe = '<!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]><propfind xmlns="DAV:">&x;</propfind>';
    const deep = `<propfind xmlns="DAV:">${'<a>'.repeat(5000)}`;
    const wide = `<propfind xmlns="DAV:"><prop>${'<a/>'.repeat(5000)}</prop></propfind>`;
    for (const xml of [lol, xxe, deep, wide, '<propfind', '&nichts;', '\u0000'])
      for (const method of ['PROPFIND', 'PROPPATCH', 'LOCK']) expect((await dav(method, `${root}/`, { depth: '0' }, xml)).status).toBe(400);
    expect((await dav('PROPFIND', `${root}/`, { depth: '0' }, `<a>${' '.repeat(70_000)}</a>`)).status).toBe(413);
    for (let n = 0; n < 50; n++) {
      const locks = Array.from({ length: 20 }, (_, one) => dav('LOCK', `${root}/${n}-${one}.jpg`));
      for (const { status } of await Promise.all(locks)) expect(status).toBe(200);
    }
    expect(names(await dav('PROPFIND', `${root}/`, { depth: '1' }))).toEqual([`${root}/`]);
  });

  it.each(['1,noroot', '1, NoRoot'])('answers without the folder itself where software asks so: %s', async (depth) => {
    await dav('MKCOL', `${root}/a`);
    expect(names(await dav('PROPFIND', `${root}/`, { depth }))).toEqual([`${root}/a/`]);
    expect(names(await dav('PROPFIND', `${root}/a`, { depth }))).toEqual([]);
    expect((await dav('PROPFIND', `${root}/b`, { depth })).status).toBe(404);
    for (const other of ['0,noroot', 'infinity,noroot', '1,', 'noroot', '01'])
      expect((await dav('PROPFIND', `${root}/`, { depth: other })).status).toBe(403);
  });

  it('answers no more than a few bytes for each that was asked, however a folder is filled', async () => {
    for (let n = 0; n < 20; n++) await dav('MKCOL', `${root}/${n}`);
    const asked = (uri: string, props: number): string =>
      `<propfind xmlns="DAV:" xmlns:x="${uri}"><prop>${'<x:a/>'.repeat(props)}</prop></propfind>`;
    for (const xml of [asked('u'.repeat(40_000), 100), asked('u'.repeat(300), 20), asked('u', 490)])
      expect((await dav('PROPFIND', `${root}/`, { depth: '1' }, xml)).status).toBe(400);
    expect((await dav('PROPFIND', `${root}/`, { depth: '1' }, asked('urn:schemas-microsoft-com:', 40))).status).toBe(207);
  });

  it('keeps paths within their bound, however often folders are moved into each other', async () => {
    const [long, file] = ['n'.repeat(240), 'f'.repeat(240)];
    await dav('MKCOL', `${root}/a`);
    await dav('PUT', `${root}/a/._${file}`, {}, Buffer.alloc(1));
    expect((await dav('MOVE', `${root}/a`, { destination: `${root}/${long}/a` })).status).toBe(201);
    await dav('MKCOL', `${root}/${long}`);
    expect((await dav('MOVE', `${root}/${long}`, { destination: `${root}/${'m'.repeat(200)}/${long}` })).status).toBe(400);
    // The refused move changed nothing.
    expect((await dav('PROPFIND', `${root}/${long}/a/._${file}`, { depth: '0' })).status).toBe(207);
    expect((await dav('PROPFIND', `${root}/${'m'.repeat(200)}/${long}`, { depth: '0' })).status).toBe(404);
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

  it('answers the requests of Windows for a file that is copied to its drive', async () => {
    const photo = await drawPhoto();
    const software = { 'user-agent': 'Microsoft-WebDAV-MiniRedir/10.0.22631' };
    const options = await dav('OPTIONS', '/', { ...software, authorization: '' });
    expect([options.status, options.headers.dav, options.headers['ms-author-via']]).toEqual([200, '1, 2', 'DAV']);
    expect(options.headers.allow).toContain('PROPFIND');
    const windows = (method: string, path: string, headers = {}, body?: Uint8Array | string) =>
      dav(method, path, { ...software, translate: 'f', ...headers }, body);
    expect((await windows('PROPFIND', '/dav', { depth: '0', authorization: '' })).status).toBe(401);
    expect(names(await windows('PROPFIND', '/dav', { depth: '0' }))).toEqual(['/dav/']);
    expect((await windows('PROPFIND', root, { depth: '0' })).status).toBe(207);
    expect((await windows('PROPFIND', `${root}/IMG.jpg`, { depth: '0' })).status).toBe(404);
    expect((await windows('PUT', `${root}/IMG.jpg`, { 'content-length': '0' })).status).toBe(201);
    const info =
      '<?xml version="1.0" encoding="utf-8" ?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype><D:owner><D:href>BOX\\fotobox</D:href></D:owner></D:lockinfo>';
    const lock = await windows('LOCK', `${root}/IMG.jpg`, { timeout: 'Second-3600' }, info);
    const held = { if: `(${String(lock.headers['lock-token'])})` };
    const times =
      '<?xml version="1.0" encoding="utf-8" ?><D:propertyupdate xmlns:D="DAV:" xmlns:Z="urn:schemas-microsoft-com:"><D:set><D:prop><Z:Win32LastModifiedTime>Mon, 23 Nov 2026 17:00:00 GMT</Z:Win32LastModifiedTime><Z:Win32FileAttributes>00000020</Z:Win32FileAttributes></D:prop></D:set></D:propertyupdate>';
    const patched = await windows('PROPPATCH', `${root}/IMG.jpg`, held, times);
    expect(patched.status).toBe(207);
    expect(patched.body).toContain('<Win32LastModifiedTime xmlns="urn:schemas-microsoft-com:"></Win32LastModifiedTime>');
    expect((await windows('HEAD', `${root}/IMG.jpg`)).status).toBe(200);
    expect((await windows('PUT', `${root}/IMG.jpg`, held, photo)).status).toBe(204);
    expect((await windows('PROPPATCH', `${root}/IMG.jpg`, held, times)).status).toBe(207);
    expect((await windows('UNLOCK', `${root}/IMG.jpg`, { 'lock-token': String(lock.headers['lock-token']) })).status).toBe(204);
    expect((await windows('PROPFIND', root, { depth: '1' })).body).toContain(`<D:getcontentlength>${photo.length}<`);
    expect(await photos()).toMatchObject([{ filename: 'IMG.jpg' }]);
  });

  it('answers the requests of Finder for a file that is copied to its volume', async () => {
    const photo = await drawPhoto();
    const finder = (method: string, path: string, headers = {}, body?: Uint8Array | string) =>
      dav(method, path, { 'user-agent': 'WebDAVFS/3.0.0 (03008000) Darwin/24.0.0 (arm64)', ...headers }, body);
    const chunked = { 'transfer-encoding': 'chunked' };
    expect((await finder('OPTIONS', `${root}/`)).headers.dav).toBe('1, 2');
    for (const [name, bytes] of [
      ['IMG.jpg', photo],
      ['._IMG.jpg', Buffer.alloc(4096)],
    ] as const) {
      expect((await finder('PROPFIND', `${root}/${name}`, { depth: '0' })).status).toBe(404);
      expect((await finder('PUT', `${root}/${name}`, chunked)).status).toBe(201);
      const lock = await finder('LOCK', `${root}/${name}`, { depth: '0', timeout: 'Second-600' }, '<D:lockinfo xmlns:D="DAV:"/>');
      const held = { if: `(${String(lock.headers['lock-token'])})` };
      const sent = { ...chunked, ...held, 'x-expected-entity-length': String(bytes.length) };
      expect((await finder('PUT', `${root}/${name}`, sent, bytes)).status).toBe(204);
      expect((await finder('PROPFIND', `${root}/${name}`, { depth: '0' })).body).toContain(`<D:getcontentlength>${bytes.length}<`);
      expect((await finder('UNLOCK', `${root}/${name}`, { 'lock-token': String(lock.headers['lock-token']) })).status).toBe(204);
    }
    expect(await photos()).toMatchObject([{ filename: 'IMG.jpg' }]);
  });
});
