import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import type { Photo } from '@feierbild/contract/entities.ts';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { drawVideo, hasFfmpeg } from '../server/src/images/testing/videos.ts';
import { canMount, mountSmallDisk, untilFull } from '../server/src/testing/system.ts';
import { adminOf, createEvent, hostOf, type EventUnderTest } from './support/api.ts';
import { startFotobox, type Fotobox } from './support/fotobox.ts';
import { drawPhoto } from './support/photos.ts';
import { startProxy } from './support/proxy.ts';
import { startServer, type TestServer } from './support/server.ts';
import { sha256 } from './support/sha256.ts';

const PASSWORD = 'Größe & Knipsekasten';

const mountable = canMount('a disk and files that the example client cannot write to');

describe('the example client of the Fotobox', () => {
  let server: TestServer;
  let event: EventUnderTest;
  let base: Buffer;
  let folder: string;
  let boxes: Fotobox[];

  beforeAll(async () => {
    server = await startServer();
    base = await drawPhoto(1, 1600, 1200);
  });
  afterAll(() => server?.dispose());
  beforeEach(async () => {
    event = await createEvent(await adminOf(server.url), { is_active: true, with_fotobox: true, fotobox_upload_password: PASSWORD });
    folder = await mkdtemp(join(tmpdir(), 'fotobox-'));
    boxes = [];
  });
  afterEach(async () => {
    await Promise.all(boxes.map((box) => box.signal('SIGKILL')));
    await rm(folder, { recursive: true, force: true });
  });

  function start({
    password = PASSWORD,
    args = [] as string[],
    ...more
  }: { password?: string; args?: string[]; path?: string } = {}): Fotobox {
    const box = startFotobox({ server: server.url, event: event.code, folder, password, args, ...more });
    boxes.push(box);
    return box;
  }

  const nameOf = (n: number): string => `IMG_${String(n).padStart(4, '0')}.jpg`;

  /** Puts a picture into the folder, unique by trailing bytes, which JPEG decoders ignore; returns its hash. */
  async function lay(n: number): Promise<string> {
    const file = Buffer.concat([base, Buffer.from(`#${n}`)]);
    await writeFile(join(folder, nameOf(n)), file);
    return sha256(file);
  }

  function layAll(count: number, from = 1): Promise<string[]> {
    return Promise.all(Array.from({ length: count }, (_, n) => lay(from + n)));
  }

  /** Returns the hashes of all originals in the event, sorted, with repetitions. */
  async function stored(): Promise<string[]> {
    const host = await hostOf(server.url, event);
    const { photos } = await host.json<{ photos: { id: string }[] }>('GET', `/api/events/${event.code}/photos?per_page=100`);
    const hashes = photos.map(async ({ id }) =>
      sha256(Buffer.from(await (await host.request(`/api/photos/${id}/download`)).arrayBuffer())),
    );
    return (await Promise.all(hashes)).toSorted();
  }

  async function storedCount(host: Awaited<ReturnType<typeof hostOf>>): Promise<number> {
    const { pagination } = await host.json<{ pagination: { total: number } }>('GET', `/api/events/${event.code}/photos?per_page=1`);
    return pagination.total;
  }

  it('takes a picture that comes slowly, as by FTP, once it has not changed for as long as it was told', async () => {
    const { watchFolder } = (await import(join(import.meta.dirname, '../examples/fotobox/folder.mjs'))) as {
      watchFolder(of: string, isDone: () => boolean, how: object): { look(): Promise<{ name: string }[]> };
    };
    let now = 0;
    const { look } = watchFolder(folder, () => false, { stillMs: 10_000, now: () => now });
    for (let bytes = 1000; bytes <= 4000; bytes += 1000) {
      await writeFile(join(folder, nameOf(1)), base.subarray(0, bytes));
      for (let n = 0; n < 3; n++, now += 3000) expect(await look()).toEqual([]);
    }
    now += 3000;
    expect(await look()).toMatchObject([{ name: nameOf(1), size: 4000 }]);
  });

  it('waits for the end of a JPEG that is only being written, and takes one that never gets it once it is still', async () => {
    const { watchFolder } = (await import(join(import.meta.dirname, '../examples/fotobox/folder.mjs'))) as {
      watchFolder(of: string, isDone: () => boolean, how: object): { look(): Promise<{ name: string }[]> };
    };
    let now = 0;
    const { look } = watchFolder(folder, () => false, { now: () => now });
    await writeFile(join(folder, nameOf(1)), base.subarray(0, 70_000));
    await writeFile(join(folder, nameOf(2)), base);
    await look();
    now += 1200;
    expect(await look()).toMatchObject([{ name: nameOf(2) }]);
    await writeFile(join(folder, nameOf(3)), base.subarray(0, 70_000));
    await look();
    now += 9000;
    expect((await look()).map(({ name }) => name).toSorted()).toEqual([nameOf(1), nameOf(2)]);
    await writeFile(join(folder, nameOf(3)), base);
    await look();
    now += 500;
    expect((await look()).map(({ name }) => name).toSorted()).toEqual([nameOf(1), nameOf(2), nameOf(3)]);
  });

  it('sets nothing aside that has changed since it was refused, nor ten seconds later', async () => {
    const { createRefusals, takeBack } = (await import(join(import.meta.dirname, '../examples/fotobox/folder.mjs'))) as {
      createRefusals(
        of: string,
        how: object,
      ): { add(one: object, why: string): void; setAside(): Promise<object[]>; has(one: object): boolean };
      takeBack(of: string): Promise<number>;
    };
    let now = 0;
    const refusals = createRefusals(folder, { now: () => now });
    const picture = async (n: number, size: number) => {
      const path = join(folder, nameOf(n));
      await writeFile(path, base.subarray(0, size));
      const { mtimeMs } = await stat(path);
      return { key: `${n}`, name: nameOf(n), path, size, mtimeMs };
    };
    const [whole, half] = [await picture(1, 100), await picture(2, 100)];
    for (const one of [whole, half]) refusals.add(one, 'kein Bild');
    now += 9999;
    expect([await refusals.setAside(), refusals.has(whole), refusals.has(half)]).toEqual([[], true, true]);
    await writeFile(half.path, base);
    now += 1;
    expect(await refusals.setAside()).toEqual([{ name: nameOf(1), reason: 'kein Bild', moved: join(folder, 'abgelehnt', nameOf(1)) }]);
    expect([refusals.has(whole), refusals.has(half)]).toEqual([false, false]);
    expect((await readdir(folder)).toSorted()).toEqual([nameOf(2), 'abgelehnt']);
    // The next start tries it again: it may be complete by then, or the event may be another one that accepts it.
    expect([await takeBack(folder), (await readdir(folder)).toSorted()]).toEqual([1, [nameOf(1), nameOf(2), 'abgelehnt']]);
  });

  it('keeps what it cannot set aside, says why once, and sets it aside as soon as it can', async () => {
    const { createRefusals } = (await import(join(import.meta.dirname, '../examples/fotobox/folder.mjs'))) as {
      createRefusals(
        of: string,
        how: object,
      ): { add(one: object, why: string): void; setAside(): Promise<object[]>; has(one: object): boolean };
    };
    let now = 0;
    const refusals = createRefusals(folder, { now: () => now });
    const path = join(folder, nameOf(1));
    await writeFile(path, 'kein Bild');
    const { size, mtimeMs } = await stat(path);
    const picture = { key: '1', name: nameOf(1), path, size, mtimeMs };
    refusals.add(picture, 'kein Bild');
    // A file in the folder's place refuses the move, as Windows does while another program has the picture open.
    await writeFile(join(folder, 'abgelehnt'), '');
    now += 10_000;
    expect(await refusals.setAside()).toEqual([{ name: nameOf(1), reason: 'kein Bild', failed: 'EEXIST' }]);
    expect([await refusals.setAside(), refusals.has(picture)]).toEqual([[], true]);
    await rm(join(folder, 'abgelehnt'));
    expect(await refusals.setAside()).toEqual([{ name: nameOf(1), reason: 'kein Bild', moved: join(folder, 'abgelehnt', nameOf(1)) }]);
    expect([await refusals.setAside(), refusals.has(picture)]).toEqual([[], false]);
  });

  it.skipIf(!mountable)('writes a file again while another program holds it', async () => {
    const { writeAtomically } = (await import(join(import.meta.dirname, '../examples/fotobox/files.mjs'))) as {
      writeAtomically(path: string, text: string, patience: number): Promise<void>;
    };
    const path = join(folder, 'letzter-link.txt');
    await writeFile(path, 'alt');
    // Nothing replaces a file on which something is mounted (EBUSY), as on Windows one that a program has open.
    execFileSync('mount', ['--bind', path, path]);
    const writing = writeAtomically(path, 'neu', 60_000);
    try {
      writing.catch(() => undefined);
      // One attempt leaves two times at most: of the empty file and of the text.
      const times = new Set<number>();
      await expect.poll(async () => times.add((await stat(`${path}.neu`)).mtimeMs).size, { timeout: 30_000 }).toBeGreaterThan(2);
      expect(await readFile(path, 'utf8')).toBe('alt');
    } finally {
      execFileSync('umount', [path]);
    }
    await writing;
    expect(await readFile(path, 'utf8')).toBe('neu');
  });

  it('goes on without its link file, says so once, and writes the newest link as soon as it can', async () => {
    const screen = await mkdtemp(join(tmpdir(), 'bildschirm-'));
    const args = ['--link-datei', join(screen, 'letzter-link.txt')];
    const box = start({ args });
    await box.until(() => box.said().includes('Bereit'));
    await rm(screen, { recursive: true });
    const laid = await layAll(3);
    await box.until(() => box.photos().length === 3);
    const complaints = (): number => box.said().split('letzter-link.txt lässt sich nicht schreiben (ENOENT)').length - 1;
    await mkdir(screen);
    const link = (): Promise<string> => readFile(join(screen, 'letzter-link.txt'), 'utf8').catch(() => '');
    await box.until(async () => (await link()) !== '');
    const { address, expires, name } = box.photos()[2] ?? {};
    expect(await link()).toBe(`${address}\n${expires}\n${name}\n`);
    expect([await box.signal('SIGTERM'), complaints()]).toEqual([0, 1]);

    laid.push(await lay(4));
    const again = start({ args });
    await again.until(() => again.photos().length > 0);
    expect(again.photos().map(({ name: sent }) => sent)).toEqual([nameOf(4)]);
    expect(await again.signal('SIGTERM')).toBe(0);
    expect(await stored()).toEqual(laid.toSorted());

    // A stick may be mounted later than the program starts.
    await rm(screen, { recursive: true });
    const early = start({ args });
    await early.until(() => early.said().includes('letzter-link.txt lässt sich nicht schreiben (ENOENT)'));
    await mkdir(screen);
    await lay(5);
    await early.until(() => early.photos().length === 1);
    expect(await link()).toContain(nameOf(5));
    expect(await early.signal('SIGTERM')).toBe(0);
    await rm(screen, { recursive: true });
  });

  it.skipIf(!mountable)('waits while its disk is full, and neither ends nor sends anything twice', async () => {
    const disk = await mountSmallDisk(8);
    const home = folder;
    try {
      folder = disk.folder;
      const laid = [await lay(1)];
      const empty = start();
      await empty.until(() => empty.photos().length === 1);
      expect(await empty.signal('SIGTERM')).toBe(0);
      laid.push(await lay(2));
      const filling = join(folder, 'voll');
      await untilFull(() => appendFile(filling, Buffer.alloc(4096)));
      const complaint = '.fotobox.json lässt sich nicht schreiben (ENOSPC)';
      const stopped = start();
      await stopped.until(() => stopped.said().includes(complaint));
      expect(await stopped.signal('SIGTERM')).toBe(0);

      const box = start();
      await box.until(() => box.said().includes(complaint));
      await rm(filling);
      laid.push(await lay(3));
      await box.until(() => box.photos().length === 2);
      expect(box.photos().map(({ name }) => name)).toEqual([nameOf(2), nameOf(3)]);
      expect([await box.signal('SIGTERM'), box.said().split(complaint).length - 1]).toEqual([0, 1]);
      laid.push(await lay(4));
      const again = start();
      await again.until(() => again.photos().length > 0);
      expect(again.photos().map(({ name }) => name)).toEqual([nameOf(4)]);
      expect(await again.signal('SIGTERM')).toBe(0);
      expect(await stored()).toEqual(laid.toSorted());
    } finally {
      await Promise.all(boxes.map((box) => box.signal('SIGKILL')));
      folder = home;
      await disk.unmount();
    }
  });

  it('uploads whole, and once, what is written with pauses', async () => {
    const box = start();
    await box.until(() => box.said().includes('Bereit'));
    const at = 60_000;
    await writeFile(join(folder, nameOf(1)), base.subarray(0, at));
    // A later picture arrives before the first one is complete.
    const other = await lay(2);
    await box.until(() => box.photos().length === 1);
    await appendFile(join(folder, nameOf(1)), base.subarray(at));
    await box.until(() => box.photos().length === 2);
    expect(await stored()).toEqual([sha256(base), other].toSorted());
    expect(await readdir(folder)).not.toContain('abgelehnt');
  });

  it('gets through a proxy that takes no more than a megabyte, and says so in its own words', async () => {
    const proxy = createServer((incoming, outgoing) => {
      const { method = '', url = '', headers } = incoming;
      if (!(Number(headers['content-length'] ?? 0) <= 1_000_000)) {
        outgoing.writeHead(413, { 'content-type': 'text/html', connection: 'close' }).end('<h1>413 Request Entity Too Large</h1>');
        return;
      }
      incoming.pipe(
        request(server.url + url, { method, headers }, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(outgoing);
        }),
      );
    });
    await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
    const through = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const photo = Buffer.concat([base, randomBytes(2_500_000), base.subarray(-2)]);
    await writeFile(join(folder, nameOf(1)), photo);
    const box = startFotobox({ server: through, event: event.code, folder, password: PASSWORD });
    boxes.push(box);
    await box.until(() => box.photos().length === 1);
    expect(await stored()).toEqual([sha256(photo)]);
    await box.signal('SIGTERM');
    proxy.close();
  });

  it('uploads what lies there and what comes, and prints addresses that deliver the picture as a JPEG', async () => {
    const linkFile = join(folder, 'letzter-link.txt');
    const first = await lay(1);
    const box = start({ args: ['--link-datei', linkFile, '--name', 'Fotobox Küche'] });
    await box.until(() => box.said().includes(`Bereit: Bilder aus ${folder} gehen an ${server.url}, Event ${event.code}.`));
    await box.until(() => box.photos().length === 1);
    const second = await lay(2);
    await box.until(() => box.photos().length === 2);

    expect(await stored()).toEqual([first, second].toSorted());
    expect(box.photos().map(({ name }) => name)).toEqual(['IMG_0001.jpg', 'IMG_0002.jpg']);
    for (const { address, expires } of box.photos()) {
      expect(address).toMatch(new RegExp(`^${server.url}/download/[^/]+$`));
      expect((await fetch(address, { headers: { accept: 'text/html' } })).status).toBe(200);
      const picture = await fetch(address.replace('/download/', '/api/photos/temp_download/'));
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      expect(await sharp(Buffer.from(await picture.arrayBuffer())).metadata()).toMatchObject({ format: 'jpeg', width: 1600, height: 1200 });
      expect(Date.parse(expires)).toBeGreaterThan(Date.now());
    }
    const { address, expires, name } = box.photos()[1] ?? {};
    expect(await readFile(linkFile, 'utf8')).toBe(`${address}\n${expires}\n${name}\n`);
    const host = await hostOf(server.url, event);
    const { photos } = await host.json<{ photos: { device: { name: string } }[] }>('GET', `/api/events/${event.code}/photos`);
    expect(photos.map(({ device }) => device.name)).toEqual(['Fotobox Küche', 'Fotobox Küche']);
    expect(await box.signal('SIGTERM')).toBe(0);
  });

  it('keeps each of 20 pictures exactly once when it is killed in the middle, again and again', async () => {
    const laid = await layAll(20);
    const printed = new Set<string>();
    // Right after a printed line is the worst moment: the server has the picture, but the state file does not say so yet.
    for (const at of [1, 3, 2]) {
      const box = start();
      await box.until(() => box.photos().length >= at);
      await box.signal('SIGKILL');
      for (const { name } of box.photos()) printed.add(name);
    }
    expect(printed.size).toBeLessThan(20);
    const box = start();
    await box.until(async () => {
      for (const { name } of box.photos()) printed.add(name);
      return printed.size === 20 && (await stored()).length >= 20;
    });
    expect(await box.signal('SIGTERM')).toBe(0);
    expect(await stored()).toEqual(laid.toSorted());

    // A further start finds everything done, and sends only what is new.
    const laidLater = await lay(21);
    const again = start();
    await again.until(() => again.photos().length > 0);
    expect(await again.signal('SIGTERM')).toBe(0);
    expect(again.photos().map(({ name }) => name)).toEqual(['IMG_0021.jpg']);
    expect(await stored()).toEqual([...laid, laidLater].toSorted());
  });

  it('lets the folder grow while there is no network, and sends everything afterwards', async () => {
    const laid = await layAll(3);
    const box = start();
    await box.until(() => box.photos().length > 0);
    await server.kill();
    laid.push(...(await layAll(4, 4)));
    await box.until(() => /Keine Verbindung/.test(box.said()));
    const attempts = box.said().split('Keine Verbindung').length;
    laid.push(await lay(8));
    await box.until(() => box.said().split('Keine Verbindung').length > attempts);
    await server.restart();
    await box.until(() => new Set(box.photos().map(({ name }) => name)).size === 8);
    expect(await stored()).toEqual(laid.toSorted());
    expect(await box.signal('SIGTERM')).toBe(0);
  });

  it(
    'prints 400 links while there is no network, through kill -9 of both, and each shows its picture afterwards',
    { timeout: 600_000 },
    async () => {
      base = await drawPhoto(1, 320, 240);
      const host = await hostOf(server.url, event);
      const args = ['--qr-sofort'];
      const first = start({ args });
      await first.until(async () => (await readFile(join(folder, '.fotobox.json'), 'utf8').catch(() => '')).includes('booth'));
      await server.kill();
      await layAll(200);
      await first.until(() => first.photos().length === 200);
      await first.signal('SIGKILL');
      await layAll(200, 201);
      const second = start({ args });
      await second.until(() => new Set(second.photos().map(({ name }) => name)).size === 400);
      // A picture keeps its link through the kill.
      const printed = new Map(second.photos().map(({ name, address }) => [name, address]));
      for (const { name, address } of first.photos()) expect(printed.get(name)).toBe(address);
      await server.restart();
      const pictureOf = (name: string): Promise<Response> =>
        fetch((printed.get(name) as string).replace('/download/', '/api/photos/temp_download/'));
      expect([200, 202]).toContain((await pictureOf('IMG_0400.jpg')).status);
      await second.until(async () => (await storedCount(host)) >= 30);
      await second.signal('SIGKILL');
      await server.kill();
      await server.restart();
      const third = start({ args });
      await third.until(async () => (await storedCount(host)) >= 400, 300_000);
      await third.until(async () => (await pictureOf('IMG_0001.jpg')).status === 200);
      const names = new Map<string | null, string>();
      for (let page = 1; page <= 4; page++) {
        const { photos } = await host.json<{ photos: Photo[] }>('GET', `/api/events/${event.code}/photos?per_page=100&page=${page}`);
        for (const { id, filename } of photos) names.set(id, filename);
      }
      expect([...names.values()].toSorted()).toEqual(Array.from({ length: 400 }, (_, n) => nameOf(n + 1)));
      for (const [name, address] of printed) {
        const answer = await fetch(address.replace('/download/', '/api/photos/temp_download/'), { method: 'HEAD' });
        expect([name, answer.status, names.get(answer.headers.get('photo-id'))]).toEqual([name, 200, name]);
      }
      expect(third.said()).not.toContain('gilt nicht');
      expect(await third.signal('SIGTERM')).toBe(0);
      expect(await storedCount(host)).toBe(400);
    },
  );

  it('sends a large picture over a line that breaks again and again, and does not begin anew', async () => {
    const size = 30_000_000;
    const file = Buffer.concat([base, randomBytes(size - base.length)]);
    await writeFile(join(folder, 'IMG_0001.jpg'), file);
    const proxy = await startProxy(server.url);
    // Each connection breaks after a third of the picture.
    proxy.cutAfter(() => size / 3);
    const box = startFotobox({ server: proxy.url, event: event.code, folder, password: PASSWORD });
    boxes.push(box);
    await box.until(() => box.photos().length === 1);
    expect(await stored()).toEqual([sha256(file)]);
    // Only bytes that were under way when a connection broke are sent again.
    expect(proxy.sent()).toBeLessThan(2 * size);
    expect(await box.signal('SIGTERM')).toBe(0);
    await proxy.close();
  });

  it('finishes a picture over a line that breaks before it begins the next one', async () => {
    // The first one is a form at its first attempt.
    const sizes = [2_000_000, 4_200_000, 2_000_000];
    const files = sizes.map((size) => Buffer.concat([base, randomBytes(size - base.length - 2), base.subarray(-2)]));
    for (const [n, file] of files.entries()) await writeFile(join(folder, nameOf(n + 1)), file);
    const proxy = await startProxy(server.url);
    const box = startFotobox({ server: proxy.url, event: event.code, folder, password: PASSWORD });
    boxes.push(box);
    const broken = (): string[] => [...box.said().matchAll(/ (IMG_\d+\.jpg): Keine Verbindung/g)].map(([, name]) => String(name));
    for (let n = 0; n < 4; n++) {
      await proxy.cutOnceAfter(1_500_000);
      // The line is away for one attempt.
      const before = broken().length;
      proxy.cutAfter(() => 0);
      await box.until(() => broken().length > before + 1);
      proxy.cutAfter(null);
    }
    await box.until(() => box.photos().length === 3);
    expect(broken().filter((name, n, all) => name !== all[n - 1])).toEqual([nameOf(1), nameOf(2)]);
    expect(await stored()).toEqual(files.map(sha256).toSorted());
    // A form that broke off leaves nothing.
    expect(proxy.sent()).toBeLessThan(1.3 * sizes.reduce((sum, size) => sum + size));
    expect(await box.signal('SIGTERM')).toBe(0);
    await proxy.close();
  });

  it.skipIf(!hasFfmpeg)('sends videos too, with a still where its PC has ffmpeg, and says where it has none', async () => {
    const fotobox = { is_active: true, with_fotobox: true, fotobox_upload_password: PASSWORD };
    event = await createEvent(await adminOf(server.url), { ...fotobox, with_videos: true });
    // The padding makes the video larger than a piece (16 MB).
    const padding = Buffer.alloc(20_000_000);
    padding.writeUInt32BE(padding.length, 0);
    padding.write('free', 4);
    const long = Buffer.concat([await drawVideo({ seconds: 3 }), padding]);
    await writeFile(join(folder, 'VID_0001.MP4'), long);
    const box = start();
    await box.until(() => box.photos().length === 1);
    expect(await box.signal('SIGTERM')).toBe(0);
    await writeFile(join(folder, 'VID_0002.mov'), await drawVideo({ container: 'mov', seconds: 0.5 }));
    const bare = start({ path: '/nowhere' });
    await bare.until(() => /VID_0002\.mov: ist angekommen, aber ohne Standbild \(ffmpeg ist .* nicht installiert\)/.test(bare.said()));
    expect(await bare.signal('SIGTERM')).toBe(0);
    await writeFile(join(folder, 'VID_0003.webm'), await drawVideo({ container: 'webm', picture: 'vp8', sound: null, seconds: 0.5 }));
    const short = start();
    await short.until(() => short.photos().length === 1);
    expect(await short.signal('SIGTERM')).toBe(0);
    expect(await stored()).toContain(sha256(long));
    const host = await hostOf(server.url, event);
    const { photos } = await host.json<{ photos: Photo[] }>('GET', `/api/events/${event.code}/photos`);
    expect(photos.map(({ filename, preview_url }) => [filename, preview_url.endsWith('?poster')])).toEqual([
      ['VID_0001.MP4', true],
      ['VID_0002.mov', false],
      ['VID_0003.webm', true],
    ]);
    const still = await host.request((photos[0] as Photo).preview_url);
    expect(await sharp(Buffer.from(await still.arrayBuffer())).metadata()).toMatchObject({ format: 'jpeg', width: 320, height: 180 });

    await rm(join(folder, '.fotobox.json'));
    event = await createEvent(await adminOf(server.url), fotobox);
    const other = start();
    await other.until(() => /VID_0003\.webm: abgelehnt\. Bei diesem Event werden keine Videos angenommen/.test(other.said()));
    expect(await readdir(join(folder, 'abgelehnt'))).toContain('VID_0003.webm');
  });

  // This test takes ten seconds, in which the client looks whether the file still changes.
  it('sets aside what is no picture, says why, goes on, and tries it once more at its next start', async () => {
    await writeFile(join(folder, 'IMG_0000.png'), 'Einkaufsliste: Milch');
    const laid = await lay(1);
    const box = start();
    await box.until(() => box.photos().length === 1 && /abgelehnt/.test(box.said()));
    expect(box.said()).toContain('IMG_0000.png: abgelehnt. Diese Datei ist kein lesbares Bild (415 not_a_photo)');
    expect(await readFile(join(folder, 'abgelehnt/IMG_0000.png'), 'utf8')).toBe('Einkaufsliste: Milch');
    expect(await stored()).toEqual([laid]);
    expect(await box.signal('SIGTERM')).toBe(0);
    await writeFile(join(folder, 'abgelehnt/IMG_0000.png'), base);
    const again = start();
    await again.until(() => again.photos().length === 1);
    expect(again.said()).toContain('Aus „abgelehnt“ zurückgelegt, um es noch einmal zu versuchen: 1.');
    expect(await stored()).toEqual([laid, sha256(base)].toSorted());
  });

  it.each([
    ['where guests need one', { with_upload_password: true, user_upload_password: 'Gästebuch' }, 'Das Fotobox-Passwort ist falsch. '],
    ['where guests may not upload', { with_user_upload: false }, 'Das Fotobox-Passwort ist falsch, oder '],
    ['where any guest may upload', {}, 'als das eines Gastes'],
  ])('ends with 78 on a wrong password %s; put right, nothing is lost', async (_, form, sentence) => {
    const fotobox = { is_active: true, with_fotobox: true, with_user_upload: true, fotobox_upload_password: PASSWORD };
    event = await createEvent(await adminOf(server.url), { ...fotobox, ...form });
    const laid = await layAll(2);
    const box = start({ password: 'falsch geraten' });
    expect(await box.ended).toBe(78);
    expect(box.said()).toContain(sentence);
    expect(box.photos()).toEqual([]);
    expect((await readdir(folder)).filter((name) => name.endsWith('.jpg'))).toHaveLength(2);

    const right = start();
    await right.until(() => right.photos().length === 2);
    expect(await stored()).toEqual(laid.toSorted());
  });

  it('waits while its network is limited because somebody guesses passwords there, and sends everything afterwards', async () => {
    const guess = (n: number): Promise<Response> =>
      fetch(`${server.url}/api/events/${event.code}/booth-key`, { headers: { 'event-password': `geraten-${n}` } });
    for (let n = 0; n < 30; n++) expect((await guess(n)).status).toBe(403);
    const laid = await layAll(2);
    const plain = start();
    await plain.until(() => /IMG_000[12]\.jpg: Zu viele Versuche/.test(plain.said()));
    expect(await plain.signal('SIGTERM')).toBe(0);
    const box = start({ args: ['--qr-sofort'] });
    await box.until(() => /Für QR-Codes .* Zu viele Versuche/.test(box.said()));
    // Without the failures, the limit ends as it does after ten minutes.
    const database = new DatabaseSync(join(server.dataDir, 'feierbild.sqlite'), { timeout: 5000 });
    database.exec('delete from failures');
    database.close();
    await box.until(() => box.photos().length === 2, 90_000);
    await box.until(async () => (await stored()).length === 2);
    expect(await stored()).toEqual(laid.toSorted());
    for (const { address } of box.photos())
      expect((await fetch(address.replace('/download/', '/api/photos/temp_download/'))).status).toBe(200);
  });

  it('does not send the pictures of one event to another', async () => {
    await lay(1);
    const box = start();
    await box.until(() => box.photos().length === 1);
    expect(await box.signal('SIGTERM')).toBe(0);
    await lay(2);
    event = await createEvent(await adminOf(server.url), { is_active: true, with_fotobox: true, fotobox_upload_password: PASSWORD });
    const other = start();
    expect(await other.ended).toBe(78);
    expect(other.said()).toContain('Der Ordner gehört schon zum Event');
    expect(await stored()).toEqual([]);
  });
});
