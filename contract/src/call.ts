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

/** Who may make a call; host, helper, guests and locked slideshow are those of the event, or of the photo, in the path. */
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
  /** Administrators; assistants where the call says so. */
  | 'admin'
  /** Host, and the device that uploaded the photo. */
  | 'photo'
  /** Host, that device, and guests whose gallery shows the photo. */
  | 'original'
  /** Host, that device, those guests, the helper, and a locked slideshow that shows the photo. */
  | 'picture';

/** Visitors with a session of an event that allows less than its host's, and the operator's assistant, who may do less than an administrator. */
export type LimitedRole = 'projector' | 'gallery' | 'helper' | 'assistant';
/** Who may make the calls of an access, beside hosts, devices and administrators. For all other calls such a visitor is nobody. */
export const ADMITTED: Partial<Record<Access, readonly LimitedRole[]>> = {
  slideshow: ['projector'],
  listed: ['gallery', 'helper'],
  release: ['helper'],
  guest: ['gallery'],
  original: ['gallery'],
  picture: ['projector', 'gallery', 'helper'],
  admin: ['assistant'],
};

/** What a call declares: its inputs and every answer. `'bytes'` stands for a body that is no JSON, `'empty'` for none. */
interface Declared {
  summary: string;
  access: Access;
  /** Also looks whether the visitor has one of these roles. The role gives no access: it informs the page, or is ended. */
  asks?: readonly LimitedRole[];
  /**
   * A program may make it, too, with a token that has this scope (`Authorization: Bearer`); no other call takes one. With `photos:read` it
   * stands in for the event's host: only calls that read photos, and change nothing, may say so.
   */
  token?: CallScope;
  /** An assistant of the operator may make it, too; other calls of administrators refuse him with 403. */
  assistant?: true;
  /** Who has no second factor, where all need one, may make it, too; other calls of administrators refuse it with 403. */
  beforeFactor?: true;
  /** Nobody is asked who he is: it is answered also where the database is not. */
  anonymous?: true;
  query?: z.ZodType;
  headers?: z.ZodType;
  body?: z.ZodType;
  /** Most bytes of a JSON body, if it may be longer than a form. */
  bodyLimit?: number;
  /** The body is multipart and read by the handler as it streams. */
  multipart?: true;
  /** The body is bytes of a file, of this type, and read by the handler as it streams. */
  stream?: typeof UPLOAD_BODY_TYPE | typeof PREVIEW_TYPE;
  /** The answer is compressed; only for long lists without secrets (docs/decisions/0003-compressed-lists.md). */
  compressed?: true;
  answers: { readonly [status: number]: z.ZodType | 'bytes' | 'empty' };
  /** Without those that its path, access and inputs imply. */
  errors?: readonly ErrorCode[];
}

/** One call, with what follows from its name and its declaration. */
export interface Call extends Declared {
  /** Of its group. */
  tag: Tag;
  params: z.ZodType;
  /** Every one. */
  errors: readonly ErrorCode[];
}

/** A group of calls. */
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

/** A group of calls, keyed `METHOD /path/:param`. */
export function calls<const T extends Record<`${Method} /${string}`, Declared>>(name: string, description: string, group: T): Group<T> {
  const tag = { name, description };
  const whole = ([key, call]: [string, Declared]): [string, Call] => {
    const params = z.object(Object.fromEntries([...key.matchAll(/:(\w+)/g)].map(([, param = '']) => [param, z.string()])));
    return [key, { ...call, tag, params, errors: [...implied(key, call), ...(call.errors ?? [])] }];
  };
  return Object.fromEntries(Object.entries(group).map(whole)) as unknown as Group<T>;
}

/** A call that answers bytes: whole, a range of them, or not again those that the browser has. */
export function bytesCall<const A extends Access>(access: A, summary: string, ...errors: ErrorCode[]) {
  return { summary, access, answers: { 200: 'bytes', 206: 'bytes', 304: 'empty' }, errors } as const;
}

/** The errors that every call of this name and with these inputs may give. */
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
