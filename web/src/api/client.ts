import type { Contract } from '@feierbild/contract/contract.ts';
import type { ErrorBody, ErrorCode } from '@feierbild/contract/errors.ts';
import type { z } from 'zod';
import { shell } from '../texts/guest/shell.ts';
import { refusalText } from '../texts/speech.ts';
import { endedTyping } from '../lib/typed.ts';
import { within } from '../lib/time-limit.ts';

type Input<C, K extends string> = K extends keyof C ? (C[K] extends z.ZodType ? z.input<C[K]> : never) : undefined;
type Success<C> = C extends { answers: infer A } ? { [S in keyof A]: A[S] extends z.ZodType ? z.output<A[S]> : undefined }[keyof A] : never;

interface CallOptions<N extends keyof Contract> {
  params?: Input<Contract[N], 'params'>;
  query?: Input<Contract[N], 'query'>;
  headers?: Record<string, string>;
  body?: Input<Contract[N], 'body'>;
  /** The field `file` of a call whose body is a form. */
  file?: Blob;
  signal?: AbortSignal;
  /** Time after which a call without a complete answer fails, ms. */
  limitMs?: number;
}

/** Default limit of a call: a connection may lose an answer, and the call would wait as long as the page is open. */
const LIMIT_MS = 30_000;
/** Time after which the page may navigate to the login again: the browser's leave question may have kept the visitor. */
const LEAVING_MS = 5000;

const LATE = Symbol('late');
const TROUBLE = new Set([500, 503]);
/** Number of characters of a request's id that are shown. */
export const ID_SHOWN = 8;

/** The reason why a call failed. `not_ours`: the answer came from somebody else, such as a proxy or a Wi-Fi's sign-in page. */
export type FailureCode = ErrorCode | 'no_connection' | 'not_ours' | 'password_missing';

/** A call that was refused or got no answer; `message` is a text to show, or empty if the answer has none. */
export class ApiError extends Error {
  // The fields are only declared: the compiler's helper for fields would be part of every guest's download.
  /** HTTP status, or 0 if no answer came. Only `code` decides how a failure is handled. */
  declare readonly status: number;
  declare readonly code: FailureCode;
  declare readonly fields: Record<string, string>;
  /** Set for `second_factor_required` only. */
  declare readonly secondFactor: ErrorBody['second_factor'];
  /** Meaningful for `gallery_closed` only. */
  declare readonly closed: { opens_at: string | null; count: number };

  constructor(
    status: number,
    code: FailureCode,
    message: string,
    fields: Record<string, string> = {},
    { second_factor, opens_at, count }: Partial<ErrorBody> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.secondFactor = second_factor;
    this.closed = { opens_at: opens_at ?? null, count: count ?? 0 };
  }
}

/**
 * Returns the text for what failed: the error's message, or `fallback` if it has none. The browser's own errors have other names, and
 * English messages.
 */
export function messageOf(error: unknown, fallback = shell.unknown): string {
  const failed = error as Error | null;
  return (failed?.name === 'Error' && failed.message) || fallback;
}

/** Tells whether an error is an ApiError with one of these codes. */
export function isRefusal(error: unknown, ...codes: readonly FailureCode[]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.code);
}

/**
 * Runs `ask` for `ms` at most. Throws the error of `ask`, ApiError no_connection after that time, and AbortError if `outer` ended it.
 */
export async function inTime<T>(ms: number, ask: (signal: AbortSignal) => Promise<T>, outer?: AbortSignal): Promise<T> {
  const ending = new AbortController();
  const answer = await within(ms, ask(ending.signal), LATE, outer);
  if (answer !== LATE) return answer;
  ending.abort();
  throw outer?.aborted ? new DOMException('', 'AbortError') : new ApiError(0, 'no_connection', shell.noConnection);
}

/** The successful answer of a call. */
export type Answer<N extends keyof Contract> = Success<Contract[N]>;

/** Makes a call of the contract. Throws ApiError. If the server requires a login, the page navigates to the login, once. */
export async function call<N extends keyof Contract>(name: N, options: CallOptions<N> = {}): Promise<Success<Contract[N]>> {
  const [method = 'GET', pattern = '/'] = name.split(' ');
  const { params = {}, query = {}, headers = {}, body, file, ...rest } = options as CallOptions<N> & { params?: object; query?: object };
  const { signal: outer, limitMs = LIMIT_MS } = rest;
  const path = pattern.replace(/:([a-z]+)/g, (_, key: string) => encodeURIComponent(String((params as Record<string, unknown>)[key])));
  const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)])).toString();
  const sent = body === undefined ? undefined : JSON.stringify(body, numbersOf);
  const askBy = async (asPost: boolean, signal: AbortSignal): Promise<{ response: Response; answer: unknown }> => {
    const response = await fetch(search ? `${path}?${search}` : path, {
      method: asPost ? 'POST' : method,
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(asPost && { 'x-http-method-override': method }),
        ...headers,
      },
      ...(sent !== undefined && { body: sent }),
      ...(file && { body: formWith(file) }),
      signal,
    });
    return { response, answer: response.status === 204 ? undefined : await jsonOf(response) };
  };
  const ask = async (signal: AbortSignal): Promise<{ response: Response; answer: unknown }> => {
    const mayBePost = method !== 'GET' && method !== 'POST';
    const asked = await askBy(mayBePost && isAsPost, signal);
    if (!mayBePost || isAsPost || isOurs(asked)) return asked;
    // A proxy may let no other methods through.
    isAsPost = true;
    return askBy(true, signal);
  };
  const { response, answer } = await inTime(limitMs, ask, outer).catch((error: unknown) => {
    throw outer?.aborted ? error : new ApiError(0, 'no_connection', shell.noConnection);
  });
  // The login page of a public Wi-Fi answers everything with 200 and HTML.
  if (response.ok && response.status !== 204 && answer === undefined)
    throw new ApiError(response.status, 'no_connection', shell.noConnection);
  if (response.ok) return answer as Success<Contract[N]>;
  const error = refusalIn(response, answer);
  const ended = error.code === 'login_required' && endedTyping();
  if (ended) throw new ApiError(error.status, error.code, ended);
  const isLeaving = error.code === 'login_required' ? goToLogin() : error.code === 'second_factor_missing' && goToFactors();
  // The caller waits, so that a page that is being left shows no error. The browser's leave question may keep the visitor here.
  if (isLeaving) await new Promise((stayed) => setTimeout(stayed, LEAVING_MS));
  throw error;
}

export const NO_NUMBER = 'Bitte geben Sie nur eine Zahl ein.';

/** Throws ApiError invalid_input for NaN and infinity: JSON would write null, which may mean „none“ or „unlimited“. */
function numbersOf(_key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new ApiError(0, 'invalid_input', NO_NUMBER);
  return value;
}

/** Whether methods other than GET and POST are sent as a POST that names them, because a proxy has refused one. */
let isAsPost = false;

function isOurs({ response, answer }: { response: Response; answer: unknown }): boolean {
  return response.ok ? response.status === 204 || answer !== undefined : refusalIn(response, answer).code !== 'not_ours';
}

function formWith(file: Blob): FormData {
  const form = new FormData();
  form.append('file', file);
  return form;
}

/** Reads an answer's body; undefined if it is no JSON. Throws if it does not arrive. */
async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Reads the refusal of a request that was not made by `call`. */
export async function refusalOf(response: Response): Promise<ApiError> {
  return refusalIn(response, await jsonOf(response).catch(() => undefined));
}

/** Makes an ApiError of a refusal that the server has written into the document, in the language of this page. */
export function drawnRefusal({ status, code, error, fields }: ErrorBody & { status: number }): ApiError {
  return new ApiError(status, code, refusalText(code, error), fields);
}

function refusalIn(response: Response, answer: unknown): ApiError {
  const body = (answer ?? {}) as Partial<ErrorBody>;
  const { code, error, fields } = body;
  if (typeof code !== 'string' || typeof error !== 'string') return new ApiError(response.status, 'not_ours', '');
  return new ApiError(response.status, code, withRequestId(refusalText(code, error), response), fields, body);
}

/** Adds the end of the request's id where the server had trouble: it identifies the log's lines, on every node. */
function withRequestId(text: string, { status, headers }: Response): string {
  const id = headers.get('x-request-id');
  return text !== '' && id !== null && TROUBLE.has(status) ? shell.withId(text, id.slice(-ID_SHOWN)) : text;
}

/** Navigates to the page that sets up the second factor. Returns whether the page changes. */
function goToFactors(): boolean {
  if (window.location.pathname === '/admin/zweiter-faktor') return false;
  window.location.assign('/admin/zweiter-faktor');
  return true;
}

let leaving = false;

/** Pages that are opened by a link instead of a login; they tell their visitors themselves what to do. */
const BY_LINK = /^\/(event|galerie|freigabe|loeschprotokoll|leinwand)\//;

/**
 * Navigates to the login page for this page, with the address to return to. Returns whether the page changes. Several 401 answers cause
 * only one navigation.
 */
export function goToLogin(): boolean {
  const { pathname, search } = window.location;
  const login = /^\/(auth\/)?admin(\/|$)/.test(pathname) ? '/admin/login' : '/login';
  if (BY_LINK.test(pathname) || pathname === '/login' || pathname === '/admin/login') return false;
  if (leaving) return true;
  leaving = true;
  setTimeout(() => (leaving = false), LEAVING_MS);
  // Replaces the history entry: the Back button would otherwise lead here and from here to the login again.
  window.location.replace(`${login}?redirect=${encodeURIComponent(pathname + search)}`);
  return true;
}
