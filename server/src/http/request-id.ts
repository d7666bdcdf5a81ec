import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';

/** Ids of proxies that are taken over: UUIDs, hexadecimal numbers and the like. */
const REQUEST_ID = /^[\w-]{8,64}$/;
/** W3C Trace Context: version, trace id, parent id, flags. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The id of a request, in its answer and its log lines: the proxy's where `behindProxy` and it is well-formed, else a new one. */
export function requestIds({ behindProxy }: { behindProxy: boolean }): (request: IncomingMessage) => string {
  return ({ headers }) => {
    const given = headers['x-request-id'];
    return behindProxy && typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
  };
}

/** The log of one request; with the id of the trace that the request belongs to, if it names one. */
export function requestLog(log: FastifyBaseLogger, bindings: object, options: object, { headers }: IncomingMessage): FastifyBaseLogger {
  const { traceparent } = headers;
  const trace = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.[1] : undefined;
  return log.child({ ...bindings, ...(trace && { trace }) }, options);
}
