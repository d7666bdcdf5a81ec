import { contract, type CallName } from '@feierbild/contract/contract.ts';
import Fastify from 'fastify';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createHttp } from './bind.ts';
import { NOBODY } from './visitor.ts';

it('asks who it is but where nobody needs to be known, and for a locked slideshow where it has access, is reported or ended', async () => {
  const app = Fastify();
  const asking: string[] = [];
  const asked = new Set<string>();
  let current = '';
  const http = createHttp(app, async (_request, roles) => {
    if (roles.has('projector')) asking.push(current);
    asked.add(current);
    return {
      host: null,
      admin: null,
      assistant: null,
      projector: null,
      helper: null,
      gallery: null,
      token: null,
      deviceId: null,
      address: '',
    };
  });
  const names = Object.keys(contract) as CallName[];
  for (const name of names) {
    http.bind(name, () => {
      throw new Error('not handled here');
    });
  }
  for (const name of names) {
    current = name;
    const [method, url] = name.split(' ') as ['GET', string];
    await app.inject({ method, url, ...(method !== 'GET' && { payload: {} }) });
  }
  await app.close();
  expect(names.filter((name) => !asked.has(name))).toEqual([
    'GET /api/link-previews/:id',
    'GET /api/receipt-keys',
    'GET /api/accessibility',
    'GET /api/pictures/:id',
    'GET /api/site',
    'GET /api/openapi.json',
    'GET /health',
    'GET /ready',
  ]);
  expect(asking.sort()).toEqual([
    'GET /api/events/:ref/live',
    'GET /api/events/:ref/slideshow',
    'GET /api/events/:ref/wall',
    'GET /api/photos/:id/large',
    'GET /api/photos/:id/preview',
    'GET /api/photos/:id/thumbnail',
    'GET /api/photos/:id/video',
    'GET /auth/check',
    'POST /api/events/:ref/slideshow-lock',
    'POST /auth/admin/login',
    'POST /auth/invitation/accept',
    'POST /auth/logout',
    'POST /auth/user/login',
    'POST /auth/wall/login',
  ]);
});

it('reads a call’s rows together with its visitor, and says nothing of them to a visitor without access', async () => {
  const app = Fastify();
  app.setErrorHandler((error: Error, _request, reply) => void reply.code(500).send({ error: error.message }));
  const steps: string[] = [];
  let known = true;
  let lost = false;
  const http = createHttp(app, async () => {
    steps.push('who');
    await setImmediate();
    steps.push('known');
    if (!known) throw new Error('nobody');
    return { ...NOBODY, deviceId: null, address: '' };
  });
  const photo = http.reading(async ({ id }) => {
    steps.push(`read ${id}`);
    if (lost) throw new Error('lost');
    return `photo ${id}`;
  });
  photo.bind('DELETE /api/photos/:id', (_incoming, found) => void steps.push(found));
  const ask = async () => {
    steps.length = 0;
    return (await app.inject({ method: 'DELETE', url: '/api/photos/7' })).body;
  };
  expect([await ask(), steps]).toEqual(['', ['read 7', 'who', 'known', 'photo 7']]);
  lost = true;
  expect(await ask()).toBe('{"error":"lost"}');
  known = false;
  expect([await ask(), steps]).toEqual(['{"error":"nobody"}', ['read 7', 'who', 'known']]);
  await app.close();
});
