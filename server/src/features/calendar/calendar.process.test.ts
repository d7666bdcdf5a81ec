import ICAL from 'ical.js';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { openDesk, PARTY, type Desk, type Jar } from '../accounts/testing.ts';

describe.each(enginesForRules())('the calendar on $name', (engine) => {
  let desk: Desk;
  let admin: Jar;

  beforeEach(async () => {
    desk = await openDesk({ db: await engine.open(), clock: { now: () => PARTY } });
    admin = await desk.admin();
  }, 60_000);
  afterEach(() => desk.close());
  afterAll(() => engine.dispose());

  async function tokenFor(...scopes: string[]): Promise<string> {
    return (await desk.send('POST', '/admin/tokens', { cookies: admin, body: { name: 'Kalender', scopes } })).json<{ token: string }>()
      .token;
  }
  const ask = (token: string) => desk.send('GET', `/admin/calendar.ics?token=${token}`, { headers: { accept: 'text/html,*/*' } });
  const read = (text: string): ICAL.Event[] =>
    new ICAL.Component(ICAL.parse(text) as unknown[]).getAllSubcomponents('vevent').map((event) => new ICAL.Event(event));

  it('has each event with its days, and its title only where the address may', async () => {
    const title = 'Lena; „Jonas“,\nBEGIN:VEVENT\\n äöü '.repeat(3).trim();
    const { id, code } = await desk.event(admin, { title, start_date: '2026-05-16', end_date: '2026-05-17' });
    await desk.event(admin, { title: 'Ball', start_date: '2026-03-29', end_date: '2026-03-29' });
    const whole = await ask(await tokenFor('calendar:read', 'calendar:titles'));
    expect(whole.headers['content-type']).toBe('text/calendar; charset=utf-8');
    expect(read(whole.body).map((event) => [event.summary, event.startDate.toString(), event.endDate.toString()])).toEqual([
      ['Ball', '2026-03-29', '2026-03-30'],
      // A calendar's title is one line.
      [title.replaceAll('\n', ' '), '2026-05-16', '2026-05-18'],
    ]);
    const bare = await ask(await tokenFor('calendar:read'));
    expect(read(bare.body).map(({ uid, summary }) => [uid, summary])[1]).toEqual([`${id}@feierbild`, `Event ${code}`]);
    expect(bare.body).not.toContain('Lena');
  });

  it('opens for no other token, and no token of a calendar opens anything else', async () => {
    const program = await tokenFor('events:read', 'events:write');
    expect((await ask(program)).statusCode).toBe(403);
    expect((await ask('')).statusCode).toBe(401);
    expect((await desk.send('GET', '/admin/calendar.ics', { cookies: admin })).statusCode).toBe(400);
    const calendar = await tokenFor('calendar:read', 'calendar:titles');
    const asked = await desk.send('GET', `/admin/events?token=${calendar}`, { headers: { authorization: `Bearer ${calendar}` } });
    expect(asked.statusCode).toBe(403);
    for (let n = 0; n < 9; n++) await ask('falsch');
    expect((await ask('falsch')).statusCode).toBe(429);
    expect((await ask(calendar)).statusCode).toBe(200);
  });
});
