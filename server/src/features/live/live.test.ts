import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { engines } from '../../database/testing.ts';
import { createDecoder } from '../../images/create-decoder.ts';
import type { Decoder } from '../../images/decoder.ts';
import { createLog } from '../../lib/log.ts';
import { drawPhoto, newDevice, openHouse, type House } from '../testing.ts';
import { createDigest } from './digest.ts';
import { createLive } from './live.ts';

const all = engines();
let decoder: Decoder;
beforeAll(() => {
  decoder = createDecoder({ log: createLog('silent') });
});
afterAll(async () => {
  await decoder.close();
  for (const engine of all) await engine.dispose();
});

describe.each(all)('live news on $name', (engine) => {
  let house: House;
  beforeEach(async () => {
    house = await openHouse({ db: await engine.open(), decoder });
  });
  afterEach(() => house.close());

  it('come after each upload, change and deletion of a photo of that event, and of no other', async () => {
    const [event, other] = [await house.event(), await house.event()];
    const news = vi.fn();
    const stop = house.live.watch(event.id, { session: 's', changed: news, ended: vi.fn() });
    const device = newDevice();
    const { photo } = await house.upload(event.code, await drawPhoto(), { device });
    expect(news).toHaveBeenCalledTimes(1);
    await house.upload(other.code, await drawPhoto());
    expect(news).toHaveBeenCalledTimes(1);
    const headers = { cookie: event.cookie, 'sec-fetch-site': 'same-origin' };
    await fetch(`${house.url}/api/photos/${photo.id}/slideshow`, { method: 'PUT', headers });
    expect(news).toHaveBeenCalledTimes(2);
    expect(news).toHaveBeenLastCalledWith({ id: photo.id, slideshow: false });
    await fetch(`${house.url}/api/photos/${photo.id}`, { method: 'DELETE', headers });
    expect(news).toHaveBeenCalledTimes(3);
    expect(news).toHaveBeenLastCalledWith({ gone: photo.id });
    stop();
    await house.upload(event.code, await drawPhoto());
    expect(news).toHaveBeenCalledTimes(3);
  });

  it.skipIf(engine.name === 'sqlite')('reach the other nodes through the database', async () => {
    const event = await house.event();
    const node = createLive({ db: house.db, log: createLog('silent'), pollMs: 20 });
    const news = vi.fn();
    node.watch(event.id, { session: 's', changed: news, ended: vi.fn() });
    // Its first look only learns what is there.
    await house.upload(event.code, await drawPhoto());
    await expect
      .poll(async () => {
        await house.upload(event.code, await drawPhoto());
        return news.mock.calls.length;
      })
      .toBeGreaterThan(0);
    node.close();
  });

  it('say in one message what went and changed, or that nobody knows', () => {
    const digest = createDigest();
    digest.add('came');
    digest.add({ id: 'a', slideshow: true });
    digest.add({ gone: 'b' });
    digest.add({ id: 'a', slideshow: false });
    expect(JSON.parse(digest.take())).toEqual({ gone: ['b'], slideshow: { a: false } });
    expect(JSON.parse(digest.take())).toEqual({ gone: [], slideshow: {} });
    digest.add({ gone: 'c' });
    digest.add(null);
    expect(digest.take()).toBe('null');
  });

  it('leave places for others however often one session asks', () => {
    const stops = Array.from({ length: 12 }, () => house.live.watch('e', { session: 's', changed: vi.fn(), ended: vi.fn() }));
    expect(() => house.live.watch('e', { session: 's', changed: vi.fn(), ended: vi.fn() })).toThrow();
    stops.pop()?.();
    house.live.watch('e', { session: 's', changed: vi.fn(), ended: vi.fn() });
    house.live.watch('e', { session: 'other', changed: vi.fn(), ended: vi.fn() });
  });

  it('leave nothing behind for a HEAD', async () => {
    const event = await house.event();
    const url = `${house.url}/api/events/${event.id}/live`;
    for (let n = 0; n < 20; n += 1) {
      const answer = await fetch(url, { method: 'HEAD', headers: { cookie: event.cookie } });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    }
    const answer = await fetch(url, { headers: { cookie: event.cookie } });
    expect(answer.status).toBe(200);
    await answer.body?.cancel();
  });

  it('reach nobody whose session has ended', async () => {
    const event = await house.event();
    const answer = await fetch(`${house.url}/api/events/${event.id}/live`, { headers: { cookie: event.cookie } });
    const lines = answer.body!.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe('retry: 3000\n\n');
    await house.upload(event.code, await drawPhoto());
    expect((await lines.next()).value).toContain('event: photos');
    await house.sessions.endOfEvent(event.id);
    await house.upload(event.code, await drawPhoto());
    expect(await lines.next()).toMatchObject({ done: true });
  });

  it('are bounded, and end with the server', async () => {
    const live = createLive({ db: house.db, log: createLog('silent') });
    const ended = vi.fn();
    for (let n = 0; n < 100; n += 1) live.watch('e', { session: String(n % 9), changed: vi.fn(), ended });
    expect(() => live.watch('e', { session: 'other', changed: vi.fn(), ended })).toThrow();
    live.close();
    expect(ended).toHaveBeenCalledTimes(100);
  });
});
