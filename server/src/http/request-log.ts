import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import { LogController, type FastifyBaseLogger, type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify';
import { Unavailable } from '../lib/errors.ts';
import { shortAddress } from '../lib/address.ts';

/** Accepted ids of proxies: UUIDs, hexadecimal numbers and the like. */
const REQUEST_ID = /^[\w-]{8,64}$/;
/** W3C Trace Context: version, trace id, parent id, flags. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
/** Routes that proxies request every second. */
const PROBES = new Set(['/health', '/ready']);

/**
 * Returns Fastify's options for naming requests. A request's id, in its answer and its log lines, is the proxy's if that is well-formed,
 * else a new one; the log lines also contain the proxy's trace id. Only proxies of TRUST_PROXY (addresses, networks, `loopback`) are
 * trusted: other senders could write misleading lines into the log.
 */
export function requestNames(trustProxy: readonly string[] | false) {
  const proxies = new BlockList();
  for (const network of (trustProxy || []).flatMap((proxy) => (proxy === 'loopback' ? ['127.0.0.0/8', '::1'] : [proxy]))) {
    const [address = '', bits] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(bits), family);
  }
  /** Returns a header's value if a trusted proxy has sent it, else an empty text. */
  function told({ headers, socket: { remoteAddress: from } }: IncomingMessage, name: string): string {
    const value = headers[name];
    return typeof value === 'string' && from !== undefined && proxies.check(from, isIPv6(from) ? 'ipv6' : 'ipv4') ? value : '';
  }
  return {
    genReqId: (request: IncomingMessage): string => REQUEST_ID.exec(told(request, 'x-request-id'))?.[0] ?? randomUUID(),
    childLoggerFactory(log: FastifyBaseLogger, bindings: object, options: object, request: IncomingMessage): FastifyBaseLogger {
      const trace = TRACEPARENT.exec(told(request, 'traceparent'))?.[1];
      return log.child({ ...bindings, ...(trace && { trace }) }, options);
    },
  };
}

/** Tells whether an answer's stream was closed before its end: its client has disconnected, which is no fault. */
export const isClosedEarly = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';

/**
 * Limits Fastify's own lines to answers whose bytes ended early, which the access log reports as sent.
 */
export function logBrokenAnswers(): LogController {
  return Object.assign(new LogController({ disableRequestLogging: true }), {
    streamError(err: FastifyError, request: FastifyRequest): void {
      if (isClosedEarly(err)) return;
      request.log[err instanceof Unavailable ? 'warn' : 'error']({ err, route: request.routeOptions.url }, 'answer broken off');
    },
  });
}

/**
 * Logs one line for each answer, without personal data: the route's pattern instead of the path, and a shortened address. Successful probes
 * are logged with `debug` only.
 */
export function logAccess(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    request.log[PROBES.has(route) && reply.statusCode === 200 ? 'debug' : 'info'](
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        address: shortAddress(request.ip),
      },
      'answered',
    );
  });
}
