import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';

/** Ids of proxies that are taken over: UUIDs, hexadecimal numbers and the like. */
const REQUEST_ID = /^[\w-]{8,64}$/;
/** W3C Trace Context: version, trace id, parent id, flags. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Whether a connection comes from a proxy of ours. Others may say of a request whatever they like, also what would mislead in the log. */
type IsProxy = (address: string | undefined) => boolean;

/** The id of a request, in its answer and its log lines: the proxy's where it is well-formed, else a new one. */
export function requestIds(isProxy: IsProxy): (request: IncomingMessage) => string {
  return ({ headers, socket }) => {
    const given = headers['x-request-id'];
    return typeof given === 'string' && REQUEST_ID.test(given) && isProxy(socket.remoteAddress) ? given : randomUUID();
  };
}

/** The log of one request; with the id of the trace that the request belongs to, if a proxy names one. */
export function requestLogs(isProxy: IsProxy) {
  return (log: FastifyBaseLogger, bindings: object, options: object, { headers, socket }: IncomingMessage): FastifyBaseLogger => {
    const { traceparent } = headers;
    const trace = typeof traceparent === 'string' && isProxy(socket.remoteAddress) ? TRACEPARENT.exec(traceparent)?.[1] : undefined;
    return log.child({ ...bindings, ...(trace && { trace }) }, options);
  };
}
