import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminOf, createEvent, deviceOf, hostOf, upload, type EventUnderTest } from './support/api.ts';
import { cli } from './support/cli.ts';
import { drawPhoto } from './support/photos.ts';
import { startServer, type TestServer } from './support/server.ts';
import { sha256 } from './support/sha256.ts';

const PHOTOS = 300;
const CLIENTS = 20;
const KILLS = 4;

const UUID_LENGTH = 36;

describe('kill -9 in the middle of 300 uploads', () => {
  let server: TestServer;
  let event: EventUnderTest;

  beforeAll(async () => {
    server = await startServer();
    event = await createEvent(await adminOf(server.url));
  });
  afterAll(() => server?.dispose());

  it('loses nothing that was answered, keeps each photo once, and leaves no orphan', { timeout: 600_000 }, async () => {
    // One drawn photo is made different by trailing bytes, which JPEG decoders ignore.
    const base = await drawPhoto(1, 1600, 1200);
    const files = Array.from({ length: PHOTOS }, (_, n) => Buffer.concat([base, Buffer.from(`#${n}`)]));
    const device = await deviceOf(server.url);
    const answered = new Map<string, string>();
    let next = 0;

    const client = async (): Promise<void> => {
      for (let n = next++; n < PHOTOS; n = next++) {
        const file = files[n] as Buffer;
        for (;;) {
          const response = await upload({ url: server.url, code: event.code, device, file, name: `${n}.jpg` }).catch(() => null);
          const body = response && (await response.json().catch(() => null));
          if (body && (response.status === 201 || response.status === 200)) {
            answered.set(sha256(file), body.photo.id);
            break;
          }
          if (body && response.status < 500) throw new Error(`refused: ${JSON.stringify(body)}`);
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }
    };
    const killer = async (): Promise<void> => {
      for (let kill = 1; kill <= KILLS; kill++) {
        // Each kill comes at a random moment in its own fifth of the work.
        const at = (PHOTOS / (KILLS + 1)) * (kill + (Math.random() - 0.5) * 0.8);
        while (answered.size < at) await new Promise((resolve) => setTimeout(resolve, 5));
        await server.restart();
      }
    };
    await Promise.all([killer(), ...Array.from({ length: CLIENTS }, client)]);
    await server.restart();
    // All files are made old enough for the sweep, which removes what crashes left.
    const photos = join(server.dataDir, 'photos');
    const old = new Date(Date.now() - 4 * 60 * 60 * 1000);
    for (const entry of await readdir(photos, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), old, old).catch(() => undefined);
    expect((await cli(server, ['maintain'])).code).toBe(0);

    const host = await hostOf(server.url, event);
    const ids: string[] = [];
    for (let page = 1; ; page++) {
      const { photos, pagination } = await host.json<{ photos: { id: string }[]; pagination: { total_pages: number } }>(
        'GET',
        `/api/events/${event.code}/photos?page=${page}&per_page=100`,
      );
      ids.push(...photos.map((photo) => photo.id));
      if (page >= pagination.total_pages) break;
    }
    expect(ids.length).toBe(PHOTOS);
    const stored = new Set<string>();
    for (const id of ids) stored.add(sha256(Buffer.from(await (await host.request(`/api/photos/${id}/download`)).arrayBuffer())));
    expect(stored).toEqual(new Set(files.map(sha256)));
    for (const [hash, id] of answered) expect([stored.has(hash), ids.includes(id)]).toEqual([true, true]);

    expect(await server.stop()).toBe(0);
    const db = new DatabaseSync(join(server.dataDir, 'feierbild.sqlite'), { readOnly: true });
    const row = db.prepare('select used_bytes, photo_count from events where id = ?').get(event.id) as {
      used_bytes: number;
      photo_count: number;
    };
    const sum = db.prepare('select sum(size) as bytes, count(*) as photos from photos where event_id = ?').get(event.id) as {
      bytes: number;
      photos: number;
    };
    db.close();
    expect(row).toMatchObject({ used_bytes: sum.bytes, photo_count: sum.photos });
    const blobs = (await readdir(server.dataDir, { recursive: true, withFileTypes: true })).filter(
      (entry) => entry.isFile() && /\.(original|thumbnail|preview)$/.test(entry.name),
    );
    // Names are `{photo}.original` or `{photo}-{attempt}.preview`; each variant of a photo exists once at most.
    const variants = blobs.map(({ name }) => `${name.slice(0, UUID_LENGTH)}.${name.split('.').at(-1)}`);
    expect(new Set(variants).size).toBe(blobs.length);
    expect(new Set(variants.map((variant) => variant.slice(0, UUID_LENGTH)))).toEqual(new Set(ids));
    const staged = await readdir(join(server.dataDir, 'staging')).catch(() => []);
    expect(staged).toEqual([]);
  });
});
