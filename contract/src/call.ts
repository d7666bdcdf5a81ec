import { z } from 'zod';
import type { CallScope, PREVIEW_TYPE, UPLOAD_BODY_TYPE } from './constants.ts';
import type { ErrorCode } from './errors.ts';
import { FactorAsked } from './second-factor.ts';

/** The body of every refusal. */
export const ErrorAnswer = z.object({
  error: z.string(),
  code: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
  second_factor: FactorAsked.optional(),
  opens_at: z.string().nullable().optional(),
  count: z.number().int().optional(),
});

/** The visitors who may make a call. Host, helper, guests and locked slideshow are those of the event, or of the photo, in the path. */
export type Access =
  | 'anyone'
  /** Any sender of a Device-ID. */
  | 'device'
  /** Host. */
  | 'host'
  /** Host, locked slideshow. */
  | 'slideshow'
  /** Host, helper, guests in the gallery. */
  | 'listed'
  /** Host, helper. */
  | 'release'
  /** Guests in the gallery. */
  | 'guest'
  /** Administrators; assistants if the call admits them. */
  | 'admin'
  /** Host, and the device that uploaded the photo. */
  | 'photo'
  /** Host, that device, and guests whose gallery shows the photo. */
  | 'original'
  /** Host, that device, those guests, the helper, and a locked slideshow that shows the photo. */
  | 'picture';

/** Roles with fewer rights: visitors with an event session that allows less than the host's, and the operator's assistant. */
export type LimitedRole = 'projector' | 'gallery' | 'helper' | 'assistant';
/**
 * The limited roles that may make the calls of an access, beside hosts, devices and administrators. To all other calls they are strangers.
 */
export const ADMITTED: Partial<Record<Access, readonly LimitedRole[]>> = {
  slideshow: ['projector'],
  listed: ['gallery', 'helper'],
  release: ['helper'],
  guest: ['gallery'],
  original: ['gallery'],
  picture: ['projector', 'gallery', 'helper'],
  admin: ['assistant'],
};

/** Declaration of a call: its inputs and every answer. `'bytes'` stands for a body that is not JSON, `'empty'` for no body. */
interface Declared {
  summary: string;
  access: Access;
  /** Roles that the call looks for as well. They give no access: the call reports them to the page or ends them. */
  asks?: readonly LimitedRole[];
  /**
   * Scope of the token (`Authorization: Bearer`) with which a program may make the call, too; other calls take no token. A token with
   * `photos:read` acts for the event's host: only calls that read photos and change nothing may name that scope.
   */
  token?: CallScope;
  /** The operator's assistant may make the call, too; other calls of administrators refuse him with 403. */
  assistant?: true;
  /** An administrator without a required second factor may make the call, too; other calls of administrators refuse with 403. */
  beforeFactor?: true;
  /** The call checks no session: it is answered even while the database is down. */
  anonymous?: true;
  query?: z.ZodType;
  headers?: z.ZodType;
  body?: z.ZodType;
  /** Size limit of a JSON body that may be longer than a form, bytes. */
  bodyLimit?: number;
  /** The body is multipart and read by the handler as it streams. */
  multipart?: true;
  /** Media type of a body that is the bytes of a file; the handler reads it as it streams. */
  stream?: typeof UPLOAD_BODY_TYPE | typeof PREVIEW_TYPE;
  /** The answer is compressed; only for long lists without secrets (docs/decisions/0003-compressed-lists.md). */
  compressed?: true;
  answers: { readonly [status: number]: z.ZodType | 'bytes' | 'empty' };
  /** Error codes beside those that path, access and inputs imply. */
  errors?: readonly ErrorCode[];
}

/** A call, completed by what follows from its name and its declaration. */
export interface Call extends Declared {
  tag: Tag;
  params: z.ZodType;
  /** All error codes of the call. */
  errors: readonly ErrorCode[];
}

export interface Tag {
  name: string;
  description: string;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD' | 'OPTIONS';
type NamesIn<Path> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
type Group<T> = { [N in keyof T]: T[N] & Pick<Call, 'tag' | 'errors'> & { params: z.ZodObject<Record<NamesIn<N>, z.ZodString>> } };

/** Builds a group of calls, keyed `METHOD /path/:param`. */
export function calls<const T extends Record<`${Method} /${string}`, Declared>>(name: string, description: string, group: T): Group<T> {
  const tag = { name, description };
  const whole = ([key, call]: [string, Declared]): [string, Call] => {
    const params = z.object(Object.fromEntries([...key.matchAll(/:(\w+)/g)].map(([, param = '']) => [param, z.string()])));
    return [key, { ...call, tag, params, errors: [...implied(key, call), ...(call.errors ?? [])] }];
  };
  return Object.fromEntries(Object.entries(group).map(whole)) as unknown as Group<T>;
}

/** Declares a call that answers bytes: the whole, a range, or 304 for bytes that the browser has. */
export function bytesCall<const A extends Access>(access: A, summary: string, ...errors: ErrorCode[]) {
  return { summary, access, answers: { 200: 'bytes', 206: 'bytes', 304: 'empty' }, errors } as const;
}

/** Yields the errors that follow from a call's name and inputs. */
function* implied(name: string, { access, token, assistant, query, body, multipart, stream, answers }: Declared): Generator<ErrorCode> {
  const streamed = multipart || stream;
  if (query || body || streamed) yield 'invalid_input';
  if (body || streamed) yield 'too_large';
  if (streamed) yield 'upload_incomplete';
  if (/^(POST|PUT|PATCH|DELETE) /.test(name)) yield 'foreign_origin';
  if (['host', 'slideshow', 'listed', 'release', 'guest', 'admin'].includes(access)) yield* ['login_required', 'token_scope'] as const;
  if (access === 'admin' && !assistant) yield 'assistant_forbidden';
  if (access === 'admin') yield 'second_factor_missing';
  if (token) yield* ['token_invalid', 'token_scope', 'too_many_attempts'];
  if (access === 'device') yield 'device_id_missing';
  if (/\/:(ref|code)\b/.test(name)) yield 'event_not_found';
  if (name.includes(' /api/photos/:id')) yield 'photo_not_found';
  if (answers[206]) yield 'range_unsatisfiable';
}
