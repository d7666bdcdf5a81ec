import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { translateErrors } from './errors.ts';
import { refuseForeignOrigins } from './request-guards.ts';

describe('a browser that says only its Origin', () => {
  const statusOf = async (publicUrl: string | null, host: string, origin: string): Promise<number> => {
    const app = Fastify();
    translateErrors(app);
    refuseForeignOrigins(app, publicUrl);
    app.post('/', async () => 'done');
    return (await app.inject({ method: 'POST', url: '/', headers: { host, origin, cookie: 'a=b' } })).statusCode;
  };
  const HTTPS = 'https://fotos.example';

  it.each([
    [HTTPS, 'fotos.example'],
    ['http://fotos.example:8080', 'fotos.example:8080'],
    ['https://fotos.example:8443', 'fotos.example:8443'],
    // Some proxies write the port, and some programs keep capitals.
    [HTTPS, 'fotos.example:443'],
    ['http://fotos.example', 'fotos.example:80'],
    [HTTPS, 'Fotos.Example'],
  ])('at %s may change things on the host %s, also behind a proxy that speaks https for us', async (origin, host) => {
    expect(await statusOf(null, host, origin)).toBe(200);
  });

  it.each(['https://evil.example', 'https://fotos.example.evil.example', 'https://fotos.example:8443', 'null', ''])(
    'from %s may not',
    async (origin) => {
      expect(await statusOf(null, 'fotos.example', origin)).toBe(403);
      expect(await statusOf(HTTPS, 'fotos.example', origin)).toBe(403);
    },
  );

  it('is held to the whole public address where that is known', async () => {
    expect(await statusOf(HTTPS, '127.0.0.1:8080', HTTPS)).toBe(200);
    expect(await statusOf(HTTPS, 'fotos.example:80', 'ftp://fotos.example')).toBe(403);
    expect(await statusOf('https://andere.example', 'fotos.example', HTTPS)).toBe(403);
    expect(await statusOf('https://andere.example', 'fotos.example', 'http://fotos.example')).toBe(403);
  });
});

it.each([
  ['a browser, by any cookie', 'POST', { cookie: 'a=b' }, 403],
  ['a browser, by ours, whatever it sends', 'PUT', { cookie: 'a=b; feierbild_host=c' }, 403],
  ['a browser on https', 'DELETE', { cookie: '__Host-feierbild_device=c' }, 403],
  ['a script', 'POST', {}, 200],
  ['a program that keeps the cookie of its device, and names that', 'POST', { cookie: 'feierbild_device=c', 'device-id': 'c' }, 200],
  ['a drive that keeps the cookies of what stands before us', 'PUT', { cookie: 'AWSALB=b; __cf_bm=c' }, 200],
] as const)('without Sec-Fetch-Site and Origin %s is heard or not: %s, %j, %i', async (_who, method, headers, status) => {
  const app = Fastify();
  translateErrors(app);
  refuseForeignOrigins(app, 'https://fotos.example');
  app.route({ method: ['POST', 'PUT', 'DELETE'], url: '/', handler: async () => 'done' });
  expect((await app.inject({ method, url: '/', headers })).statusCode).toBe(status);
});

describe('a browser that says Sec-Fetch-Site', () => {
  it.each([
    ['same-origin', 200],
    ['none', 200],
    ['same-site', 403],
    ['cross-site', 403],
    ['', 403],
  ])('%s is answered %i with any Origin', async (site, status) => {
    const app = Fastify();
    translateErrors(app);
    refuseForeignOrigins(app, 'https://fotos.example');
    app.post('/', async () => 'done');
    for (const origin of ['https://fotos.example', 'https://evil.example']) {
      const headers = { host: 'fotos.example', origin, cookie: 'a=b', 'sec-fetch-site': site };
      expect((await app.inject({ method: 'POST', url: '/', headers })).statusCode).toBe(status);
    }
  });
});
