import type { Contract } from '@feierbild/contract/contract.ts';
import type { ErrorBody } from '@feierbild/contract/errors.ts';
import type { z } from 'zod';

type Input<C, K extends string> = K extends keyof C ? (C[K] extends z.ZodType ? z.input<C[K]> : never) : undefined;
type Success<C> = C extends { answers: infer A } ? { [S in keyof A]: A[S] extends z.ZodType ? z.output<A[S]> : undefined }[keyof A] : never;

interface CallOptions<N extends keyof Contract> {
  params?: Input<Contract[N], 'params'>;
  query?: Input<Contract[N], 'query'>;
  headers?: Record<string, string>;
  body?: Input<Contract[N], 'body'>;
  signal?: AbortSignal;
}

/** After this time another navigation to the login is tried, because a question may have kept the visitor on the page. */
const LEAVING_MS = 5000;

const TROUBLE = new Set([500, 503]);
/** Characters of a request's id that are shown. */
export const ID_SHOWN = 8;

const UNKNOWN = 'Unbekannter Fehler ist aufgetreten';
export const NO_CONNECTION = 'Keine Verbindung. Bitte prüfen Sie Ihr Netz und versuchen Sie es erneut.';

/** A call that was refused or got no answer; `message` is a German text to show, or empty if the answer has none. */
export class ApiError extends Error {
  /** HTTP status, or 0 where no answer came. */
  readonly status: number;
  readonly code: string;
  readonly fields: Record<string, string>;

  constructor(status: number, code: string, message: string, fields: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
  }
}

/** The text for a failed call: the answer's `error`, else the error's message, else a fixed one. */
export function messageOf(error: unknown, fallback = UNKNOWN): string {
  return (error instanceof Error && error.message) || fallback;
}

/** Makes a call of the contract. Throws ApiError; a 401 leads to the login page, once. */
export async function call<N extends keyof Contract>(name: N, options: CallOptions<N> = {}): Promise<Success<Contract[N]>> {
  const [method = 'GET', pattern = '/'] = name.split(' ');
  const { params = {}, query = {}, headers = {}, body, signal } = options as CallOptions<N> & { params?: object; query?: object };
  const path = pattern.replace(/:([a-z]+)/g, (_, key: string) => encodeURIComponent(String((params as Record<string, unknown>)[key])));
  const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)])).toString();
  let response: Response;
  try {
    response = await fetch(search ? `${path}?${search}` : path, {
      method,
      credentials: 'same-origin',
      headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, 'no_connection', NO_CONNECTION);
  }
  const answer: unknown = response.status === 204 ? undefined : await response.json().catch(() => undefined);
  // The login page of a public Wi-Fi answers everything with 200 and HTML.
  if (response.ok && response.status !== 204 && answer === undefined) throw new ApiError(0, 'no_connection', NO_CONNECTION);
  if (response.ok) return answer as Success<Contract[N]>;
  const refusal = (answer ?? {}) as Partial<ErrorBody>;
  // Wrong credentials belong to the form that sent them.
  if (response.status === 401 && !/^\/auth\/[a-z]+\/login$/.test(path)) goToLogin();
  throw new ApiError(response.status, refusal.code ?? 'internal', withRequestId(refusal.error ?? '', response), refusal.fields);
}

/** With the end of the request's id where the server had trouble: by it the log's lines are found, on whichever node. */
function withRequestId(text: string, { status, headers }: Response): string {
  const id = headers.get('x-request-id');
  return text !== '' && id !== null && TROUBLE.has(status) ? `${text} (Kennung ${id.slice(-ID_SHOWN)})` : text;
}

let leaving = false;

/** Navigates to the login page for this page, with the address to return to. Several 401 answers cause only one navigation. */
export function goToLogin(): void {
  const { pathname, search } = window.location;
  const login = /^\/(auth\/)?admin(\/|$)/.test(pathname) ? '/admin/login' : '/login';
  if (leaving || pathname === '/login' || pathname === '/admin/login') return;
  leaving = true;
  setTimeout(() => (leaving = false), LEAVING_MS);
  // Replaces the history entry: the Back button would otherwise lead here and from here to the login again.
  window.location.replace(`${login}?redirect=${encodeURIComponent(pathname + search)}`);
}
