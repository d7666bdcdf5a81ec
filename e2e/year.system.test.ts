import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addDays, berlinDay, startOfBerlinDay } from '@feierbild/contract/berlin.ts';
import { ADDRESSES_KEPT, DAY, PHOTOS_KEPT_DAYS, RECORDS_KEPT } from '@feierbild/contract/constants.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../server/src/app.ts';
import { readConfig } from '../server/src/config/config.ts';
import { TABLE_NAMES, type TableName } from '../server/src/database/tables.ts';
import { createLog } from '../server/src/lib/log.ts';
import { createServices, type Services } from '../server/src/services.ts';
import { createQuickVault } from '../server/src/vault/testing/quick-vault.ts';
import { adminOf, createEvent, deviceOf, hostOf, upload, type EventUnderTest } from './support/api.ts';
import { drawPhoto } from './support/photos.ts';
import { ADMIN } from './support/server.ts';

const NEW_YEAR = '2026-01-01';
const EVENTS = 200;
/** Days between two looks of the office. */
const STEP = 10;
/** Tables with rows when all events are gone: the operator's own, the installation's key, and the times of the hourly work. */
const OWN: TableName[] = ['operator_keys', 'admins', 'admin_keys', 'settings', 'leases'];

type Party = Omit<EventUnderTest, 'host'> & Partial<Pick<EventUnderTest, 'host'>>;

interface Booked extends Party {
  day: string;
}

describe('a year of one operator', () => {
  const clock = { time: startOfBerlinDay(NEW_YEAR) + 10 * 60 * 60 * 1000, now: () => clock.time };
  let folder: string;
  let services: Services;
  let app: Awaited<ReturnType<typeof createApp>>;
  let url: string;
  let pictures: Buffer[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'feierbild-year-'));
    const result = readConfig({
      DATA_DIR: folder,
      ADMIN_USERNAME: ADMIN.username,
      ADMIN_PASSWORD: ADMIN.password,
      DEMO: 'off',
      LOG_LEVEL: 'silent',
    });
    if ('mistakes' in result) throw new Error(result.mistakes.join('\n'));
    services = await createServices(result.config, createLog('silent'), { clock, vault: createQuickVault() });
    app = await createApp(services, null);
    await app.listen({ port: 0, host: '127.0.0.1' });
    url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
    pictures = await Promise.all([1, 2, 3, 4].map((seed) => drawPhoto(seed, 120, 90)));
  });
  afterAll(async () => {
    await app?.close();
    await services?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Holds the party: guests upload, the host hands a photo on and makes the ZIP. */
  async function celebrate(event: Booked): Promise<void> {
    for (const file of pictures.slice(0, 2)) {
      const stored = await upload({ url, code: event.code, device: await deviceOf(url), file });
      expect(stored.status).toBe(201);
    }
    if (!event.host) return;
    const host = await hostOf(url, { ...event, host: event.host });
    const { photos } = await host.json<{ photos: { id: string }[] }>('GET', `/api/events/${event.code}/photos`);
    await host.json('POST', `/api/photos/${photos[0]?.id}/link`);
    await host.json('POST', `/api/events/${event.code}/create-zip`);
    await host.json('POST', `/api/events/${event.code}/selections`, { photos: [photos[1]?.id] });
  }

  const rowsOf = async (table: TableName): Promise<number> => {
    const { count } = await services.db.kysely
      .selectFrom(table)
      .select((row) => row.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return Number(count);
  };
  const blobs = async (): Promise<string[]> => (await Array.fromAsync(services.blobs.list('events/'))).map(({ key }) => key);

  /** Expects that nothing is there longer than was promised. */
  async function expectPromises(): Promise<void> {
    const { kysely } = services.db;
    const overdue = addDays(berlinDay(clock.time), -PHOTOS_KEPT_DAYS - 1);
    const late = await kysely
      .selectFrom('photos')
      .innerJoin('events', 'events.id', 'photos.event_id')
      .select('events.code')
      .where('events.end_date', '<=', overdue)
      .execute();
    expect(late).toEqual([]);
    const whole = await kysely
      .selectFrom('audit')
      .select('address')
      .where('at', '<=', clock.time - ADDRESSES_KEPT)
      .where('address', 'is not', null)
      .execute();
    for (const { address } of whole) expect(address).toMatch(/\.0$/);
  }

  it('brings 200 events and takes them away again: in the end nothing is left that should be gone', { timeout: 600_000 }, async () => {
    const booked: Booked[] = [];
    let next = 0;
    let deleted = 0;
    // In each step the office opens, parties are held, and the hourly run comes by.
    for (let n = 0; n < 365; n += STEP) {
      const today = berlinDay(clock.time);
      const admin = await adminOf(url);
      for (; next < EVENTS && next * 365 <= (n + STEP) * EVENTS; next++) {
        const day = addDays(today, STEP * (1 + (next % 2)));
        const form = { title: `Fest ${next}`, start_date: day, end_date: day, is_active: next % 7 === 0 };
        // Only every third host ever logs in.
        const made = next % 3 === 0 ? await createEvent(admin, form) : await admin.json<Party>('POST', '/admin/create_event', form, 201);
        booked.push({ ...made, day });
      }
      for (const event of booked.filter(({ day }) => day === today)) await celebrate(event);
      // Some events are called off, or taken down early.
      if (n % 20 === 0) {
        const gone = booked.splice(Math.floor(booked.length / 2), 1)[0];
        if (gone) {
          await admin.json('DELETE', `/admin/events/${gone.id}`);
          deleted++;
        }
      }
      expect(await services.retention.run()).toBe(true);
      await expectPromises();
      clock.time += STEP * DAY;
    }
    expect(next).toBe(EVENTS);
    expect(deleted).toBeGreaterThan(15);
    expect(await rowsOf('photos')).toBeGreaterThan(0);

    // The office is closed now; only the hourly run goes on.
    for (let n = 0; n <= RECORDS_KEPT / DAY + PHOTOS_KEPT_DAYS + 6 * STEP; n += 10) {
      clock.time += 10 * DAY;
      await services.retention.run();
    }
    const left = await Promise.all(TABLE_NAMES.map(async (table) => [table, await rowsOf(table)] as const));
    expect(left.filter(([table, rows]) => rows > 0 && !OWN.includes(table))).toEqual([]);
    expect(await blobs()).toEqual([]);
  });
});
