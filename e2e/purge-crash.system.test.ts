import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminOf, createEvent, deviceOf, LONG_OVER, upload, type Client, type EventUnderTest } from './support/api.ts';
import { cli, startCli } from './support/cli.ts';
import { drawPhoto } from './support/photos.ts';
import { startServer, type TestServer } from './support/server.ts';

const PHOTOS = 40;
/** An ended event that guests can still use: „Dauerhaft aktiv“ keeps no photo. */
const OVER = { ...LONG_OVER, is_active: true };

describe('a deletion that is killed in the middle, with guests uploading', () => {
  let server: TestServer;
  let admin: Client;
  let db: DatabaseSync;
  let over: EventUnderTest[];
  let kept: EventUnderTest;

  beforeAll(async () => {
    server = await startServer();
    admin = await adminOf(server.url);
    over = [await createEvent(admin, OVER), await createEvent(admin, OVER), await createEvent(admin, OVER)];
    kept = await createEvent(admin);
    const device = await deviceOf(server.url);
    for (const { code } of [...over, kept]) {
      const files = await Promise.all(Array.from({ length: PHOTOS }, (_, n) => drawPhoto(n, 90, 60)));
      await Promise.all(files.map((file) => upload({ url: server.url, code, device, file })));
    }
    db = new DatabaseSync(join(server.dataDir, 'feierbild.sqlite'), { timeout: 5000 });
  });
  afterAll(async () => {
    db?.close();
    await server?.dispose();
  });

  const count = (query: string): number => (db.prepare(query).get() as { n: number }).n;
  const begun = (): number => count('select count(*) as n from events where purging_at is not null and purged_at is null');
  const ofOver = (table: string): number =>
    (db.prepare(`select count(*) as n from ${table} where event_id in (?, ?, ?)`).get(...over.map(({ id }) => id)) as { n: number }).n;

  it('is finished by the next run: nothing of what was over is left, nothing else is touched', async () => {
    // Guests go on uploading until they learn that the event is over.
    const device = await deviceOf(server.url);
    let guests = true;
    const uploading = over.map(async ({ code }, n) => {
      const answers: number[] = [];
      for (let seed = 1000 * (n + 1); guests; seed++) {
        answers.push((await upload({ url: server.url, code, device, file: await drawPhoto(seed, 90, 60) })).status);
      }
      return answers;
    });

    let kills = 0;
    while (kills < 3 && count('select count(*) as n from events where purged_at is not null') < over.length) {
      const { child, ended } = startCli(server, ['maintain']);
      let gone = false;
      void ended.then(() => (gone = true));
      const before = count('select count(*) as n from events where purged_at is not null');
      while (!gone && begun() === 0 && count('select count(*) as n from events where purged_at is not null') === before)
        await setImmediate();
      if (!gone) {
        child.kill('SIGKILL');
        kills++;
      }
      await ended;
      // The killed process's lease expires.
      db.exec('delete from leases');
    }
    expect(kills).toBeGreaterThan(0);
    expect((await cli(server, ['maintain'])).code).toBe(0);
    guests = false;
    const ofGuests = await Promise.all(uploading);
    const stored201 = ofGuests.map((answers) => answers.filter((status) => status === 201).length);
    const answers = ofGuests.flat();
    expect(answers).toContain(201);
    expect(answers).toContain(403);
    expect(answers.filter((status) => ![201, 403, 404].includes(status))).toEqual([]);

    expect(count('select count(*) as n from events where purged_at is not null')).toBe(over.length);
    for (const table of ['photos', 'photo_keys', 'devices', 'sessions', 'host_keys', 'event_keys']) {
      expect([table, ofOver(table)]).toEqual([table, 0]);
    }
    const stored = readdirSync(join(server.dataDir, 'photos'), { recursive: true, encoding: 'utf8' });
    expect(stored.filter((path) => over.some(({ id }) => path.includes(id)) && /\.(original|thumbnail|preview)$/.test(path))).toEqual([]);
    expect(count(`select count(*) as n from photos where event_id = '${kept.id}'`)).toBe(PHOTOS);
    // Each event has one receipt, which counts all photos that were acknowledged to guests.
    const receipts = db.prepare('select event_id, photos, signature is not null as signed from receipts order by event_id').all();
    expect(receipts.map((row) => ({ ...row }))).toEqual(
      over
        .map(({ id }, n) => ({ event_id: id, photos: PHOTOS + (stored201[n] ?? 0), signed: 1 }))
        .toSorted((one, other) => (one.event_id < other.event_id ? -1 : 1)),
    );
    const verified = await cli(server, ['verify']);
    expect([verified.code, verified.stdout]).toEqual([0, verified.stdout]);
  });
});
