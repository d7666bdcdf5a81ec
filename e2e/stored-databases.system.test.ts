import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RELEASED } from '../server/src/database/migrations/released.ts';
import { openSession } from '../server/src/database/postgres.ts';
import { engines, newPostgres } from '../server/src/database/testing.ts';
import { freePort } from '../server/src/testing/system.ts';
import { createClient, deviceOf, hostOf, upload } from './support/api.ts';
import { drawPhoto } from './support/photos.ts';
import { sha256 } from './support/sha256.ts';
import { AS_DELIVERED, startServer, type TestServer } from './support/server.ts';
import type { StoredParty } from './support/stored-database.ts';

const STORED = join(import.meta.dirname, 'stored');
const versions = readdirSync(STORED);
const read = (version: string, name: string): Buffer => readFileSync(join(STORED, version, name));

it('each release that brought migrations has left a database which ends with them, the newest, too', () => {
  const last = versions.map(
    (version) =>
      [
        ...read(version, 'feierbild.sql')
          .toString()
          .matchAll(/^insert into kysely_migration values \('([^']+)'/gm),
      ].at(-1)?.[1],
  );
  expect(new Set(last).size).toBe(versions.length);
  expect(last).toContain(Object.keys(RELEASED).at(-1));
});

describe.each(versions)('what release %s has left', (version) => {
  describe.each(engines().map(({ name }) => name))('on %s', (engine) => {
    const party = (JSON.parse(read(version, 'parties.json').toString()) as Record<string, StoredParty>)[engine] as StoredParty;
    const owned = new AsyncDisposableStack();
    let server: TestServer;

    beforeAll(async () => {
      const folder = await mkdtemp(join(tmpdir(), 'feierbild-stored-'));
      owned.defer(() => rm(folder, { recursive: true, force: true }));
      // PostgreSQL runs as another user if this process is root.
      await chmod(folder, 0o755);
      const DATA_DIR = join(folder, 'data');
      for (const [path, base64] of Object.entries(party.files)) {
        const file = join(DATA_DIR, 'photos', path);
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, Buffer.from(base64, 'base64'));
      }
      if (engine === 'sqlite') {
        await writeFile(join(DATA_DIR, 'feierbild.sqlite'), gunzipSync(read(version, 'feierbild.sqlite.gz')));
        server = await startServer({ DATA_DIR }, AS_DELIVERED);
      } else {
        const port = await freePort();
        const postgres = newPostgres(join(folder, 'pg'), port);
        await postgres.initialise();
        await postgres.start();
        owned.defer(() => postgres.stop());
        const DATABASE_URL = `postgres://postgres:test@127.0.0.1:${port}/postgres`;
        const client = await openSession(DATABASE_URL);
        await client.query(read(version, 'feierbild.sql').toString());
        await client.end();
        server = await startServer({ DATA_DIR, DATABASE_URL }, AS_DELIVERED);
      }
      owned.defer(() => server.dispose());
    });
    afterAll(() => owned.disposeAsync());

    it('is opened by this one: all log in, see and get what is theirs, and the feast goes on', async () => {
      const { url } = server;
      const admin = createClient(url);
      await admin.json('POST', '/auth/admin/login', party.admin, 200);
      const code = party.host.username;
      const { events } = await admin.json<{ events: object[] }>('GET', '/admin/events');
      const { user_upload_password, fotobox_upload_password } = party;
      expect(events).toMatchObject([{ code, title: 'Hochzeit von früher', user_upload_password, fotobox_upload_password }]);

      const host = await hostOf(url, { id: '', code, title: '', host: party.host });
      const list = () =>
        host.json<{ photos: { id: string; filename: string; device: { name: string } }[] }>('GET', `/api/events/${code}/photos`);
      const [photo] = (await list()).photos;
      expect(photo).toMatchObject({ filename: 'IMG_0815.jpg', device: { name: 'Zoë' } });
      const guest = { headers: { 'device-id': party.device } };
      for (const [who, init] of [
        [host, {}],
        [createClient(url), guest],
      ] as const) {
        const original = await who.request(`/api/photos/${photo?.id}/download`, init);
        expect(sha256(Buffer.from(await original.arrayBuffer()))).toBe(party.sha256);
        expect((await who.request(`/api/photos/${photo?.id}/thumbnail`, init)).status).toBe(200);
      }
      const zip = await host.request(`/api/events/${code}/download`);
      expect([zip.status, Number(zip.headers.get('content-length'))]).toEqual([200, (await zip.arrayBuffer()).byteLength]);

      const sent = { url, code, device: await deviceOf(url), file: await drawPhoto(2, 60, 40) };
      expect((await upload({ ...sent, password: 'falsch' })).status).toBe(403);
      expect((await upload({ ...sent, password: user_upload_password })).status).toBe(201);
      expect((await list()).photos).toHaveLength(2);
      expect((await host.request(`/api/photos/${photo?.id}`, { method: 'DELETE' })).status).toBe(204);
    });
  });
});
