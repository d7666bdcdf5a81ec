import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import fastifyCookie from '@fastify/cookie';
import Fastify from 'fastify';
import { sql } from 'kysely';
import { pruneChanges, readChanges, recordChange, type Change, type ChangeKind } from '../../database/changes.ts';
import type { Db } from '../../database/open.ts';
import { enginesForRules } from '../../database/testing.ts';
import { createHttp } from '../../http/bind.ts';
import { createLog } from '../../lib/log.ts';
import { drawPhoto, openApp, type TestApp } from '../testing.ts';
import { digest, liveRoutes } from './live.routes.ts';
import { createLive, type Live, type Watcher } from './live.ts';
import { useDecoder } from '../testing/use-decoder.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('live news on $name', (engine) => {
  let app: TestApp;
  beforeEach(async () => {
    app = await openApp({ db: await engine.open(), decoder });
  });
  afterEach(() => app.close());
  const sessionOf = async (eventId: string): Promise<string> =>
    (await app.db.kysely.selectFrom('sessions').select('id').where('event_id', '=', eventId).executeTakeFirstOrThrow()).id;

  /** Records what a watcher receives: the kinds of changes, or null where not all are known. */
  function listener(session: string, since = 0) {
    const received: (string[] | null)[] = [];
    const ended = vi.fn();
    const watcher: Watcher = {
      session,
      since,
      wall: false,
      changed: (changes) => void received.push(changes && changes.map(({ kind, photo_id }) => `${kind} ${photo_id ?? ''}`.trim())),
      ended,
    };
    return { received, ended, watcher };
  }
  const node = async (): Promise<{ db: Db; live: Live }> => {
    const db = await engine.again(app.db);
    return { db, live: createLive({ db, sessions: app.sessions, log: createLog('silent') }) };
  };

  it('come after each upload, change and deletion of a photo of that event, and of no other', async () => {
    const [event, other] = [await app.event(), await app.event()];
    const { received, watcher } = listener(await sessionOf(event.id));
    const stop = app.live.watch(event.id, watcher);
    await expect.poll(() => received).toEqual([[]]);
    const { photo } = await app.upload(event.code, await drawPhoto());
    const flat = (): unknown[] => received.flat();
    await expect.poll(flat).toEqual([`came ${photo.id}`]);
    await app.upload(other.code, await drawPhoto());
    const { cookie } = event;
    await app.call('PUT', `/api/photos/${photo.id}/slideshow`, { cookie });
    await app.call('PUT', `/api/events/${event.code}/random_slideshow`, { cookie }, { value: true });
    await app.call('DELETE', `/api/photos/${photo.id}`, { cookie });
    const all = [`came ${photo.id}`, `hidden ${photo.id}`, 'event', `gone ${photo.id}`];
    await expect.poll(flat).toEqual(all);
    stop();
    await app.upload(event.code, await drawPhoto());
    const late = listener(await sessionOf(event.id), 1);
    app.live.watch(event.id, late.watcher);
    await expect.poll(() => late.received).toHaveLength(1);
    expect(late.received[0]).toEqual([...all.slice(1), expect.stringMatching(/^came /)]);
    expect(flat()).toEqual(all);
  });

  it.skipIf(engine.name === 'sqlite')('send the same to pages of other nodes, and end their streams with the session', async () => {
    const event = await app.event();
    const session = await sessionOf(event.id);
    const far = await node();
    const { received, ended, watcher } = listener(session);
    expect(far.db.notices?.works()).toBe(null);
    far.live.watch(event.id, watcher);
    expect(far.db.notices?.works()).toBe(false);
    await expect.poll(() => far.db.notices?.works()).toBe(true);
    const { photo } = await app.upload(event.code, await drawPhoto());
    await expect.poll(() => received.flat()).toEqual([`came ${photo.id}`]);
    await app.db.transaction((trx) => app.grants.end('host.password', event.id, trx));
    await app.upload(event.code, await drawPhoto());
    // Without the notice it would end half a minute later.
    await expect.poll(() => ended.mock.calls.length, { timeout: 20_000 }).toBe(1);
    expect(received.flat()).toEqual([`came ${photo.id}`]);
    far.live.close();
  });

  it.skipIf(engine.name === 'sqlite')('are caught up exactly after the listening connection was lost', async () => {
    const event = await app.event();
    const far = await node();
    const { received, watcher } = listener(await sessionOf(event.id));
    far.live.watch(event.id, watcher);
    await expect.poll(() => far.db.notices?.works()).toBe(true);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query = 'listen feierbild'`.execute(app.db.kysely);
    const { photo } = await app.upload(event.code, await drawPhoto());
    await expect.poll(() => received.flat()).toEqual([`came ${photo.id}`]);
    far.live.close();
  });

  it('are found by polling where no notice was received', async () => {
    const event = await app.event();
    const db = await engine.again(app.db);
    const quiet = { kysely: db.kysely, notices: null, onChange: () => () => undefined };
    const live = createLive({ db: quiet, sessions: app.sessions, log: createLog('silent'), pollMs: 20 });
    const { received, ended, watcher } = listener(await sessionOf(event.id));
    live.watch(event.id, watcher);
    await expect.poll(() => received).toEqual([[]]);
    const { photo } = await app.upload(event.code, await drawPhoto());
    await expect.poll(() => received.flat()).toEqual([`came ${photo.id}`]);
    await app.db.kysely.deleteFrom('sessions').where('event_id', '=', event.id).execute();
    await expect.poll(() => ended.mock.calls.length).toBe(1);
    live.close();
  });

  it('say that not all is known where changes were forgotten, or the number is from elsewhere', async () => {
    const event = await app.event();
    for (let n = 0; n < 3; n += 1) await app.upload(event.code, await drawPhoto({ width: 100 + n }));
    await pruneChanges(app.db.kysely, Date.now() + 1);
    await app.upload(event.code, await drawPhoto());
    const session = await sessionOf(event.id);
    for (const [since, known] of [
      [1, false],
      [3, true],
      [4, true],
      [99, false],
    ] as const) {
      const { received, watcher } = listener(session, since);
      const stop = app.live.watch(event.id, watcher);
      await expect.poll(() => received).toHaveLength(1);
      expect(received[0] !== null).toBe(known);
      stop();
    }
  });

  it('are read as of one moment, whatever is committed meanwhile', async () => {
    const event = await app.event();
    let late = false;
    const slow = app.db.kysely.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (!late) await app.db.transaction((trx) => recordChange(trx, event.id, 'event'));
        late = true;
        return result;
      },
    });
    expect(await readChanges(slow, event.id, 0)).toEqual({ seq: 0, changes: [] });
    expect(await readChanges(slow, event.id, 0)).toMatchObject({ seq: 1, changes: [{ kind: 'event' }] });
  });

  it('say in one message what was deleted and changed, or that it is not known', () => {
    const change = (seq: number, kind: ChangeKind, photo_id: string | null = null): Change => ({ seq, kind, photo_id });
    const text = digest([
      change(1, 'came', 'c'),
      change(2, 'shown', 'a'),
      change(3, 'gone', 'b'),
      change(4, 'event'),
      change(5, 'hidden', 'a'),
      change(6, 'poster', 'v'),
    ]);
    // The event's change may concern the wall's look.
    expect(JSON.parse(text)).toEqual({ gone: ['b'], slideshow: { a: false }, posters: ['v'], wall: true });
    expect(JSON.parse(digest([change(1, 'came', 'c')]))).toEqual({ gone: [], slideshow: {}, posters: [] });
    expect(digest(null)).toBe('null');
  });

  it('leave places for others however often one session asks', () => {
    const stops = Array.from({ length: 12 }, () => app.live.watch('e', listener('s').watcher));
    expect(() => app.live.watch('e', listener('s').watcher)).toThrow();
    stops.pop()?.();
    app.live.watch('e', listener('s').watcher);
    app.live.watch('e', listener('other').watcher);
  });

  it('leave nothing behind for a HEAD', async () => {
    const event = await app.event();
    const url = `${app.url}/api/events/${event.id}/live`;
    for (let n = 0; n < 20; n += 1) {
      const answer = await fetch(url, { method: 'HEAD', headers: { cookie: event.cookie } });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    }
    const answer = await fetch(url, { headers: { cookie: event.cookie } });
    expect(answer.status).toBe(200);
    await answer.body?.cancel();
  });

  it('reach no session that has ended', async () => {
    const event = await app.event();
    const answer = await fetch(`${app.url}/api/events/${event.id}/live`, { headers: { cookie: event.cookie } });
    const lines = answer.body!.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    let first = '';
    while (!first.includes('id: ')) first += (await lines.next()).value;
    expect(first).toBe('retry: 3000\n\nid: 0\n\n');
    await app.upload(event.code, await drawPhoto());
    expect((await lines.next()).value).toBe('id: 1\nevent: photos\ndata: {"gone":[],"slideshow":{},"posters":[]}\n\n');
    await app.db.transaction((trx) => app.grants.end('host.password', event.id, trx));
    await app.upload(event.code, await drawPhoto());
    expect(await lines.next()).toMatchObject({ done: true });
  });

  it('go on behind the last one that a browser has, by its header or in the address', async () => {
    const event = await app.event();
    const { photo } = await app.upload(event.code, await drawPhoto());
    await app.call('DELETE', `/api/photos/${photo.id}`, { cookie: event.cookie });
    const missed = `id: 2\nevent: photos\ndata: {"gone":["${photo.id}"],"slideshow":{},"posters":[]}\n\n`;
    for (const [query, headers, first] of [
      ['', { 'last-event-id': '1' }, missed],
      ['?last=1', {}, missed],
      ['?last=2', {}, 'id: 2\n\n'],
      ['', { 'last-event-id': 'nonsense' }, 'id: 2\n\n'],
    ] as const) {
      const answer = await fetch(`${app.url}/api/events/${event.id}/live${query}`, { headers: { cookie: event.cookie, ...headers } });
      const lines = answer.body!.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
      let text = '';
      while (!text.includes('id: ')) text += (await lines.next()).value;
      expect(text).toContain(first);
      await lines.return?.();
    }
  });

  it('are bounded, and end with the server', async () => {
    const { live } = await node();
    const all = Array.from({ length: 100 }, (_, n) => listener(String(100 + n)));
    for (const { watcher } of all) live.watch('e', watcher);
    expect(() => live.watch('e', listener('youngest').watcher)).toThrow();
    live.close();
    expect(all.filter(({ ended }) => ended.mock.calls.length === 1)).toHaveLength(100);
    expect(() => live.watch('e', listener('late').watcher)).toThrow();
  });

  it('are not kept from a wall by many logins with many windows each, and stay where it has them', async () => {
    const { live } = await node();
    const wall = listener('3-wall');
    live.watch('e', wall.watcher);
    const greedy = Array.from({ length: 99 }, (_, n) => listener(`${1 + (n % 9)}-greedy`));
    for (const { watcher } of greedy) live.watch('e', watcher);
    const late = listener('9-late-wall');
    live.watch('e', late.watcher);
    const ended = () => greedy.filter((one) => one.ended.mock.calls.length > 0).map(({ watcher }) => watcher.session);
    expect(ended()).toEqual(['9-greedy']);
    // A watcher that was ended comes back and may only displace watchers of the same kind.
    for (let n = 0; n < 30; n += 1) {
      try {
        live.watch('e', listener(`${1 + (n % 9)}-greedy`).watcher);
      } catch {
        // Refused.
      }
    }
    expect([wall, late].map((one) => one.ended.mock.calls.length)).toEqual([0, 0]);
    live.close();
  });

  it('show that the line is alive by an event that scripts see', async () => {
    const event = await app.event();
    const server = Fastify();
    await server.register(fastifyCookie);
    liveRoutes(createHttp(server, app.visitors), { ...app, heartbeatMs: 20 });
    const url = await server.listen({ port: 0, host: '127.0.0.1' });
    const answer = await fetch(`${url}/api/events/${event.id}/live`, { headers: { cookie: event.cookie } });
    const lines = answer.body!.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    let text = '';
    while (!text.includes('heartbeat')) text += (await lines.next()).value;
    expect(text).toContain('\n\nevent: heartbeat\ndata: 1\n\n');
    await lines.return?.();
    await server.close();
  });
});
