import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../server/src/database/open.ts';
import { breakConnection, engines } from '../server/src/database/testing.ts';
import { tcpProxy, type TcpProxy } from '../server/src/testing/tcp-proxy.ts';
import { adminOf, createClient, createEvent, deviceOf, hostOf, upload, type Client, type EventUnderTest } from './support/api.ts';
import { drawPhoto } from './support/photos.ts';
import { startServer, type TestServer } from './support/server.ts';
import { sha256 } from './support/sha256.ts';

const PHOTOS = 60;
const CLIENTS = 8;
const BROKEN = 20;
/** Pause of a client before its next attempt. */
const RETRY_MS = 100;
/** Limit of each answer, also while the database is silent. */
const ANSWER_MS = 10_000;
/** Limit from the database's return to the first right answer. */
const BACK_MS = 2000;

const postgres = engines().find(({ name }) => name === 'postgres');

describe.runIf(postgres)('a server whose PostgreSQL has trouble', () => {
  let direct: Db;
  let proxy: TcpProxy;
  let server: TestServer;
  let event: EventUnderTest;
  let host: Client;
  let device: string;
  let base: Buffer;
  beforeAll(async () => {
    direct = await postgres!.open();
    const url = new URL(postgres!.location(direct).url!);
    proxy = await tcpProxy(Number(url.port));
    url.port = String(proxy.port);
    server = await startServer({ DATABASE_URL: url.href });
    event = await createEvent(await adminOf(server.url));
    host = await hostOf(server.url, event);
    device = await deviceOf(server.url);
    base = await drawPhoto(1, 300, 200);
  });
  afterAll(async () => {
    await server?.dispose();
    await proxy?.close();
    await postgres?.dispose();
  });

  /** Makes photos that differ only in bytes after the picture's end, which decoders skip. */
  const photo = (name: string): Buffer => Buffer.concat([base, Buffer.from(`#${name}`)]);
  const send = (name: string): Promise<Response> =>
    upload({ url: server.url, code: event.code, device, file: photo(name), name: `${name}.jpg` });
  const list = (): Promise<Response> => host.request(`/api/events/${event.code}/photos?per_page=100`);
  /** Reads the parts of a refusal that tests compare. */
  const refusal = async (response: Response): Promise<unknown[]> => {
    const { code } = (await response.json()) as { code?: string };
    return [response.status, code, Number(response.headers.get('retry-after')) > 0];
  };
  const UNAVAILABLE = [503, 'unavailable', true];

  it('keeps each photo that it has answered, once, while its connections are broken, and refuses with 503 alone', async () => {
    const pid = server.process.pid;
    const answered = new Map<string, string>();
    const refusals: unknown[] = [];
    let next = 0;
    const client = async (): Promise<void> => {
      for (let n = next++; n < PHOTOS; n = next++) {
        for (let response = await send(`${n}`); ; response = await send(`${n}`)) {
          if (response.ok) {
            answered.set(sha256(photo(`${n}`)), ((await response.json()) as { photo: { id: string } }).photo.id);
            break;
          }
          refusals.push(await refusal(response));
          await pause(RETRY_MS);
        }
      }
    };
    const reader = async (): Promise<void> => {
      while (answered.size < PHOTOS) {
        const response = await list();
        if (!response.ok) refusals.push(await refusal(response));
        else await response.arrayBuffer();
      }
    };
    const breaker = async (): Promise<void> => {
      for (let broken = 0; broken < BROKEN;) {
        while (answered.size < ((broken + 0.5) * PHOTOS) / (BROKEN + 1)) await pause(5);
        broken += await breakConnection(direct);
      }
    };
    await Promise.all([breaker(), reader(), ...Array.from({ length: CLIENTS }, client)]);

    expect(refusals.filter((one) => JSON.stringify(one) !== JSON.stringify(UNAVAILABLE))).toEqual([]);
    expect([server.process.pid, server.process.exitCode]).toEqual([pid, null]);
    const { photos } = (await (await list()).json()) as { photos: { id: string }[] };
    const stored = new Map<string, string>();
    for (const { id } of photos) {
      stored.set(sha256(Buffer.from(await (await host.request(`/api/photos/${id}/download`)).arrayBuffer())), id);
    }
    expect([photos.length, stored]).toEqual([PHOTOS, answered]);
  });

  it('answers 503 in time while the line is silent, stays in the proxy’s list, and is back at once', async () => {
    const status = async (path: string): Promise<number> => (await fetch(server.url + path)).status;
    const silent = performance.now();
    proxy.silence();
    proxy.silenceNew(true);
    const asked = [...Array.from({ length: 12 }, list), ...Array.from({ length: 4 }, (_, n) => send(`silent-${n}`))].map(async (answer) => {
      const response = await answer;
      return { refusal: await refusal(response), ms: performance.now() - silent };
    });
    expect(await Promise.all(['/health', '/ready', '/ready?deep=1'].map(status))).toEqual([200, 200, 503]);
    const answers = await Promise.all(asked);
    expect(answers.map((answer) => answer.refusal)).toEqual(answers.map(() => UNAVAILABLE));
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(ANSWER_MS);

    // More guests than the server may have connections ask until the database is back.
    let working = true;
    const late: number[] = [];
    const guests = Array.from({ length: 15 }, async () => {
      while (working) {
        const began = performance.now();
        await (await createClient(server.url).request(`/api/events/${event.code}`)).arrayBuffer();
        if (performance.now() - began > ANSWER_MS) late.push(performance.now() - began);
        await pause(RETRY_MS);
      }
    });
    try {
      await expect.poll(() => status('/ready?deep=1')).toBe(503);
      proxy.silenceNew(false);
      const back = performance.now();
      while (!(await list()).ok) await pause(RETRY_MS);
      expect(performance.now() - back).toBeLessThan(BACK_MS);
      expect((await send('afterwards')).status).toBe(201);
      // The server caches the result of the deep check for a moment.
      await expect.poll(() => status('/ready?deep=1')).toBe(200);
    } finally {
      working = false;
      await Promise.all(guests);
    }
    expect(late).toEqual([]);
  });
});
