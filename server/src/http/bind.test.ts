import { contract, type CallName } from '@feierbild/contract/contract.ts';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { createHttp } from './bind.ts';

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
    'GET /api/photos/:id/preview',
    'GET /api/photos/:id/thumbnail',
    'GET /api/photos/:id/video',
    'GET /auth/check',
    'POST /api/events/:ref/slideshow-lock',
    'POST /auth/admin/login',
    'POST /auth/invitation/accept',
    'POST /auth/logout',
    'POST /auth/user/login',
  ]);
});
