import type { Wall } from '@feierbild/contract/calls/wall.ts';
import { LOGIN_FAILURES } from '@feierbild/contract/constants.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { cookieOf, drawPhoto, openApp, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('the wall of an event on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  beforeAll(async () => {
    app = await openApp({ db: await engine.open(), decoder });
  });
  beforeEach(async () => {
    event = await app.event();
  });
  afterAll(async () => {
    await app.close();
  });

  const ask = (
    path: string,
    method = 'GET',
    body?: object,
    headers: Record<string, string> = { cookie: event.cookie },
  ): Promise<Response> => app.call(method, path, headers, body);
  const wallOf = async (headers?: Record<string, string>) =>
    (await (await ask(`/api/events/${event.code}/wall`, 'GET', undefined, headers)).json()) as Wall & { guests: string; loved?: string[] };
  const set = (change: object): Promise<Response> => ask(`/api/events/${event.code}/wall`, 'PUT', change);
  const publicKey = async () =>
    (await app.db.kysely.selectFrom('event_keys').select('public_key').where('event_id', '=', event.id).executeTakeFirstOrThrow())
      .public_key;
  const login = (body: object): Promise<Response> => ask('/auth/wall/login', 'POST', body, {});

  it('is what the host’s phones say, and of two that say something at once the second learns of the first', async () => {
    expect(await wallOf()).toMatchObject({
      paused: false,
      curtain: false,
      layout: 'pairs',
      qr: true,
      brightness: 100,
      version: 0,
      steps: 0,
    });
    expect(await (await set({ version: 0, curtain: true })).json()).toMatchObject({ curtain: true, version: 1 });
    expect((await set({ version: 0, paused: true })).status).toBe(409);
    const both = await Promise.all([set({ version: 1, next: true }), set({ version: 1, next: true })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await wallOf()).toMatchObject({ paused: false, curtain: true, version: 2, steps: 1 });
  });

  it('takes a photo that is in the slideshow, and no other', async () => {
    const { photo } = await app.upload(event.code, await drawPhoto());
    expect(await (await set({ version: 0, photo: photo.id })).json()).toMatchObject({ photo: photo.id, steps: 1 });
    expect(await (await set({ version: 1, next: true })).json()).toMatchObject({ photo: null, steps: 2 });
    await ask(`/api/photos/${photo.id}/slideshow`, 'PUT', { value: false });
    expect((await set({ version: 2, photo: photo.id })).status).toBe(404);
  });

  it('leads guests to the event, and where they may look with what lets them', async () => {
    expect((await wallOf()).guests).toBe(`/event/${event.code}`);
    const gallery = await ask(`/api/events/${event.code}/gallery`, 'PUT', { mode: 'open' });
    const { url } = (await gallery.json()) as { url: string };
    expect((await wallOf()).guests).toBe(`/event/${event.code}#${url.split('#')[1]}`);
  });

  it('opens by the crew’s link, shows the slideshow and nothing else, and ends where the host ends it', async () => {
    const made = await ask(`/api/events/${event.code}/wall/link`, 'POST');
    const { url } = (await made.json()) as { url: string };
    const [path, token] = url.split('#');
    expect(path).toBe(`/leinwand/${event.code}`);
    expect(await (await ask(`/api/events/${event.code}/wall/link`)).json()).toEqual({ url });
    expect((await login({ code: event.code, token: 'A'.repeat(22) })).status).toBe(401);
    expect((await login({ code: event.code })).status).toBe(401);
    const opened = await login({ code: event.code, token });
    expect(await opened.json()).toEqual({ role: 'projector', code: event.code });
    const headers = cookieOf(opened);
    expect((await ask(`/api/events/${event.code}/slideshow`, 'GET', undefined, headers)).status).toBe(200);
    expect((await wallOf(headers)).version).toBe(0);
    for (const other of ['', '/photos', '/wall/link', '/gallery'])
      expect((await ask(`/api/events/${event.code}${other}`, 'GET', undefined, headers)).status).toBe(401);
    expect((await ask(`/api/events/${event.code}/wall`, 'PUT', { version: 0, curtain: true }, headers)).status).toBe(401);
    await ask(`/api/events/${event.code}/wall/link`, 'POST', { value: false, keep: true });
    expect((await ask(`/api/events/${event.code}/slideshow`, 'GET', undefined, headers)).status).toBe(401);
    expect((await login({ code: event.code, token })).status).toBe(401);
  });

  it('keeps the screens that show the slideshow where its first link is made, and ends them with another one', async () => {
    const screen = async (entry: object) => cookieOf(await login(entry));
    const shows = async (headers: Record<string, string>) =>
      (await ask(`/api/events/${event.code}/slideshow`, 'GET', undefined, headers)).status;
    const drawn = await ask(`/api/events/${event.code}/wall/code`, 'POST');
    const television = await screen({ typed: ((await drawn.json()) as { code: string }).code });
    const made = await ask(`/api/events/${event.code}/wall/link`, 'POST');
    const { url } = (await made.json()) as { url: string };
    const crew = await screen({ code: event.code, token: url.split('#')[1] });
    // The page did not know about the link.
    expect(await (await ask(`/api/events/${event.code}/wall/link`, 'POST', { keep: true })).json()).toEqual({ url });
    expect([await shows(television), await shows(crew)]).toEqual([200, 200]);
    await ask(`/api/events/${event.code}/wall/link`, 'POST');
    expect([await shows(television), await shows(crew)]).toEqual([401, 401]);
  });

  it('gives ten guesses at the host’s password in all, however often its link is opened', async () => {
    const { url } = (await (await ask(`/api/events/${event.code}/wall/link`, 'POST')).json()) as { url: string };
    const token = url.split('#')[1];
    const answers: number[] = [];
    for (let screen = 0; screen < 4; screen++) {
      const headers = cookieOf(await login({ code: event.code, token }));
      const guess = { username: event.code, password: 'geraten' };
      for (let n = 0; n < 5; n++) answers.push((await ask('/auth/user/login', 'POST', guess, headers)).status);
    }
    expect(answers).toEqual([...Array<number>(10).fill(401), ...Array<number>(10).fill(429)]);
  });

  it('keeps the screens of a hall and no more, and ends with another password of the host, whatever opened it', async () => {
    const keys = { publicKey: await publicKey(), privateKey: event.privateKey };
    const { url } = (await (await ask(`/api/events/${event.code}/wall/link`, 'POST')).json()) as { url: string };
    const [, token] = url.split('#');
    for (let n = 0; n < 21; n++) expect((await login({ code: event.code, token })).status).toBe(200);
    const screens = app.db.kysely.selectFrom('sessions').select('id').where('event_id', '=', event.id).where('role', '=', 'projector');
    expect(await screens.execute()).toHaveLength(20);
    const { code: typed } = (await (await ask(`/api/events/${event.code}/wall/code`, 'POST')).json()) as { code: string };
    const invitation = await app.db.transaction((trx) => app.accounts.invitations.add(trx, event.id, keys));
    await app.accounts.invitations.accept({ code: event.code, token: invitation.token, password: 'vier bunte Lampions' }, '192.0.2.1');
    expect(await screens.execute()).toEqual([]);
    expect((await login({ code: event.code, token })).status).toBe(401);
    expect((await login({ typed })).status).toBe(401);
  });

  it('opens by eight typed characters once and for a quarter of an hour; whoever guesses has ten', async () => {
    const draw = async () => ((await (await ask(`/api/events/${event.code}/wall/code`, 'POST')).json()) as { code: string }).code;
    const first = await draw();
    const second = await draw();
    expect(second).toMatch(/^[A-Z0-9]{8}$/);
    expect((await login({ typed: first })).status).toBe(401);
    const opened = await login({ typed: `${second.slice(0, 4).toLowerCase()} ${second.slice(4)}` });
    expect(await opened.json()).toEqual({ role: 'projector', code: event.code });
    expect((await ask(`/api/events/${event.code}/slideshow`, 'GET', undefined, cookieOf(opened))).status).toBe(200);
    expect((await login({ typed: second })).status).toBe(401);
    const third = await draw();
    await app.db.kysely.updateTable('wall_codes').set({ expires_at: 1 }).execute();
    expect((await login({ typed: third })).status).toBe(401);
    const statuses: number[] = [];
    for (let n = 0; n < LOGIN_FAILURES.count; n++) statuses.push((await login({ typed: `${third.slice(0, 3)}AAAAA` })).status);
    expect(statuses.at(-1)).toBe(429);
    await app.db.kysely.deleteFrom('failures').execute();
  });

  it('learns of hearts their order alone, and that in a round of favourites', async () => {
    const [one, two] = [
      await app.upload(event.code, await drawPhoto({ width: 101 })),
      await app.upload(event.code, await drawPhoto({ width: 102 })),
    ];
    const heart = (photo_id: string, who: number) => ({ photo_id, event_id: event.id, device_hash: Buffer.alloc(32, who) });
    await app.db.kysely
      .insertInto('hearts')
      .values([heart(one.photo.id, 1), heart(two.photo.id, 1), heart(one.photo.id, 2)])
      .execute();
    expect((await wallOf()).loved).toBeUndefined();
    await set({ version: 0, favourites: true });
    expect((await wallOf()).loved).toEqual([two.photo.id, one.photo.id]);
  });
});
