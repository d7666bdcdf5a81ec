import type { FastifyInstance } from 'fastify';

/**
 * Parses JSON bodies as Fastify does (`__proto__` and `constructor.prototype` are refused), but accepts an empty body as none:
 * other clients send a content type with every request, also without a body.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) =>
    body === '' ? done(null, undefined) : parse(request, body, done),
  );
}
