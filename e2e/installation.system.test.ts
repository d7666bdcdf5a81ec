import { DAY } from '@feierbild/contract/constants.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Browser } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { RELEASED } from '../server/src/database/migrations/released.ts';
import { adminOf, createEvent, deviceOf, hostOf, LONG_OVER, upload } from './support/api.ts';
import { DESKTOP, openPage } from './support/browser.ts';
import { cli } from './support/cli.ts';
import { useServer } from './support/use-server.ts';
import { logInAsAdmin } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import type { TestServer } from './support/server.ts';

/** Limit of the erasure: keys of deleted photos stay for a minute at most; a busy machine takes a little longer. */
const ERASED_MS = 75_000;

describe('the data of an installation', () => {
  let server: TestServer;
  let browser: Browser;
  useServer((started) => ({ server, browser } = started), { LOG_LEVEL: 'info' });

  const onDatabase = <T>(work: (db: DatabaseSync) => T): T => {
    const db = new DatabaseSync(join(server.dataDir, 'feierbild.sqlite'), { timeout: 10_000 });
    try {
      return work(db);
    } finally {
      db.close();
    }
  };
  /** Reads a file; nothing if it has gone meanwhile, as the store's temporary files do. */
  const contentOf = (path: string): Buffer => {
    try {
      return readFileSync(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return Buffer.alloc(0);
    }
  };
  /** Finds the files of the data folder that hold these bytes. */
  const filesWith = (bytes: Uint8Array): string[] =>
    readdirSync(server.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => contentOf(path).includes(bytes));
  const keyOf = (query: string, id: string): Uint8Array => onDatabase((db) => Object.values(db.prepare(query).get(id)!)[0] as Uint8Array);

  it('holds in no file the key of a host’s old password', async () => {
    const admin = await adminOf(server.url);
    const event = await createEvent(admin);
    const hostKey = keyOf('select wrapped from host_keys where event_id = ?', event.id);
    expect(filesWith(hostKey)).toEqual([expect.any(String)]);
    await admin.json('PUT', `/admin/events/${event.id}/user/password`, {}, 200);
    expect(filesWith(hostKey)).toEqual([]);
  });

  describe('in the minute after a photo was deleted', () => {
    let photoKey: Uint8Array;
    let deletedAt: number;

    // Nothing else that erases keys at once comes before the minute is over.
    beforeAll(async () => {
      const event = await createEvent(await adminOf(server.url));
      const target = { url: server.url, code: event.code, device: await deviceOf(server.url) };
      const response = await upload({ ...target, file: await drawPhoto(1, 300, 200) });
      const { photo } = (await response.json()) as { photo: { id: string } };
      photoKey = keyOf('select sealed_for_event from photo_keys where photo_id = ?', photo.id);
      expect(filesWith(photoKey)).toEqual([expect.any(String)]);
      const host = await hostOf(server.url, event);
      expect((await host.request(`/api/photos/${photo.id}`, { method: 'DELETE' })).ok).toBe(true);
      deletedAt = performance.now();
    });

    it('is not migrated by a command, which says what is pending or newer', async () => {
      const schema = () => onDatabase((db) => JSON.stringify(db.prepare('select * from sqlite_master').all()));
      const before = schema();
      const withMigrations = async (change: string, undo: string): Promise<unknown[]> => {
        onDatabase((db) => db.exec(change));
        const ran = await Promise.all(['audit', 'verify', 'admin list'].map((command) => cli(server, command.split(' '))));
        onDatabase((db) => db.exec(undo));
        expect(ran.map(({ code, stdout }) => [code, stdout])).toEqual(ran.map(() => [1, '']));
        return [...new Set(ran.map(({ stderr }) => stderr))];
      };
      expect(
        await withMigrations(
          "insert into kysely_migration values ('9999-later', '2027-01-01'); insert into settings values ('migration 9999-later', x'00'); update settings set value = cast('9999-later' as blob) where name = 'least_schema'",
          "delete from kysely_migration where name = '9999-later'; delete from settings where name = 'migration 9999-later'; update settings set value = cast('0002-photo-states' as blob) where name = 'least_schema'",
        ),
      ).toEqual([
        'Die Datenbank ist von einer neueren Fassung von Feierbild (9999-later). Dieser Befehl braucht dieselbe Fassung wie der Dienst. Es wurde nichts geändert.\n',
      ]);
      expect(
        await withMigrations(
          "delete from kysely_migration where name = '0003-gallery'",
          "insert into kysely_migration values ('0003-gallery', '2026-01-01')",
        ),
      ).toEqual([
        'Der Datenbank fehlt noch der Stand dieser Fassung (0003-gallery). Den bringt der Dienst beim Start oder „migrate“. Es wurde nichts geändert.\n',
      ]);
      const hash = "settings set name = name || 'x' where name like 'migration 0001-start%'";
      expect(await withMigrations(`update ${hash}`, `update ${hash.replace("name || 'x'", "'migration 0001-start'")}`)).toEqual([
        expect.stringMatching(/^Die Datenbank hat einen Stand, den keine veröffentlichte Fassung .* es wurde nichts geändert\. /),
      ]);
      expect(schema()).toBe(before);
      expect((await cli(server, ['migrate'])).stdout).toBe(
        `Die Datenbank hat den Stand dieser Fassung: ${Object.keys(RELEASED).at(-1)}.\n`,
      );
    });

    it('comes to hold its keys in no file', async () => {
      const timeout = Math.max(1, deletedAt + ERASED_MS - performance.now());
      await expect.poll(() => filesWith(photoKey), { timeout, interval: 1000 }).toEqual([]);
    });
  });

  it('loses nothing by a clock that leapt, until an administrator says in the browser that it is right', async () => {
    const over = await createEvent(await adminOf(server.url), LONG_OVER);
    const purgedAt = () =>
      onDatabase((db) => (db.prepare('select purged_at from events where id = ?').get(over.id) as { purged_at: number | null }).purged_at);
    await server.kill();
    // The last trusted time becomes older than a week.
    onDatabase((db) => db.exec(`update clock set trusted_at = trusted_at - ${8 * DAY}`));
    await server.restart();
    await expect.poll(() => server.output()).toContain('the clock leapt');
    const refused = await cli(server, ['maintain']);
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/Nichts wurde gelöscht\. .*rufen Sie „maintain --clock-is-right“ auf\.\n$/),
    });
    expect(purgedAt()).toBeNull();

    const { page, context, errors } = await openPage(browser, server.url, DESKTOP);
    await logInAsAdmin(page);
    const banner = page.getByText('Die Uhr des Servers ist gesprungen');
    await banner.waitFor();
    await page.getByRole('button', { name: 'Die Uhr geht richtig' }).click();
    await banner.waitFor({ state: 'detached' });
    expect(errors).toEqual([]);
    await context.close();
    await expect.poll(purgedAt).not.toBeNull();
    expect((await cli(server, ['audit'])).stdout).toMatch(/admin:admin +Uhrzeit bestätigt/);
  });
});
