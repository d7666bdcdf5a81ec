import { isPage } from '@feierbild/contract/pages.ts';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Refusal } from '../lib/errors.ts';
import { sendRefusal } from './errors.ts';
import { isNavigation, pathOf } from './navigation.ts';

/**
 * Serves the built pages from `folder`. Navigations to a page get the document, also where a call has the same path;
 * unknown ones get it with status 404. Everything under /api is a call.
 */
export async function servePages(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      const hashed = /[\\/]assets[\\/]/.test(path);
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });

  const sendDocument = (reply: FastifyReply, status: number): FastifyReply =>
    reply.code(status).header('vary', 'Accept').sendFile('index.html');

  app.addHook('onRequest', async (request, reply) => {
    const path = pathOf(request);
    if (!isPage(path)) return;
    reply.header('vary', 'Accept');
    if (isNavigation(request)) return sendDocument(reply, 200);
  });

  app.setNotFoundHandler((request, reply) => {
    if (isNavigation(request) && !pathOf(request).startsWith('/api')) return sendDocument(reply, 404);
    return sendRefusal(request, reply, new Refusal('not_found'));
  });
}
