import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { galleryClient, OPEN, tokenOf } from '../gallery/testing.ts';
import { newDevice, openApp, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { heldAnswer } from '../uploads/testing.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('a link that is replaced while somebody opens it, on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let watched: (row: Record<string, unknown>) => boolean;
  const none = (): boolean => false;
  let link: ReturnType<typeof heldAnswer>;
  beforeEach(async () => {
    watched = none;
    link = heldAnswer((row) => watched(row));
    const db = await engine.open();
    app = await openApp({ db: { ...db, kysely: db.kysely.withPlugin(link.plugin) }, decoder });
    event = await app.event();
  });
  afterEach(() => app.close());

  const { call, json, login: enter, send, set } = galleryClient(() => ({ app, event }));

  it.each([
    ['helper', 'helper', '/auth/helper/login'],
    ['projector', 'wall/link', '/auth/wall/login'],
  ])('opens nothing any more: the %s’s', async (role, at, login) => {
    const host = { cookie: event.cookie };
    const path = `/api/events/${event.code}/${at}`;
    const old = tokenOf(await json<{ url: string }>('POST', path, host));
    watched = (row) => row.role === role;
    const opening = call('POST', login, {}, { code: event.code, token: old });
    await link.taken;
    watched = none;
    const { url } = await json<{ url: string }>('POST', path, host);
    link.answer();
    expect((await opening).status).toBe(401);
    expect((await call('POST', login, {}, { code: event.code, token: tokenOf({ url }) })).status).toBe(200);
  });

  it('opens nothing any more to a phone that had sent photos, and looks like no changed key', async () => {
    const device = newDevice();
    const headers = { 'device-id': device };
    await send(device);
    await set(OPEN);
    await expect.poll(async () => (await enter(undefined, headers)).status).toBe(200);
    // Whichever statement tells the gallery's key first.
    watched = (row) => 'public_key' in row || 'publicKey' in row;
    const opening = enter(undefined, headers);
    await link.taken;
    watched = none;
    await json('POST', `/api/events/${event.code}/gallery/link`, { cookie: event.cookie });
    await expect.poll(async () => (await enter(undefined, headers)).status).toBe(200);
    link.answer();
    const answer = await opening;
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([401, 'invalid_credentials']);
    expect(await app.row(event.id)).toMatchObject({ tampered_at: null });
  });
});
