import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const HELPER = join(import.meta.dirname, '../examples/fotobox/ausloeser.mjs');

describe('the helper for software that reports its pictures', () => {
  let home: string;
  let folder: string;
  let source: string;
  let child: ChildProcess;
  let said: string;
  let url: string;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'ausloeser-'));
    [folder, source] = [join(home, 'bilder'), join(home, 'prints')];
    for (const path of [folder, source]) mkdirSync(path);
    said = '';
    child = start('0');
    await expect.poll(() => said).toContain('Bereit');
    url = /http:\S+(?=\/ )/.exec(said)?.[0] as string;
  });
  afterEach(async () => {
    child.kill('SIGKILL');
    await rm(home, { recursive: true, force: true });
  });

  function start(port: string, ...more: string[]): ChildProcess {
    const args = ['--folder', folder, '--quelle', source, '--port', port, ...more];
    const started = spawn(process.execPath, [HELPER, ...args], { env: {}, stdio: ['ignore', 'ignore', 'pipe'] });
    started.stderr?.on('data', (text) => (said += text));
    return started;
  }
  const ask = (path: string, { method = 'GET', headers = {} } = {}): Promise<number> =>
    new Promise((resolve, reject) => {
      const sending = request(`${url}${path}`, { method, headers }, (response) => resolve(response.resume().statusCode ?? 0));
      sending.on('error', reject).end();
    });
  const report = (file: string, headers = {}): Promise<number> =>
    ask(`/?event_type=processing_start&param1=IMG_1.jpg&param2=${encodeURIComponent(file)}`, { headers });

  it('lays a picture that dslrBooth finishes into the watched folder, whole, from the named folder alone', async () => {
    await writeFile(join(source, 'Streifen 1.jpg'), 'ein Streifen');
    expect(await ask('/?event_type=session_start&param1=PrintOnly')).toBe(204);
    expect(await report(join(source, 'Streifen 1.jpg'))).toBe(202);
    await expect.poll(() => said).toContain('Streifen 1.jpg: liegt im Ordner.');
    expect(await readFile(join(folder, 'Streifen 1.jpg'), 'utf8')).toBe('ein Streifen');
    await writeFile(join(home, 'privat.jpg'), 'privat');
    await symlink(join(home, 'privat.jpg'), join(source, 'verweis.jpg'));
    for (const path of [join(home, 'privat.jpg'), '../privat.jpg', '/etc/hostname.jpg', `${source}-anders/1.jpg`])
      expect(await report(path)).toBe(403);
    expect(await report('verweis.jpg')).toBe(202);
    await expect.poll(() => said).toContain('verweis.jpg: liegt nicht in');
    // These headers come from a page in the PC's browser, and from a stranger's domain that leads to this address.
    for (const headers of [{ origin: 'https://boese.example' }, { 'sec-fetch-site': 'cross-site' }, { host: 'boese.example' }])
      expect(await report(join(source, 'Streifen 1.jpg'), headers)).toBe(403);
    expect(await ask('/?event_type=processing_start&param1=Streifen%201.jpg', { method: 'POST' })).toBe(403);
    expect(await ask('/?event_type=processing_start&param1=session')).toBe(400);
    expect(await readdir(folder)).toEqual(['Streifen 1.jpg']);
  });

  it('listens to this PC by each of its names', async () => {
    const { port } = new URL(url);
    for (const host of ['127.0.0.1', 'localhost', '[::1]'])
      expect([host, await ask('/?event_type=session_start', { headers: { host: `${host}:${port}` } })]).toEqual([host, 204]);
  });

  it('listens to other PCs where it is told so, by each of its addresses, and to no other name', async () => {
    said = '';
    const open = start('0', '--host', '0.0.0.0');
    try {
      await expect.poll(() => said).toContain('jeder Adresse dieses PCs');
      const port = /:(\d+)\/ /.exec(said)?.[1] as string;
      // Any of 127/8 is an address of this PC.
      url = `http://127.0.0.2:${port}`;
      expect(await ask('/?event_type=session_start')).toBe(204);
      for (const host of ['127.0.0.3', 'boese.example', '0.0.0.0.nip.io'])
        expect([host, await ask('/?event_type=session_start', { headers: { host: `${host}:${port}` } })]).toEqual([host, 403]);
      expect(said).toContain('Eine Anfrage an boese.example wurde abgelehnt');
    } finally {
      open.kill('SIGKILL');
    }
  });

  it('says in one sentence why it cannot listen, and ends as for wrong settings', async () => {
    const { port } = new URL(url);
    for (const [wrong, sentence] of [
      ['achttausend', '--port ist keine Zahl von 0 bis 65535'],
      ['70000', '--port ist keine Zahl von 0 bis 65535'],
      [port, `Port ${port} ist belegt. Läuft der Auslöser schon?`],
    ] as const) {
      said = '';
      const [code] = (await once(start(wrong), 'close')) as [number];
      expect([code, said]).toEqual([78, expect.stringContaining(sentence)]);
      expect(said).not.toContain('    at ');
    }
  });

  it('waits for a picture that is reported before it is written, and lays it once it is whole', async () => {
    const [path, whole] = [join(source, 'Film.mp4'), 'ein ganzer Film'];
    expect(await report(path)).toBe(202);
    expect(await report(path)).toBe(202);
    expect(await readdir(folder)).toEqual([]);
    for (let length = 1; length <= whole.length; length++) writeFileSync(path, whole.slice(0, length));
    await expect.poll(() => readdir(folder)).toEqual(['Film.mp4']);
    expect(await readFile(join(folder, 'Film.mp4'), 'utf8')).toBe(whole);
  });

  it('tries again what cannot be copied, and says so once', async () => {
    await rm(folder, { recursive: true });
    await writeFile(join(source, 'IMG_1.jpg'), 'ein Bild');
    expect(await report('IMG_1.jpg')).toBe(202);
    await expect.poll(() => said).toContain('IMG_1.jpg: ließ sich noch nicht kopieren (ENOENT).');
    // A report of the same picture that comes meanwhile adds nothing.
    expect(await report('IMG_1.jpg')).toBe(202);
    mkdirSync(folder);
    await expect.poll(() => said).toContain('IMG_1.jpg: liegt im Ordner.');
    expect(said.split('IMG_1.jpg: ').length - 1).toBe(2);
    expect(await readdir(folder)).toEqual(['IMG_1.jpg']);
  });

  it('replaces no picture that may still wait for the network, and lays none twice', async () => {
    const laid = (times: number) => expect.poll(() => said.split('liegt im Ordner').length - 1).toBe(times);
    await writeFile(join(source, 'IMG_1.jpg'), 'erstes');
    expect(await report('IMG_1.jpg')).toBe(202);
    await laid(1);
    expect(await report('IMG_1.jpg')).toBe(202);
    await writeFile(join(source, 'IMG_2.jpg'), 'noch eins');
    expect(await report('IMG_2.jpg')).toBe(202);
    await laid(2);
    await writeFile(join(source, 'IMG_1.jpg'), 'anderes');
    expect(await report('IMG_1.jpg')).toBe(202);
    await laid(3);
    expect((await readdir(folder)).toSorted()).toEqual(['IMG_1 (2).jpg', 'IMG_1.jpg', 'IMG_2.jpg']);
    expect(await readFile(join(folder, 'IMG_1.jpg'), 'utf8')).toBe('erstes');
    expect(await readFile(join(folder, 'IMG_1 (2).jpg'), 'utf8')).toBe('anderes');
  });
});
