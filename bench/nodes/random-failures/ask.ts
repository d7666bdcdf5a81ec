import { Agent, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Findings } from './findings.ts';

/** Longest time for a request; for a ZIP, which is read in pieces, longest time between two pieces. Event streams have no limit. */
const BOUND_MS = 60_000;
/** Size of a slow sender's pieces. */
const PIECE_BYTES = 64 * 1024;
/** Statuses that a fault explains, each with our own error codes. */
const EXPECTED: Record<number, readonly string[]> = {
  429: ['too_many_attempts'],
  502: [],
  503: ['unavailable'],
  504: [],
};

export type Accepted = readonly (string | number)[];

export interface Question {
  /** Kind of the question in the table of answers. */
  kind: string;
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: Buffer;
  /** Pause between two pieces of the body, ms. */
  paceMs?: number;
  /** Makes the client go away. */
  signal?: AbortSignal;
  /** Accepted error codes, or statuses of answers without one, besides success. A function is called when the answer has come. */
  accepted?: Accepted | (() => Accepted);
  /** Takes the answer's pieces in place of `body`. */
  take?(piece: Buffer, answer: IncomingMessage): void;
  /** The answer is a stream, which may end at any time. */
  endless?: boolean;
}

export interface Answer {
  /** 0: the answer is missing or broke off. */
  status: number;
  ok: boolean;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Code of our own error. */
  code: string | null;
}

export type Ask = (question: Question) => Promise<Answer>;

export interface Asker {
  ask: Ask;
  /** Answers by kind and status, and the slowest of each kind, ms. */
  table(): { kind: string; statuses: Map<string, number>; slowestMs: number }[];
}

interface Options {
  url: string;
  findings: Findings;
  /** Returns the time since which no fault is active, ms since 1970; null: one is active. */
  calmSince(): number | null;
  /** Time after a fault within which everything has to work again. */
  recoveryMs: number;
}

export const jsonOf = <T>(answer: Answer): T => JSON.parse(answer.body.toString()) as T;

/** Makes clients' requests through the proxy and judges each answer: the status, our code, and the time. */
export function createAsker({ url, findings, calmSince, recoveryMs }: Options): Asker {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(url);
  const kinds = new Map<string, { statuses: Map<string, number>; slowestMs: number }>();

  function send(question: Question): Promise<Answer> {
    const { kind, method = 'GET', path, headers = {}, body, paceMs = 0, signal, take, endless } = question;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const nothing: Answer = { status: 0, ok: false, headers: {}, body: Buffer.alloc(0), code: null };
    const length = body === undefined ? {} : { 'content-length': String(body.length) };
    const sending = request({ hostname, port, agent, method, path, headers: { ...length, ...headers } }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => {
        const taken = take !== undefined && (answer.statusCode ?? 0) < 300;
        if (taken) take(piece, answer);
        else pieces.push(piece);
        if (taken && !endless) late.refresh();
      });
      answer.on('error', () => resolve(nothing));
      answer.on('close', () => {
        const status = answer.complete ? (answer.statusCode ?? 0) : 0;
        const whole = Buffer.concat(pieces);
        resolve({
          status,
          ok: status >= 200 && status < 300,
          headers: answer.headers,
          body: whole,
          code: status >= 400 ? codeOf(answer.headers, whole) : null,
        });
      });
    });
    sending.on('error', () => resolve(nothing));
    const late = setTimeout(() => {
      findings.add(`${method} ${path} (${kind}) was not answered within ${BOUND_MS} ms`);
      sending.destroy();
    }, BOUND_MS);
    if (endless) clearTimeout(late);
    signal?.addEventListener('abort', () => sending.destroy());
    if (signal?.aborted) sending.destroy();
    void (async () => {
      for (let at = 0; body && at < body.length && !sending.destroyed; at += PIECE_BYTES) {
        sending.write(body.subarray(at, at + PIECE_BYTES));
        if (paceMs > 0) await pause(paceMs);
      }
      if (!sending.destroyed) sending.end();
    })();
    return promise.finally(() => clearTimeout(late));
  }

  function judge(question: Question, { status, ok, headers, code, body }: Answer, began: number): void {
    const { kind, method = 'GET', path, signal } = question;
    if (ok || status === 304 || isAccepted(question, code ?? status) || signal?.aborted) return;
    const what = `${method} ${path} (${kind}) was answered ${status} ${code ?? ''}`;
    const expected = EXPECTED[status];
    if (status !== 0 && !expected) return findings.add(`${what} ${code === null ? body.toString().slice(0, 100) : ''}`);
    if (code !== null && !expected?.includes(code)) return findings.add(`${what}: not a code for this`);
    if (code !== null && headers['retry-after'] === undefined) findings.add(`${what} without Retry-After`);
    const since = calmSince();
    if (since !== null && began > since + recoveryMs) findings.add(`${what} in calm`);
  }

  return {
    async ask(question) {
      const began = Date.now();
      const answer = await send(question);
      const { kind } = question;
      const found = kinds.get(kind) ?? { statuses: new Map<string, number>(), slowestMs: 0 };
      const name = question.signal?.aborted ? 'left' : `${answer.status}${answer.code === null ? '' : ` ${answer.code}`}`;
      found.statuses.set(name, (found.statuses.get(name) ?? 0) + 1);
      if (!question.endless) found.slowestMs = Math.max(found.slowestMs, Date.now() - began);
      kinds.set(kind, found);
      if (!question.endless || answer.status !== 0) judge(question, answer, began);
      return answer;
    },
    table: () => [...kinds].map(([kind, found]) => ({ kind, ...found })),
  };
}

/** Tells whether a question accepts a refusal. */
export function isAccepted({ accepted = [] }: Question, refusal: string | number): boolean {
  return (typeof accepted === 'function' ? accepted() : accepted).includes(refusal);
}

function codeOf(headers: IncomingHttpHeaders, body: Buffer): string | null {
  if (!headers['content-type']?.includes('json')) return null;
  try {
    return (JSON.parse(body.toString()) as { code?: string }).code ?? null;
  } catch {
    return null;
  }
}
