import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { galleryClient, tokenOf } from '../gallery/testing.ts';
import { openApp, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { heldAnswer } from '../uploads/testing.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('a link that is replaced while somebody opens it, on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let watched = '';
  let link: ReturnType<typeof heldAnswer>;
  beforeEach(async () => {
    watched = '';
    link = heldAnswer(({ role }) => role === watched);
    const db = await engine.open();
    app = await openApp({ db: { ...db, kysely: db.kysely.withPlugin(link.plugin) }, decoder });
    event = await app.event();
  });
  afterEach(() => app.close());

  const { call, json } = galleryClient(() => ({ app, event }));

  it.each([
    ['helper', 'helper', '/auth/helper/login'],
    ['projector', 'wall/link', '/auth/wall/login'],
  ])('opens nothing any more: the %s’s', async (role, at, login) => {
    const host = { cookie: event.cookie };
    const path = `/api/events/${event.code}/${at}`;
    const old = tokenOf(await json<{ url: string }>('POST', path, host));
    watched = role;
    const opening = call('POST', login, {}, { code: event.code, token: old });
    await link.taken;
    watched = '';
    const { url } = await json<{ url: string }>('POST', path, host);
    link.answer();
    expect((await opening).status).toBe(401);
    expect((await call('POST', login, {}, { code: event.code, token: tokenOf({ url }) })).status).toBe(200);
  });
});
