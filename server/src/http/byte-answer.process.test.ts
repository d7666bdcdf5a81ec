import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handOver } from '../lib/buffer-handover.ts';
import type { Bytes } from '../lib/bytes.ts';
import { sendBytes, type ByteRange } from './byte-answer.ts';
import { translateErrors } from './errors.ts';

const whole = Buffer.from(Array.from({ length: 1000 }, (_, i) => i % 251));

async function* piecewise({ start, end }: ByteRange): AsyncGenerator<Bytes> {
  for (let at = start; at < end; at += 64) yield whole.subarray(at, Math.min(at + 64, end));
}

describe('an answer of bytes', () => {
  let app: FastifyInstance;
  let open: (range: ByteRange) => AsyncIterable<Bytes>;
  let opened: number;
  let size: number;
  let sent: ByteRange[];
  /** Runs before `/made` has a source. */
  let making: (gone: AbortSignal) => Promise<void>;

  beforeEach(async () => {
    open = piecewise;
    opened = 0;
    size = whole.length;
    sent = [];
    app = Fastify();
    translateErrors(app);
    app.get('/bytes', (request, reply) =>
      sendBytes(reply, request, {
        size,
        type: 'image/jpeg',
        etag: 'v1',
        filename: 'Größe "1".jpg',
        headers: { 'cache-control': 'private, max-age=86400, immutable' },
        open(range) {
          opened += 1;
          return open(range);
        },
        sent: async (range) => void sent.push(range),
      }),
    );
    app.get('/made', (request, reply) =>
      sendBytes(reply, request, {
        type: 'image/jpeg',
        etag: 'v1',
        async make(gone) {
          await making(gone);
          return { size, open };
        },
      }),
    );
    await app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterEach(() => app.close());

  const request = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') => app.inject({ method, url: '/bytes', headers });

  it('is whole, with its exact length, validator and strict headers', async () => {
    const { statusCode, headers, rawPayload } = await request();
    expect(statusCode).toBe(200);
    expect(rawPayload.equals(whole)).toBe(true);
    expect(headers).toMatchObject({
      'content-length': '1000',
      'content-type': 'image/jpeg',
      etag: '"v1"',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, max-age=86400, immutable',
      'content-disposition': `attachment; filename="Gro_e _1_.jpg"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.jpg`,
    });
  });

  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=10-99', 10, 100],
    ['bytes=990-', 990, 1000],
    ['bytes=-10', 990, 1000],
    ['bytes=-5000', 0, 1000],
    ['bytes=900-5000', 900, 1000],
  ])('is the part that %s asks for', async (range, start, end) => {
    const { statusCode, headers, rawPayload } = await request({ range });
    expect(statusCode).toBe(206);
    expect(headers['content-range']).toBe(`bytes ${start}-${end - 1}/1000`);
    expect(headers['content-length']).toBe(String(end - start));
    expect(rawPayload.equals(whole.subarray(start, end))).toBe(true);
  });

  it.each(['bytes=1000-', 'bytes=-0', 'bytes=5000-6000'])('is 416 with the size for %s', async (range) => {
    const answer = await request({ range });
    expect(answer.statusCode).toBe(416);
    expect(answer.headers['content-range']).toBe('bytes */1000');
    expect(answer.json()).toMatchObject({ code: 'range_unsatisfiable' });
    expect(opened).toBe(0);
  });

  it.each(['bytes=5-2', 'bytes=0-1,5-6', 'lines=1-2', 'bytes=-', 'bytes=a-b'])('ignores the range %s', async (range) => {
    const { statusCode, rawPayload } = await request({ range });
    expect(statusCode).toBe(200);
    expect(rawPayload.length).toBe(1000);
  });

  it('costs as little as its header is long where a range is full of spaces', async () => {
    const range = `bytes=${' '.repeat(15_000)}x`;
    const began = performance.now();
    for (let n = 0; n < 30; n++) expect((await request({ range })).statusCode).toBe(200);
    expect(performance.now() - began).toBeLessThan(3000);
    expect((await request({ range: 'bytes= 10 - 19 ' })).headers['content-range']).toBe('bytes 10-19/1000');
  });

  it('goes on with a range only while If-Range names the same bytes', async () => {
    expect((await request({ range: 'bytes=5-', 'if-range': '"v1"' })).statusCode).toBe(206);
    expect((await request({ range: 'bytes=5-', 'if-range': '"v0"' })).statusCode).toBe(200);
    expect((await request({ range: 'bytes=5-', 'if-range': 'W/"v1"' })).statusCode).toBe(200);
  });

  it('is 304 without opening anything when the client has it', async () => {
    const { statusCode, headers, rawPayload } = await request({ 'if-none-match': '"v0", W/"v1"' });
    expect([statusCode, rawPayload.length, headers.etag]).toEqual([304, 0, '"v1"']);
    expect(opened).toBe(0);
  });

  it('answers HEAD with the length and without opening anything', async () => {
    const { statusCode, headers, rawPayload } = await request({}, 'HEAD');
    expect([statusCode, headers['content-length'], headers['content-type'], rawPayload.length]).toEqual([200, '1000', 'image/jpeg', 0]);
    expect(opened).toBe(0);
  });

  it('is empty where there are no bytes', async () => {
    size = 0;
    const { statusCode, headers, rawPayload } = await request();
    expect([statusCode, headers['content-length'], rawPayload.length]).toEqual([200, '0', 0]);
  });

  it('is an error answer without traces of the file when the first piece cannot be opened', async () => {
    open = async function* () {
      throw new Error('nothing there');
    };
    const answer = await request();
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toMatchObject({ code: 'internal' });
    expect(answer.headers).not.toHaveProperty('content-disposition');
    expect(answer.headers).not.toHaveProperty('etag');
  });

  it.each([
    ['is all', [1000], 200],
    ['is too long', [1001], 500],
    ['is followed by another', [1000, 1], 500],
  ])('closes the source whose first piece %s', async (_how, sizes, status) => {
    let closed = false;
    open = async function* () {
      try {
        for (const bytes of sizes) yield Buffer.concat([whole, whole]).subarray(0, bytes);
      } finally {
        closed = true;
      }
    };
    const answer = await request();
    expect([answer.statusCode, closed]).toEqual([status, true]);
    if (status === 200) expect(answer.rawPayload.equals(whole)).toBe(true);
  });

  const fetchRaw = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      get({ port: (app.server.address() as AddressInfo).port, path: '/bytes', agent: false }, resolve).on('error', reject);
    });

  it.each([
    ['fails midway', true],
    ['ends short', false],
  ])('cuts the connection when the source %s', async (_how, fails) => {
    open = async function* (range) {
      yield* piecewise({ start: range.start, end: 500 });
      if (fails) throw new Error('broken');
    };
    const response = await fetchRaw();
    await expect(response.toArray()).rejects.toThrow('aborted');
  });

  it('closes the source when the client goes away', async () => {
    const closed = Promise.withResolvers<void>();
    size = 1e12;
    open = async function* () {
      try {
        for (;;) yield Buffer.alloc(65_536);
      } finally {
        closed.resolve();
      }
    };
    const response = await fetchRaw();
    response.once('data', () => response.destroy());
    await closed.promise;
  });

  it('tells the source what went out whole, and nothing of what a client has left', async () => {
    await request({ range: 'bytes=10-19' });
    await expect.poll(() => sent).toEqual([{ start: 10, end: 20 }]);
    const closed = Promise.withResolvers<void>();
    size = 1e9;
    open = async function* () {
      try {
        for (;;) yield Buffer.alloc(65_536);
      } finally {
        closed.resolve();
      }
    };
    const client = get({ port: (app.server.address() as AddressInfo).port, path: '/bytes', agent: false }).on('error', () => undefined);
    client.once('response', () => client.destroy());
    await closed.promise;
    expect(sent).toHaveLength(1);
  });

  it('tells the source that the client has gone, while it is made and before its first piece', async () => {
    const [asked, left, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    size = 1e12;
    open = async function* () {
      try {
        for (;;) yield Buffer.alloc(65_536);
      } finally {
        closed.resolve();
      }
    };
    making = async (gone) => {
      gone.addEventListener('abort', () => left.resolve());
      asked.resolve();
      await left.promise;
    };
    const client = get({ port: (app.server.address() as AddressInfo).port, path: '/made', agent: false }).on('error', () => undefined);
    await asked.promise;
    client.destroy();
    await closed.promise;
  });

  describe('over a slow line', () => {
    const PIECE = Buffer.alloc(256 * 1024);
    let closed: boolean;
    beforeEach(() => {
      closed = false;
      open = async function* ({ start, end }) {
        try {
          for (let at = start; at < end; at += PIECE.length) yield PIECE;
        } finally {
          closed = true;
        }
      };
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    });
    afterEach(() => {
      vi.useRealTimers();
    });
    const ask = (): Promise<IncomingMessage> =>
      new Promise((answered) => get({ port: (app.server.address() as AddressInfo).port, path: '/bytes' }, answered));

    it('ends, and closes its source, where the client takes nothing more', async () => {
      size = 1024 * PIECE.length;
      const response = await ask();
      response.on('error', () => undefined);
      const takenUntilEnd = () => {
        vi.advanceTimersByTime(10_000);
        return closed;
      };
      await expect.poll(takenUntilEnd).toBe(true);
      response.destroy();
    });

    it('frees what was handed over as it is sent, and nothing else', async () => {
      const pieces = Array.from({ length: 64 }, (_, n) => Buffer.alloc(PIECE.length, n + 1));
      const isHeld = (piece: Buffer): boolean => piece.length > 0;
      let mostHeld = 0;
      size = pieces.length * PIECE.length;
      open = async function* () {
        for (const [n, piece] of pieces.entries()) {
          mostHeld = Math.max(mostHeld, pieces.slice(0, n).filter(isHeld).length);
          yield n === 40 ? piece : handOver(piece);
        }
      };
      const response = await ask();
      let taken = 0;
      for await (const part of response as AsyncIterable<Buffer>) {
        for (const at of [0, part.length - 1]) expect(part[at]).toBe(Math.floor((taken + at) / PIECE.length) + 1);
        taken += part.length;
      }
      expect(taken).toBe(size);
      await expect.poll(() => pieces.filter(isHeld)).toEqual([pieces[40]]);
      // Pieces in memory: the ones read ahead, the one being sent, and the next.
      expect(mostHeld).toBeLessThanOrEqual(5);
    });

    it('goes on for as long as it takes where the client takes some', async () => {
      size = 128 * PIECE.length;
      let taken = 0;
      for await (const piece of await ask()) {
        taken += (piece as Buffer).length;
        vi.advanceTimersByTime(1000);
      }
      expect([taken, closed]).toEqual([size, true]);
    });
  });
});
