import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { engines, type Engine } from '../../database/testing.ts';
import { drawPhoto, openApp, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { boothToken, davClient, FOTOBOX } from './testing.ts';

const engine = engines()[0] as Engine;
const decoder = useDecoder([engine]);

/** Requests as recorded from programs that write into a folder. They touch only memory and names, so one database suffices. */
describe('programs that write into the folder of a Fotobox', () => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let root: string;
  let now: number;
  beforeEach(async () => {
    now = Date.now();
    app = await openApp({ db: await engine.open(), decoder, clock: { now: () => now } });
    event = await app.event({ with_fotobox: 1, with_user_upload: 0 }, { fotobox: FOTOBOX });
    root = `/dav/${event.code}`;
  });
  afterEach(() => app.close());

  const dav = davClient(() => ({ port: app.port, code: event.code }));
  const destination = (name: string) => ({ destination: `${app.url}${root}/${name}` });
  const names = async (): Promise<string[]> => {
    const response = await fetch(`${app.url}/api/events/${event.code}/photos`, { headers: { cookie: event.cookie } });
    return ((await response.json()) as { photos: { filename: string }[] }).photos.map(({ filename }) => filename).toSorted();
  };

  it.each([
    ['rsync', '.IMG_1.JPG.Ab12Cd'],
    ['Syncthing', '.syncthing.IMG_1.JPG.tmp'],
    ['Syncthing on Windows', '~syncthing~IMG_1.JPG.tmp'],
    ['WinSCP', 'IMG_1.JPG.filepart'],
    ['CarotDAV', 'IMG_1.JPG.tacitpart'],
    ['FreeFileSync', 'IMG_1.JPG.4fa3.ffs_tmp'],
    ['a browser', 'Nicht%20best%C3%A4tigt%20773.crdownload'],
    ['GNOME', '.goutputstream-AB12C3'],
    ['Dolphin', 'IMG_1.JPG.part'],
    ['a booth of its own', '~%24IMG_1.tmp'],
  ])('keep a picture that %s writes under another name, and its name is the one that it gets', async (_, unfinished) => {
    for (const photo of [await drawPhoto(), await drawPhoto()]) {
      expect((await dav('PUT', `${root}/${unfinished}`, {}, photo)).status).toBe(201);
      expect([201, 204]).toContain((await dav('MOVE', `${root}/${unfinished}`, destination('IMG_1.JPG'))).status);
      expect((await dav('PROPFIND', `${root}/IMG_1.JPG`, { depth: '0' })).body).toContain(`getcontentlength>${photo.length}<`);
    }
    // Cameras start again at their first number; both pictures must stay.
    expect(await names()).toEqual(['IMG_1.JPG', 'IMG_1.JPG']);
  });

  it.each(['utf8', 'latin1'] as const)('may leave letters beyond ASCII as they are in the name that they give, in %s', async (encoding) => {
    await dav('PUT', `${root}/.tmp12`, {}, await drawPhoto());
    // Node sends each character of a header as a byte.
    const name = Buffer.from('Größe.jpg', encoding).toString('latin1');
    expect((await dav('MOVE', `${root}/.tmp12`, destination(name))).status).toBe(201);
    expect(await names()).toEqual(['Größe.jpg']);
    expect((await dav('PROPFIND', `${root}/Gr%C3%B6%C3%9Fe.jpg`, { depth: '0' })).status).toBe(207);
  });

  it('get a photo by the name that it will have, also where nobody comes to give it', async () => {
    await dav('PUT', `${root}/.IMG_1.JPG.Ab12Cd`, {}, await drawPhoto());
    await dav('PUT', `${root}/S.jpg.filepart`, {}, await drawPhoto());
    expect(await names()).toEqual(['IMG_1.JPG', 'S.jpg']);
  });

  it('give no name after a while: a stolen password renames nothing', async () => {
    await dav('PUT', `${root}/a.jpg`, {}, await drawPhoto());
    now += 11 * 60 * 1000;
    expect((await dav('MOVE', `${root}/a.jpg`, destination('b.jpg'))).status).toBe(201);
    expect(await names()).toEqual(['a.jpg']);
  });

  it('give a name with a printed link, which is then the photo’s', async () => {
    const headers = { 'event-password': encodeURIComponent(FOTOBOX) };
    const given = await fetch(`${app.url}/api/events/${event.code}/booth-key`, { headers });
    const { key, event_id } = (await given.json()) as { key: string; event_id: string };
    const token = boothToken(key, event_id);
    await dav('PUT', `${root}/.tmp12`, {}, await drawPhoto());
    expect((await dav('MOVE', `${root}/.tmp12`, destination(`IMG_1.${token}.jpg`))).status).toBe(201);
    expect(await names()).toEqual(['IMG_1.jpg']);
    expect((await fetch(`${app.url}/api/photos/temp_download/${token}`, { method: 'HEAD' })).status).toBe(200);
  });

  it('are not told that a picture is there which is not: empty, dropped, or no picture', async () => {
    expect((await dav('PUT', `${root}/leer.tmp`)).status).toBe(201);
    expect((await dav('PUT', `${root}/._1.jpg`, {}, Buffer.alloc(4096))).status).toBe(201);
    for (const name of ['leer.tmp', '._1.jpg']) {
      const moved = await dav('MOVE', `${root}/${name}`, destination('1.jpg'));
      expect([moved.status, Buffer.from(moved.body, 'latin1').toString()]).toEqual([
        409,
        'Von dieser Datei ist kein Bild angekommen. Bitte senden Sie sie noch einmal.\n',
      ]);
      expect((await dav('PROPFIND', `${root}/1.jpg`, { depth: '0' })).status).toBe(404);
    }
    expect((await dav('MOVE', `${root}/._1.jpg`, destination('._2.jpg'))).status).toBe(201);
    // A file whose name begins with a dot is judged by its bytes.
    expect((await dav('PUT', `${root}/.1.jpg.Ab12Cd`, {}, 'Einkaufsliste')).status).toBe(415);
    expect((await dav('PUT', `${root}/.metadata`, {}, Buffer.alloc(4096))).status).toBe(415);
    expect(await names()).toEqual([]);
  });

  it('name a photo that an earlier session has sent as that one did', async () => {
    const photo = await drawPhoto();
    await dav('PUT', `${root}/a.jpg`, {}, photo);
    const later = davClient(() => ({ port: app.port, code: event.code, software: 'Booth/2.0' }));
    await later('PUT', `${root}/b.tmp`, {}, photo);
    expect((await later('MOVE', `${root}/b.tmp`, destination('b.jpg'))).status).toBe(201);
    expect(await names()).toEqual(['a.jpg']);
  });

  it.each([
    ['a folder that is kept alike, after a picture has got another name', 'a.jpg', 'b.jpg'],
    ['a program that sends again after a broken line, and tidies up', '.tmp-1', '.tmp-2'],
  ])('keep a picture that has two names until both are gone: %s', async (_, first, second) => {
    const photo = await drawPhoto();
    for (const name of [first, second]) expect((await dav('PUT', `${root}/${name}`, {}, photo)).status).toBe(201);
    expect((await dav('DELETE', `${root}/${first}`)).status).toBe(204);
    expect((await dav('MOVE', `${root}/${second}`, destination('c.jpg'))).status).toBe(201);
    expect(await names()).toEqual(['c.jpg']);
    expect((await dav('DELETE', `${root}/c.jpg`)).status).toBe(204);
    expect(await names()).toEqual([]);
  });

  it('keep a picture of a folder that goes where it lies in another one, too', async () => {
    const photo = await drawPhoto();
    for (const folder of ['Original', 'Druck', 'Druck/2']) {
      expect((await dav('MKCOL', `${root}/${folder}`)).status).toBe(201);
      expect((await dav('PUT', `${root}/${folder}/1.jpg`, {}, photo)).status).toBe(201);
    }
    expect((await dav('DELETE', `${root}/Druck`)).status).toBe(204);
    expect(await names()).toEqual(['1.jpg']);
    expect((await dav('DELETE', `${root}/Original`)).status).toBe(204);
    expect(await names()).toEqual([]);
  });

  it('may send whole addresses, as to a proxy (RFC 9112 § 3.2.2)', async () => {
    const photo = await drawPhoto();
    expect((await dav('PUT', `http://fotos.example${root}/Gr%F6%DFe.jpg`, {}, photo)).status).toBe(201);
    expect(await names()).toEqual(['Größe.jpg']);
    expect((await dav('PROPFIND', `${app.url}${root}/`)).body).toContain(`<D:href>${root}/Gr%C3%B6%C3%9Fe.jpg<`);
    expect((await dav('GET', `HTTP://fotos.example${root}/Gr%F6%DFe.jpg`)).status).toBe(200);
    expect((await dav('OPTIONS', 'http://fotos.example')).headers.dav).toBe('1, 2');
  });

  it('may ask for a name that is free, and leave the depth out', async () => {
    const photo = await drawPhoto();
    expect((await dav('PUT', `${root}/1.jpg`, { 'if-none-match': '*' }, photo)).status).toBe(201);
    expect((await dav('PUT', `${root}/1.jpg`, { 'if-none-match': '*' }, await drawPhoto())).status).toBe(412);
    expect(await names()).toEqual(['1.jpg']);
    const listed = await dav('PROPFIND', `${root}/`);
    expect([listed.status, listed.body.includes(`${root}/1.jpg<`)]).toEqual([207, true]);
  });

  it.each([
    ['UTF-8', 'utf8'],
    ['Windows’ own', 'latin1'],
  ] as const)('log in with umlauts in %s letters', async (_, encoding) => {
    const authorization = `Basic ${Buffer.from(`${event.code}:${FOTOBOX}`, encoding).toString('base64')}`;
    expect((await dav('PROPFIND', `${root}/`, { depth: '0', authorization })).status).toBe(207);
    const euro = await app.event({ with_fotobox: 1 }, { fotobox: 'Prüf „5 €“' });
    const bytes = Buffer.from(`${euro.code}:Pr\u00fcf \u00845 \u0080\u0093`, 'latin1').toString('base64');
    expect((await dav('PROPFIND', `/dav/${euro.code}/`, { depth: '0', authorization: `Basic ${bytes}` })).status).toBe(207);
  });

  it.each([
    ['Gro%CC%88%C3%9Fe.jpg', 'Größe.jpg'],
    ['Gr%F6%DFe.jpg', 'Größe.jpg'],
    ['a%2Fb.jpg', 'b.jpg'],
    ['a%5Cb.jpg', 'b.jpg'],
    ['1.jpg.%20.', '1.jpg'],
    ['%20%201.jpg', '1.jpg'],
    ['%F0%9F%8E%89.jpg', '🎉.jpg'],
    ['%23%201%3F.jpg', '# 1?.jpg'],
    ['100%25.jpg', '100%.jpg'],
    ['a;b=1,c.jpg', 'a;b=1,c.jpg'],
    ['a+b&c.jpg', 'a+b&c.jpg'],
    ['%E2%80%AEgpj.exe', 'gpj.exe.jpg'],
    ['.jpg', 'jpg.jpg'],
    ['%2e%2e%2fx.jpg', null],
    ['a%0Ab.jpg', null],
    ['%.jpg', '%.jpg'],
    [`${'%C3%B6'.repeat(126)}.jpg`, null],
    [`${'%C3%B6'.repeat(125)}.jpg`, `${'ö'.repeat(125)}.jpg`],
  ])('may call a file %s', async (path, filename) => {
    const photo = await drawPhoto();
    const put = await dav('PUT', `${root}/${path}`, {}, photo);
    expect(put.status).toBe(filename === null ? 400 : 201);
    expect(await names()).toEqual(filename === null ? [] : [filename]);
    if (filename === null) return;
    expect((await dav('PROPFIND', `${root}/${path}`, { depth: '0' })).body).toContain(`getcontentlength>${photo.length}<`);
    expect((await dav('MOVE', `${root}/${path}`, destination(`neu-${randomBytes(4).toString('hex')}.jpg`))).status).toBe(201);
  });
});
