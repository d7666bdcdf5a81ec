import { randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canMount, mountSmallDisk } from '../server/src/testing/system.ts';
import { adminOf, createEvent, deviceOf, hostOf, upload, type EventUnderTest } from './support/api.ts';
import { cli } from './support/cli.ts';
import { drawPhoto } from './support/photos.ts';
import { startServer, type TestServer } from './support/server.ts';

const DISK_MB = 128;
const PHOTO_BYTES = 8_000_000;
/** Sizes of the bytes appended to photos, which fill the disk in this order until the smallest does not fit either. */
const SIZES = [PHOTO_BYTES, 500_000, 50_000, 1000];

describe.skipIf(!canMount('a full disk under the whole service'))('on a disk that photos have filled, the service', () => {
  let disk: Awaited<ReturnType<typeof mountSmallDisk>>;
  let server: TestServer;
  let event: EventUnderTest;
  let device: string;
  let stored = 0;

  const send = async (bytes: number): Promise<Response> => {
    const file = Buffer.concat([await drawPhoto(1, 320, 240), randomBytes(bytes)]);
    return upload({ url: server.url, code: event.code, device, file });
  };
  /** Sends photos until one is refused, and returns that answer. */
  async function fill(bytes: number): Promise<Response> {
    let last = await send(bytes);
    for (; last.status === 201; last = await send(bytes)) stored += 1;
    return last;
  }
  /** Expects that the host can log in, list the photos, get one, and make a link. */
  async function expectServed(): Promise<void> {
    const host = await hostOf(server.url, event);
    const { photos } = await host.json<{ photos: { id: string }[] }>('GET', `/api/events/${event.code}/photos?per_page=100`);
    expect(photos).toHaveLength(stored);
    const { byteLength } = await (await host.request(`/api/photos/${photos[0]?.id}/download`)).arrayBuffer();
    expect(byteLength).toBeGreaterThan(PHOTO_BYTES);
    expect((await host.request(`/api/photos/${photos[0]?.id}/link`, { method: 'POST' })).status).toBe(201);
  }

  beforeAll(async () => {
    disk = await mountSmallDisk(DISK_MB);
    // On so small a disk the server is not ready: other nodes, if there were any, would take the uploads.
    server = await startServer({ DATA_DIR: join(disk.folder, 'data'), DECODERS: '1' }, undefined, '/health');
    event = await createEvent(await adminOf(server.url));
    device = await deviceOf(server.url);
    for (const bytes of SIZES) {
      const last = await fill(bytes);
      expect([last.status, await last.json()]).toMatchObject([507, { code: 'disk_full' }]);
    }
    expect(stored).toBeGreaterThan(3);
    expect(server.output()).toMatch(/"dependency":"disk".*"outage began"/);
    expect(server.output()).not.toContain('request failed');
  });
  afterAll(async () => {
    await server?.dispose();
    await disk?.unmount();
  });

  it('still lets the host log in, get photos and make links, and so it does after a crash', async () => {
    await expectServed();
    await server.kill();
    await server.restart();
    await expectServed();
    expect(server.output()).toContain('Hinweis: Für Uploads fehlt Platz auf der Platte (STAGING_ROOM_MB)');
    const { stdout } = await cli(server, ['doctor'], [], { PORT: new URL(server.url).port });
    expect(stdout).toMatch(/^Achtung +Dienst: Der Dienst läuft auf Port \d+, ist aber nicht bereit/m);
    // A start frees the space of the database's log.
    expect((await fill(1000)).status).toBe(507);
    await expectServed();
  });

  it('takes photos again as soon as the host has deleted some', async () => {
    const host = await hostOf(server.url, event);
    const { photos } = await host.json<{ photos: { id: string }[] }>('GET', `/api/events/${event.code}/photos?per_page=100`);
    for (const { id } of photos.slice(0, 2)) expect((await host.request(`/api/photos/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await send(PHOTO_BYTES)).status).toBe(201);
    stored -= 1;
  });

  it('is backed up to another disk all the same, and that is said', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'feierbild-elsewhere-'));
    const filler = join(disk.folder, 'filler');
    const folder = join(elsewhere, 'backup');
    try {
      expect(await cli(server, ['backup', folder])).toMatchObject({ code: 0, stderr: '' });
      // After a quiet hour, the backup is the first to note the clock.
      const db = new DatabaseSync(join(server.dataDir, 'feierbild.sqlite'), { timeout: 5000 });
      db.exec('update clock set trusted_at = trusted_at - 3600000');
      db.close();
      await expect(appendFile(filler, Buffer.alloc(DISK_MB * 1_100_000))).rejects.toMatchObject({ code: 'ENOSPC' });
      const whole = /^Sicherung \S+: \d+ Fotos, .*\nSie ist vollständig; .*: auf der Platte ist kein Platz mehr\.\n$/;
      expect(await cli(server, ['backup', folder])).toEqual({ code: 1, stdout: expect.stringMatching(whole), stderr: '' });
      expect(await readdir(join(folder, 'snapshots'))).toHaveLength(2);
      const restored = await cli(server, ['restore', folder], [], { DATA_DIR: join(elsewhere, 'data') });
      expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('alles in Ordnung') });
    } finally {
      await rm(filler, { force: true });
      await rm(elsewhere, { recursive: true, force: true });
    }
  });

  it('says in German why it does not start where something else has taken the rest, and that another attempt may help', async () => {
    await server.kill();
    const filler = join(disk.folder, 'filler');
    // The disk gets back files that the server's processes held open only when these end, which may make room for a start.
    const startWithoutRoom = async (): Promise<string> => {
      await expect(appendFile(filler, Buffer.alloc(DISK_MB * 1_100_000))).rejects.toMatchObject({ code: 'ENOSPC' });
      return server.restart().then(() => 'it started', String);
    };
    await expect.poll(startWithoutRoom).toMatch(/ended with 75:[^]*DATA_DIR: .*: auf der Platte ist kein Platz mehr\./);
    await rm(filler);
    await server.restart();
    await expectServed();
  });
});
