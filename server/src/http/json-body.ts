import type { FastifyInstance } from 'fastify';

/**
 * Reads JSON bodies as Fastify does (`__proto__` and `constructor.prototype` are refused), but takes an empty one for none:
 * clients other than ours name the type of every request, also where there is nothing to say.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) =>
    body === '' ? done(null, undefined) : parse(request, body, done),
  );
}
