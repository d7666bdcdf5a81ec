import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Photo } from '@feierbild/contract/entities.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { boothToken } from '../server/src/features/dav/testing.ts';
import { adminOf, createEvent, hostOf, type EventUnderTest } from './support/api.ts';
import { drawPhoto } from './support/photos.ts';
import { startServer, type TestServer } from './support/server.ts';
import { sha256 } from './support/sha256.ts';

/** A password that a netrc can hold. */
const PASSWORD = 'Knipsekasten-7';
const run = promisify(execFile);
/** A script that makes tokens, written from docs/fotobox.md alone. */
const TOKEN_IN_PYTHON = `
import base64, hashlib, hmac, os, struct, sys, time
key = base64.urlsafe_b64decode(sys.argv[1] + '=' * (-len(sys.argv[1]) % 4))
assert len(key) == 32
head = os.urandom(16) + struct.pack('>I', int(time.time()) // 60)
mac = hmac.new(key, b'feierbild/v1/booth-token' + sys.argv[2].encode() + head, hashlib.sha256).digest()[:8]
print(base64.urlsafe_b64encode(head + mac).decode().rstrip('='))
`;

/** Tells whether Debian's programs are installed; if one is missing, logs that `what` is skipped. */
function has(what: string, ...programs: string[]): boolean {
  const missing = programs.filter((program) => !existsSync(program));
  if (missing.length > 0) console.log(`skipped: ${what}; ${missing.join(', ')} is not here`);
  return missing.length === 0;
}

/** Tells whether these programs are installed and can mount, as root and with FUSE, which is tried in a namespace of its own. */
function canMount(what: string, ...programs: string[]): boolean {
  if (!has(what, ...programs, '/dev/fuse')) return false;
  try {
    execFileSync('unshare', ['--mount', 'sh', '-c', ': < /dev/fuse'], { stdio: 'ignore' });
    return process.getuid?.() === 0;
  } catch {
    console.log(`skipped: ${what}; FUSE cannot be opened here`);
    return false;
  }
}

/** Reads the commands under a heading of the booths' guide. */
function commandsOf(heading: string): string {
  const guide = readFileSync('docs/benutzung/fotobox.md', 'utf8');
  const section = guide.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  return /```sh\n(.*?)```/s.exec(section)?.[1] ?? '';
}

describe('software that writes to the folder of a Fotobox', () => {
  let server: TestServer;
  let event: EventUnderTest;
  let folder: string;
  let home: string;
  let url: string;
  let laid: Map<string, string>;
  let base: Buffer;

  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server?.dispose());
  beforeEach(async () => {
    const form = { is_active: true, with_fotobox: true, with_user_upload: false, fotobox_upload_password: PASSWORD };
    event = await createEvent(await adminOf(server.url), form);
    url = `${server.url}/dav/${event.code}/`;
    home = await mkdtemp(join(tmpdir(), 'booth-'));
    folder = join(home, 'bilder');
    mkdirSync(folder);
    laid = new Map();
    base = await drawPhoto(1, 320, 240);
    for (const name of ['IMG 1.jpg', 'Größe 2.jpg', 'IMG_3.jpg', '+50% #4 20:15:03.jpg']) {
      const file = Buffer.concat([base, Buffer.from(`#${name}`)]);
      laid.set(name, sha256(file));
      await writeFile(join(folder, name), file);
    }
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  const env = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: home, LANG: 'C.UTF-8' });

  /** Returns names and hashes of the event's originals; expects that no name repeats. */
  async function stored(): Promise<Map<string, string>> {
    const host = await hostOf(server.url, event);
    const { photos } = await host.json<{ photos: Photo[] }>('GET', `/api/events/${event.code}/photos?per_page=100`);
    const found = new Map<string, string>();
    for (const { id, filename } of photos)
      found.set(filename, sha256(Buffer.from(await (await host.request(`/api/photos/${id}/download`)).arrayBuffer())));
    expect(found.size).toBe(photos.length);
    return found;
  }

  /** Returns names and hashes of the event's originals, sorted; names may repeat. */
  async function storedAll(): Promise<[string, string][]> {
    const host = await hostOf(server.url, event);
    const { photos } = await host.json<{ photos: Photo[] }>('GET', `/api/events/${event.code}/photos?per_page=100`);
    const found = photos.map(async ({ id, filename }): Promise<[string, string]> => {
      const original = await host.request(`/api/photos/${id}/download`);
      return [filename, sha256(Buffer.from(await original.arrayBuffer()))];
    });
    return (await Promise.all(found)).toSorted();
  }

  /** Puts other pictures under the same names, each as many bytes long as the one before; returns names and hashes. */
  async function layOthers(): Promise<[string, string][]> {
    const others = [...laid.keys()].map((name): [string, Buffer] => [name, Buffer.concat([base, Buffer.from(`!${name}`)])]);
    for (const [name, file] of others) await writeFile(join(folder, name), file);
    return others.map(([name, file]) => [name, sha256(file)]);
  }

  async function boothKey(): Promise<{ key: string; event_id: string }> {
    const given = await fetch(`${server.url}/api/events/${event.code}/booth-key`, { headers: { 'event-password': PASSWORD } });
    return (await given.json()) as { key: string; event_id: string };
  }

  it.skipIf(!has('curl', '/usr/bin/curl'))('is curl', async () => {
    for (const name of laid.keys())
      await run('curl', ['-sSf', '-u', `${event.code}:${PASSWORD}`, '-T', join(folder, name), url], { env: env() });
    expect(await stored()).toEqual(laid);
    // A form with the same picture adds no photo.
    const form = [
      '-sS',
      '-w',
      '%{http_code}',
      '-F',
      `fileToUpload=@${folder}/IMG 1.jpg`,
      '-F',
      'status=complete',
      `${url}?password=${PASSWORD}`,
    ];
    expect((await run('curl', form, { env: env() })).stdout).toBe('OK\n200');
    expect(await stored()).toEqual(laid);
    await expect(
      run('curl', ['-sSf', '-u', `${event.code}:falsch`, '-T', join(folder, 'IMG_3.jpg'), url], { env: env() }),
    ).rejects.toMatchObject({ stderr: expect.stringContaining('401') });
  });

  it.skipIf(!has('Python', '/usr/bin/python3'))('can make tokens as docs/fotobox.md says, here in Python', async () => {
    const { key, event_id } = await boothKey();
    const { stdout } = await run('/usr/bin/python3', ['-c', TOKEN_IN_PYTHON, key, event_id], { env: env() });
    const token = stdout.trim();
    expect(token).toMatch(/^[\w-]{38}$/);
    const link = `${server.url}/api/photos/temp_download/${token}`;
    const awaited = await fetch(link);
    expect([awaited.status, await awaited.json()]).toEqual([202, { status: 'waiting' }]);
    // A token for another event, made with this event's key, is not valid.
    const other = await run('/usr/bin/python3', ['-c', TOKEN_IN_PYTHON, key, `${event_id}x`], { env: env() });
    expect((await fetch(link.replace(token, other.stdout.trim()))).status).toBe(400);
    const headers = { authorization: `Basic ${Buffer.from(`${event.code}:${PASSWORD}`).toString('base64')}` };
    expect((await fetch(`${url}IMG_1.${token}.jpg`, { method: 'PUT', headers, body: Buffer.from(base) })).status).toBe(201);
    expect((await fetch(link, { method: 'HEAD' })).status).toBe(200);
    expect([...(await stored()).keys()]).toEqual(['IMG_1.jpg']);
  });

  it.skipIf(!has('rclone', '/usr/bin/rclone'))(
    'is rclone, which copies a folder once, however often, through a restart and kill -9 of both',
    async () => {
      const { stdout: obscured } = await run('rclone', ['obscure', PASSWORD], { env: env() });
      const remote = ['--webdav-url', url, '--webdav-user', event.code, '--webdav-pass', obscured.trim()];
      const rclone = (...args: string[]) =>
        run('rclone', [...args, '--config', join(home, 'none'), '--retries', '1', ...remote], { env: env(), timeout: 120_000 });
      await rclone('copy', folder, ':webdav:');
      expect(await stored()).toEqual(laid);
      await rclone('copy', folder, ':webdav:');
      expect((await rclone('lsf', ':webdav:')).stdout.trim().split('\n').toSorted()).toEqual([...laid.keys()].toSorted());
      await server.kill();
      await server.restart();
      // The server has forgotten the names, not the pictures.
      await rclone('copy', folder, ':webdav:');
      expect(await stored()).toEqual(laid);
      // Both are killed in the middle of their work; the files' names hold the tokens of printed links.
      const { key, event_id } = await boothKey();
      const strips = join(home, 'streifen');
      mkdirSync(strips);
      const tokens = Array.from({ length: 40 }, () => boothToken(key, event_id));
      for (const [n, token] of tokens.entries()) {
        const file = Buffer.concat([base, Buffer.from(`#Streifen ${n}`)]);
        await writeFile(join(strips, `${n}.${token}.jpg`), file);
        laid.set(`${n}.jpg`, sha256(file));
      }
      const copying = rclone('copy', strips, ':webdav:');
      await expect.poll(async () => (await stored()).size).toBeGreaterThan(8);
      await server.kill();
      copying.child.kill('SIGKILL');
      await expect(copying).rejects.toThrow();
      await server.restart();
      await rclone('copy', strips, ':webdav:');
      expect(await stored()).toEqual(laid);
      for (const token of tokens)
        expect((await fetch(`${server.url}/api/photos/temp_download/${token}`, { method: 'HEAD' })).status).toBe(200);
      mkdirSync(join(folder, 'Drucke'));
      copyFileSync(join(folder, 'IMG_3.jpg'), join(folder, 'Drucke/IMG_3.jpg'));
      await rclone('move', join(folder, 'Drucke'), ':webdav:Drucke');
      expect(readdirSync(join(folder, 'Drucke'))).toEqual([]);
      expect(await stored()).toEqual(laid);
    },
  );

  it.skipIf(!has('rclone', '/usr/bin/rclone'))(
    'is rclone as the guide says it, twice over the same names, with pictures of the same length',
    async () => {
      const commands = commandsOf('rclone')
        .replaceAll('https://fotos.example/dav/ABCD2345/', url)
        .replaceAll('ABCD2345', event.code)
        .replace("'…'", `'${PASSWORD}'`)
        // Another run of the tests must not hold the lock.
        .replaceAll('/tmp/', `${home}/`);
      expect(commands).toMatch(/flock -n .+ rclone move /);
      const settle = async (): Promise<void> => {
        for (const name of readdirSync(folder)) await utimes(join(folder, name), new Date(0), new Date(0));
      };
      await settle();
      await run('sh', ['-ec', commands], { env: env(), cwd: home });
      expect(readdirSync(folder)).toEqual([]);
      const others = await layOthers();
      await settle();
      // `--min-age` (5 s) also applies to files on the server: rclone ignores younger ones there, and would send all.
      const sent = performance.now();
      await expect.poll(() => performance.now() - sent).toBeGreaterThan(5500);
      await run('sh', ['-ec', commands], { env: env(), cwd: home });
      expect(readdirSync(folder)).toEqual([]);
      expect(await storedAll()).toEqual([...laid, ...others].toSorted());
    },
  );

  it.skipIf(!has('rclone', '/usr/bin/rclone'))(
    'is rclone whose second picture of a name does not arrive, and that then deletes the name: the first stays',
    async () => {
      const { stdout: obscured } = await run('rclone', ['obscure', PASSWORD], { env: env() });
      // This proxy passes all requests on; once it is broken, no picture arrives.
      const { hostname, port } = new URL(server.url);
      const asked: string[] = [];
      let isBroken = false;
      const line = createServer((request, response) => {
        asked.push(String(request.method));
        if (isBroken && request.method === 'PUT') return void request.destroy();
        const { method, url: path, headers } = request;
        const passed = ask({ hostname, port, method, path, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        });
        request.pipe(passed.on('error', () => response.destroy()));
      });
      await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
      const at = `http://127.0.0.1:${(line.address() as AddressInfo).port}/dav/${event.code}/`;
      const remote = ['--webdav-url', at, '--webdav-user', event.code, '--webdav-pass', obscured.trim(), '--config', join(home, 'none')];
      const move = () =>
        run('rclone', ['move', folder, ':webdav:', '--ignore-times', '--retries', '1', '--low-level-retries', '1', ...remote], {
          env: env(),
          timeout: 120_000,
        });
      await move();
      const others = await layOthers();
      isBroken = true;
      await expect(move()).rejects.toThrow();
      expect(asked).toContain('DELETE');
      expect(await storedAll()).toEqual([...laid].toSorted());
      isBroken = false;
      await move();
      expect(await storedAll()).toEqual([...laid, ...others].toSorted());
      line.close();
      line.closeAllConnections();
    },
  );

  it.skipIf(!canMount('rsync on a drive of rclone', '/usr/bin/rclone', '/usr/bin/rsync', '/usr/bin/fusermount3')).each([
    'writes',
    // In this mode, rclone deletes a file of the same name before it renames.
    'off',
  ])('is rsync on a drive of rclone with --vfs-cache-mode %s, where a second picture of a name is another photo', async (cache) => {
    const { stdout: obscured } = await run('rclone', ['obscure', PASSWORD], { env: env() });
    const drive = join(home, 'laufwerk');
    mkdirSync(drive);
    const remote = `--webdav-url ${url} --webdav-user ${event.code} --webdav-pass ${obscured.trim()} --config ${join(home, 'none')}`;
    const mount = `rclone mount :webdav: ${drive} ${remote} --vfs-cache-mode ${cache} --vfs-write-back 0s --cache-dir ${join(home, 'cache')}`;
    // The script unmounts the drive, so that rclone sends the files that it still holds.
    const script = `${mount} & until mountpoint -q ${drive}; do sleep 0.1; done; rsync -a ${folder}/ ${drive}/; said=$?; sleep 1; umount ${drive}; wait; exit $said`;
    const sync = () => run('unshare', ['--mount', 'sh', '-c', script], { env: env(), timeout: 120_000 });
    await sync();
    expect(await storedAll()).toEqual([...laid].toSorted());
    const others = await layOthers();
    await sync();
    expect(await storedAll()).toEqual([...laid, ...others].toSorted());
  });

  it.skipIf(!has('cadaver', '/usr/bin/cadaver'))('is cadaver, with folders, other names and locks', async () => {
    const { hostname } = new URL(url);
    await writeFile(join(home, '.netrc'), `machine ${hostname} login ${event.code} password ${PASSWORD}\n`, { mode: 0o600 });
    const commands = [
      'mkcol Drucke',
      'cd Drucke',
      'put IMG_3.jpg',
      'lock IMG_3.jpg',
      'unlock IMG_3.jpg',
      'move IMG_3.jpg IMG_4.jpg',
      'ls',
      'quit',
    ];
    const working = execFile('cadaver', [url], { env: env(), cwd: folder });
    let said = '';
    working.stdout?.on('data', (text) => (said += text));
    working.stdin?.end(`${commands.join('\n')}\n`);
    expect([await new Promise((resolve) => working.once('exit', resolve)), said]).toEqual([0, expect.stringContaining('IMG_4.jpg')]);
    expect(said).not.toMatch(/failed|40[0-9]|50[0-9]/);
    expect(await stored()).toEqual(new Map([['IMG_4.jpg', laid.get('IMG_3.jpg')]]));
  });

  it.skipIf(!has('gio', '/usr/bin/gio', '/usr/bin/dbus-run-session', '/usr/libexec/gvfsd-dav'))('is gio, the files of GNOME', async () => {
    const dav = url.replace('http://', `dav://${event.code}@`);
    const copies = [...laid.keys()].map((name) => `gio copy ${JSON.stringify(join(folder, name))} ${dav}`);
    const script = `echo ${PASSWORD} | gio mount ${dav} && ${copies.join(' && ')} && gio list ${dav}`;
    const { stdout } = await run('dbus-run-session', ['--', 'sh', '-c', script], { env: env() });
    for (const name of laid.keys()) expect(stdout).toContain(name);
    expect(await stored()).toEqual(laid);
  });

  it.skipIf(!canMount('davfs2', '/usr/sbin/mount.davfs'))(
    'is any software with a folder, on a drive of davfs2, with the QR code’s token in the name',
    async () => {
      const [drive, secrets, conf] = [join(home, 'laufwerk'), join(home, 'secrets'), join(home, 'davfs2.conf')];
      mkdirSync(drive);
      await writeFile(secrets, `${url} ${event.code} ${PASSWORD}\n`, { mode: 0o600 });
      await writeFile(conf, `secrets ${secrets}\ndelay_upload 0\n`);
      const { key, event_id } = await boothKey();
      const token = boothToken(key, event_id);
      const mounted = `mount.davfs -o conf=${conf} ${url} ${drive} && cp ${folder}/IMG_3.jpg ${drive}/IMG_3.${token}.jpg && ls ${drive}; umount ${drive}`;
      await run('unshare', ['--mount', 'sh', '-c', mounted], { env: { ...env(), PATH: `${process.env.PATH}:/usr/sbin` } });
      expect(await stored()).toEqual(new Map([['IMG_3.jpg', laid.get('IMG_3.jpg')]]));
      const picture = await fetch(`${server.url}/api/photos/temp_download/${token}`);
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      await picture.body?.cancel();
    },
  );
});
