import { contract, type CallName, type Contract } from '@feierbild/contract/contract.ts';
import type { CallScope, TokenScope } from '@feierbild/contract/constants.ts';
import { ADMITTED, type Access, type Call, type LimitedRole } from '@feierbild/contract/call.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { Refusal } from '../lib/errors.ts';
import { dropRest } from './body.ts';
import { sendBytes, type ByteAnswer } from './byte-answer.ts';
import { compressed } from './compression.ts';
import { germanIssue } from '../lib/german-issues.ts';
import { NOBODY, type AdminVisitor, type GalleryVisitor, type HostVisitor, type Operator, type Staff, type Visitor } from './visitor.ts';

type Output<T> = T extends z.ZodType ? z.output<T> : undefined;
type Field<C, K extends string> = K extends keyof C ? Output<C[K]> : undefined;

/** The argument of a handler: inputs parsed by the contract, and the visitor that the guard has checked. */
export interface Incoming<N extends CallName> {
  params: Field<Contract[N], 'params'>;
  query: Field<Contract[N], 'query'>;
  headers: Field<Contract[N], 'headers'>;
  body: Field<Contract[N], 'body'>;
  visitor: Visitor &
    (Contract[N]['access'] extends 'host' ? { host: HostVisitor } : unknown) &
    (Contract[N]['access'] extends 'guest' ? { gallery: GalleryVisitor } : unknown) &
    (Contract[N] extends { token: TokenScope }
      ? { operator: Operator }
      : Contract[N] extends { assistant: true }
        ? { operator: Staff }
        : Contract[N]['access'] extends 'admin'
          ? { admin: AdminVisitor }
          : unknown) &
    (Contract[N]['access'] extends 'device' ? { deviceId: string } : unknown);
  request: FastifyRequest;
  /** Takes headers and cookies; the body is the handler's returned answer. */
  reply: FastifyReply;
}

type Answers<N extends CallName> = Contract[N]['answers'];
type Statuses<N extends CallName> = keyof Answers<N> & number;
type IsOne<U, Each = U> = Each extends U ? ([U] extends [Each] ? true : false) : never;
/** Value for one kind of answer: JSON, nothing, or bytes. A handler sends its own stream through `reply`. */
type Given<A, Json, Empty> = A extends z.ZodType ? Json : A extends 'empty' ? Empty : ByteAnswer | FastifyReply;

/** Return value of a handler: the body if the contract has one answer (nothing if that is empty); with several answers, status and body. */
export type Outgoing<N extends CallName> =
  IsOne<Statuses<N>> extends true
    ? Given<Answers<N>[Statuses<N>], z.input<Answers<N>[Statuses<N>]>, void>
    : { [S in Statuses<N>]: Given<Answers<N>[S], { status: S; body: z.input<Answers<N>[S]> }, { status: S }> }[Statuses<N>];

export type Handler<N extends CallName, R = undefined> = (incoming: Incoming<N>, read: R) => Promise<Outgoing<N>> | Outgoing<N>;

/** The values of a request's path. */
type Path = Record<string, string>;

/** One handler type for each call, so that a handler's literals are checked against the answers of its own call. */
type Handlers<R> = { [N in CallName]: Handler<N, R> };

export type Http = ReturnType<typeof createHttp>;

/**
 * Identifies the visitor. Roles with fewer rights than a host's count only if the call has `asked` for them. A program counts only if the
 * call has a scope; with `photos:read` it acts as the host of its event.
 */
export type Authenticate = (request: FastifyRequest, asked: ReadonlySet<LimitedRole>, scope?: CallScope) => Promise<Visitor>;

export function createHttp(app: FastifyInstance, authenticate: Authenticate) {
  const open = new Set(Object.keys(contract) as CallName[]);

  function bind<N extends CallName, R>(name: N, handler: Handlers<R>[N], read?: (path: Path) => Promise<R>): void {
    if (!open.delete(name)) throw new Error(`${name} is bound twice`);
    const call: Call = contract[name];
    const asked = new Set([...(ADMITTED[call.access] ?? []), ...(call.asks ?? [])]);
    const [method, url] = name.split(' ') as [string, string];
    const statuses = Object.keys(call.answers).map(Number);
    const only = statuses.length === 1 && call.answers[statuses[0] as number] !== 'bytes' ? statuses[0] : undefined;
    app.route({
      method: method as 'GET',
      url,
      exposeHeadRoute: method === 'GET',
      ...(call.bodyLimit !== undefined && { bodyLimit: call.bodyLimit }),
      handler: async (request, reply) => {
        const reading = read?.(request.params as Path);
        // A visitor without access does not learn how the reading ended.
        reading?.catch(() => undefined);
        const visitor = call.anonymous ? nobody(request) : await authenticate(request, asked, call.token);
        guard(call, visitor, request);
        const incoming = {
          params: parse(call.params, request.params),
          query: parse(call.query, request.query),
          headers: parse(call.headers, request.headers),
          body: call.multipart || call.stream ? undefined : parse(call.body, request.body),
          visitor: call.token || call.assistant ? { ...visitor, operator: visitor.token ?? visitor.admin ?? visitor.assistant } : visitor,
          request,
          reply,
        };
        // One function serves all calls, so the types of a single call are dropped here.
        const handle = handler as (incoming: unknown, read: unknown) => unknown;
        const answer = await Promise.try(async () => handle(incoming, await reading)).finally(() => dropRest(request));
        // A handler may return `reply`, which is thenable: awaiting it gives undefined once the bytes are sent.
        if (only === undefined && (answer === undefined || answer === reply)) return reply;
        if (call.answers[200] === 'bytes' && !('status' in (answer as object))) return sendBytes(reply, request, answer as ByteAnswer);
        const { status, body } = only === undefined ? (answer as { status: number; body?: unknown }) : { status: only, body: answer };
        reply.code(status);
        if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
        if (call.answers[status] === 'empty') return reply.send();
        return reply.send(call.compressed ? await compressed(request, reply, body) : body);
      },
    });
  }

  return {
    /** Binds a call of the contract to its handler: parses the inputs, guards the access, sends the answer. */
    bind: <N extends CallName>(name: N, handler: Handlers<undefined>[N]): void => bind(name, handler),
    /**
     * Like `bind`, for handlers that need database rows which follow from the path alone. The rows are read in the same round trip as the
     * visitor's session; the handler gets them as its second argument. `read` must not refuse.
     */
    reading: <R>(read: (path: Path) => Promise<R>) => ({
      bind: <N extends CallName>(name: N, handler: Handlers<R>[N]): void => bind(name, handler, read),
    }),
    /** Lists the calls that are not bound yet. */
    unbound: (): CallName[] => [...open],
  };
}

const isProgram = ({ headers }: FastifyRequest): boolean => /^Bearer /i.test(headers.authorization ?? '');
const nobody = ({ ip }: FastifyRequest): Visitor => ({ ...NOBODY, deviceId: null, address: ip });

/** Accesses that need a session of an event. */
const NEEDS_SESSION: ReadonlySet<Access> = new Set(['host', 'slideshow', 'listed', 'release', 'guest']);

/** Refuses visitors without the access that the call requires. The feature checks the access to the event or photo. */
function guard(call: Call, visitor: Visitor, request: FastifyRequest): void {
  // No token gives this access, so a program is not told to log in.
  const unknown = !call.token && isProgram(request) ? 'token_scope' : 'login_required';
  if (NEEDS_SESSION.has(call.access)) {
    const admitted = ADMITTED[call.access] ?? [];
    const isHost = call.access !== 'guest' && visitor.host !== null;
    if (!isHost && !admitted.some((role) => visitor[role] !== null)) throw new Refusal(unknown);
  }
  if (call.access === 'admin' && !visitor.admin && !visitor.token) {
    if (!visitor.assistant) throw new Refusal(unknown);
    if (!call.assistant) throw new Refusal('assistant_forbidden');
  }
  if (call.access === 'admin' && (visitor.admin ?? visitor.assistant)?.mustSecure && !visitor.token && !call.beforeFactor)
    throw new Refusal('second_factor_missing');
  if (call.access === 'device' && !visitor.deviceId) throw new Refusal('device_id_missing');
}

function parse(schema: z.ZodType | undefined, input: unknown): unknown {
  if (!schema) return undefined;
  const result = schema.safeParse(input, { error: germanIssue });
  if (result.success) return result.data;
  const fields: Record<string, string> = {};
  for (const issue of result.error.issues) fields[String(issue.path[0] ?? 'body')] ??= issue.message;
  throw new Refusal('invalid_input', { fields });
}
