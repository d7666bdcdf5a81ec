import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const HELPER = join(import.meta.dirname, '../examples/fotobox/ausloeser.mjs');
const SECRET = 'ein-geheimer-pfad-1';

describe('the helper for software that reports its pictures', () => {
  let home: string;
  let folder: string;
  let source: string;
  let media: Server;
  let origin: string;
  let child: ChildProcess;
  let said: string;
  let url: string;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'ausloeser-'));
    [folder, source] = [join(home, 'bilder'), join(home, 'prints')];
    for (const path of [folder, source]) mkdirSync(path);
    media = createServer((asked, response) => {
      if (asked.url === '/away.jpg') response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
      else response.writeHead(200, { 'content-type': 'image/jpeg' }).end('ein Bild');
    });
    await new Promise<void>((resolve) => media.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(media.address() as AddressInfo).port}`;
    said = '';
    const args = ['--folder', folder, '--quelle', source, '--medien-von', origin, '--port', '0'];
    child = spawn(process.execPath, [HELPER, ...args], { env: { AUSLOESER_GEHEIMNIS: SECRET }, stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr?.on('data', (text) => (said += text));
    await expect.poll(() => said).toContain('Bereit');
    url = /http:\S+(?=\/ )/.exec(said)?.[0] as string;
  });
  afterEach(async () => {
    child.kill('SIGKILL');
    media.close();
    await rm(home, { recursive: true, force: true });
  });

  const ask = (path: string, { method = 'GET', headers = {}, body = '' } = {}): Promise<number> =>
    new Promise((resolve, reject) => {
      const sending = request(`${url}${path}`, { method, headers }, (response) => resolve(response.resume().statusCode ?? 0));
      sending.on('error', reject).end(body);
    });
  const report = (file: string, headers = {}): Promise<number> =>
    ask(`/?event_type=processing_start&param1=IMG_1.jpg&param2=${encodeURIComponent(file)}`, { headers });

  it('lays a picture that dslrBooth has finished into the watched folder, whole, from the named folder alone', async () => {
    await writeFile(join(source, 'Streifen 1.jpg'), 'ein Streifen');
    expect(await ask('/?event_type=session_start&param1=PrintOnly')).toBe(204);
    expect(await report(join(source, 'Streifen 1.jpg'))).toBe(200);
    expect(await readFile(join(folder, 'Streifen 1.jpg'), 'utf8')).toBe('ein Streifen');
    await writeFile(join(home, 'privat.jpg'), 'privat');
    await symlink(join(home, 'privat.jpg'), join(source, 'verweis.jpg'));
    for (const path of [join(home, 'privat.jpg'), '../privat.jpg', 'verweis.jpg', 'nichts.jpg', '/etc/hostname.jpg'])
      expect(await report(path)).toBe(403);
    // A page in the PC's browser, and a name of a stranger that leads here.
    for (const headers of [{ origin: 'https://boese.example' }, { 'sec-fetch-site': 'cross-site' }, { host: 'boese.example' }])
      expect(await report(join(source, 'Streifen 1.jpg'), headers)).toBe(403);
    expect(await readdir(folder)).toEqual(['Streifen 1.jpg']);
  });

  it('fetches the picture of a webhook from the named places alone, under the secret path alone', async () => {
    const hook = (body: unknown, path = `/${SECRET}`): Promise<number> => ask(path, { method: 'POST', body: JSON.stringify(body) });
    expect(await hook({ contentType: 'image/jpeg', mediaUrl: `${origin}/a/1.jpg`, page: 'https://anders.example/' })).toBe(200);
    expect(await hook({ mediaUrl: `${origin}/a/1.jpg` })).toBe(200);
    const [name, ...others] = await readdir(folder);
    expect([others, await readFile(join(folder, String(name)), 'utf8')]).toEqual([[], 'ein Bild']);
    expect(await hook({ mediaUrl: 'http://169.254.169.254/1.jpg' })).toBe(403);
    expect(await hook({ mediaUrl: `${origin}/away.jpg` })).toBe(500);
    expect(await hook({ mediaUrl: `${origin}/2.jpg` }, '/falsch')).toBe(403);
    expect(await hook(null)).toBe(403);
    expect(await hook('x'.repeat(70_000))).toBe(413);
    expect(await readdir(folder)).toEqual([name]);
  });
});
