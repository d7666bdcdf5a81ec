import { Agent } from 'node:http';
import { describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { drawPhoto, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { davClient } from './testing.ts';
import { beforeEachFolder, names, photosOf } from './testing/folder.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('the folder of a Fotobox on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let root: string;
  beforeEachFolder(engine, decoder, (opened) => ({ app, event, root } = opened));

  const dav = davClient(() => ({ port: app.port, code: event.code }));
  const photos = () => photosOf(app, event);

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
