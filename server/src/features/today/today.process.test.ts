import type { Today } from '@feierbild/contract/calls/today.ts';
import { HOUR } from '@feierbild/contract/constants.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { logInAdmin } from '../accounts/testing.ts';
import { drawPhoto, openApp, type Headers, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';

const MINUTE = HOUR / 60;
/** Half past ten in the evening in Berlin. */
const EVENING = Date.parse('2026-05-17T20:30:00Z');
const ENGINES = enginesForRules();
const decoder = useDecoder(ENGINES);

describe.each(ENGINES)('the page of today on $name', (engine) => {
  const clock = { time: EVENING, now: () => clock.time };
  let app: TestApp;
  let admin: Headers;

  beforeEach(async () => {
    clock.time = EVENING;
    app = await openApp({ db: await engine.open(), decoder, clock });
    admin = await logInAdmin(app);
  });
  afterEach(() => app.close());

  const today = () => app.json<Today>('GET', '/admin/today', admin);
  const namesIn = ({ running, absent, due }: Today) => [running, absent, due].map((events) => events.map(({ title }) => title));

  it('shows what runs with its photos by the hour, and names nobody', async () => {
    const { id, code } = await app.event({ title: 'Hochzeit', with_fotobox: 1 }, { fotobox: 'Blitzlicht' });
    const send = async (at: number, headers: Record<string, string> = {}) => {
      clock.time = at;
      expect((await app.upload(code, await drawPhoto(), { headers: { 'device-name': 'Onkel%20Otto', ...headers } })).status).toBe(201);
    };
    await send(EVENING - 12 * HOUR);
    await send(EVENING - 2 * HOUR);
    await send(EVENING - 2 * HOUR + MINUTE);
    await send(EVENING - MINUTE, { 'event-password': 'Blitzlicht' });
    clock.time = EVENING;
    const answer = await today();
    expect(answer).toMatchObject({ day: '2026-05-17', since: '2026-05-17T09:00:00.000Z', alone: engine.name === 'sqlite' });
    expect(answer.running).toMatchObject([
      {
        id,
        photos: 4,
        hours: [0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1],
        last_photo_at: new Date(EVENING - MINUTE).toISOString(),
        booth_at: new Date(EVENING - MINUTE).toISOString(),
        walls: 0,
        pages: 0,
        host: 'none',
      },
    ]);
    expect(JSON.stringify(answer)).not.toContain('Otto');
    // The time is written at most once a minute, and not again after a restart.
    const seen = () => app.db.kysely.selectFrom('events').select('booth_seen_at').executeTakeFirst();
    await send(EVENING - MINUTE / 2, { 'event-password': 'Blitzlicht' });
    expect(await seen()).toEqual({ booth_seen_at: EVENING - MINUTE });
    await send(EVENING, { 'event-password': 'Blitzlicht' });
    expect(await seen()).toEqual({ booth_seen_at: EVENING });
    // A feast goes on after midnight, but not until breakfast.
    clock.time = Date.parse('2026-05-18T03:30:00Z');
    expect(namesIn(await today())[0]).toEqual(['Hochzeit']);
    clock.time = Date.parse('2026-05-18T04:30:00Z');
    expect(namesIn(await today())[0]).toEqual([]);
  });

  it.each([
    ['longer', '2027-10-30', '2027-10-31T04:30:00Z', '2027-10-31T05:30:00Z'],
    ['shorter', '2027-03-27', '2027-03-28T03:30:00Z', '2027-03-28T04:30:00Z'],
  ])('shows a feast until six in a night that is an hour %s', async (_, day, before, after) => {
    await app.event({ title: 'Hochzeit', start_date: day, end_date: day });
    clock.time = Date.parse(before);
    admin = await logInAdmin(app);
    expect(namesIn(await today())[0]).toEqual(['Hochzeit']);
    clock.time = Date.parse(after);
    expect(namesIn(await today())[0]).toEqual([]);
  });

  it('says that newcomers are kept from trying the password, as long as they are', async () => {
    const { code } = await app.event(
      { title: 'Geraten', with_upload_password: 1, start_date: '2026-05-17', end_date: '2026-05-17' },
      { upload: 'Blitzlicht' },
    );
    const guess = () => fetch(`${app.url}/event/${code}`, { headers: { 'event-password': 'geraten' } });
    for (let n = 0; n < 30; n++) await guess();
    expect((await today()).running).toMatchObject([{ locked_out_at: null }]);
    expect((await guess()).status).toBe(429);
    expect((await today()).running).toMatchObject([{ locked_out_at: new Date(clock.time).toISOString() }]);
    clock.time += 10 * MINUTE;
    expect((await today()).running).toMatchObject([{ locked_out_at: null }]);
  });

  it('counts walls and other pages that are open now', async () => {
    const { code, cookie: host } = await app.event();
    const controller = new AbortController();
    // A body without a reference would be garbage-collected and cancelled.
    const held: Response[] = [];
    const open = async (query: string) => {
      const { signal } = controller;
      held.push(await fetch(`${app.url}/api/events/${code}/live${query}`, { headers: { cookie: host }, signal }));
    };
    await open('?wall=1');
    await open('');
    await open('');
    expect((await today()).running).toMatchObject([{ walls: 1, pages: 2, booth_at: null, last_photo_at: null }]);
    expect(held.map(({ status }) => status)).toEqual([200, 200, 200]);
    controller.abort();
    await expect.poll(async () => (await today()).running).toMatchObject([{ walls: 0, pages: 0 }]);
  });

  it('shows whose host was never there, and what is deleted within a week', async () => {
    const on = (day: string) => ({ start_date: day, end_date: day });
    await app.event({ title: 'Bald', ...on('2026-05-31') });
    const { id } = await app.event({ title: 'War da', ...on('2026-05-20') });
    await app.db.kysely
      .insertInto('hosts')
      .values({ event_id: id, created_at: 1, reset_at: null, reset_seen_at: null, first_login_at: 2 })
      .execute();
    const ready = await app.event({ title: 'Bereit', ...on('2026-05-21') });
    await app.db.kysely.insertInto('hosts').values({ event_id: ready.id, created_at: 1, reset_at: null, reset_seen_at: null }).execute();
    await app.event({ title: 'Fern', ...on('2026-06-01') });
    await app.event({ title: 'Gelöscht', ...on('2026-05-17'), purging_at: 1 });
    await app.event({ title: 'Geht bald', ...on('2026-04-24'), photo_count: 3 });
    await app.event({ title: 'Geht zuerst', ...on('2026-04-20'), video_count: 1, zip_downloaded_at: EVENING });
    await app.event({ title: 'Leer', ...on('2026-04-20') });
    await app.event({ title: 'Hat Zeit', ...on('2026-04-25'), photo_count: 3 });
    const answer = await today();
    expect(namesIn(answer)).toEqual([[], ['Bereit', 'Bald'], ['Geht zuerst', 'Geht bald']]);
    expect(answer.absent.map(({ host }) => host)).toEqual(['ready', 'none']);
    expect(answer.due).toMatchObject([
      { deletion_date: '2026-05-20', zip_downloaded_at: new Date(EVENING).toISOString() },
      { deletion_date: '2026-05-24', zip_downloaded_at: null },
    ]);
  });

  it('lists fifty events at most, and says that there are more', async () => {
    for (let n = 0; n < 51; n++) await app.event();
    const { running, absent, more } = await today();
    expect([running.length, absent.length, more]).toEqual([50, 50, { running: true, absent: true, due: false }]);
  });
});
