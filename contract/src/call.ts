import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/**
 * Who may make a call. `anyone`; `device`: needs a Device-ID; `host`: the host of the event in the path; `slideshow`: the
 * same, or a locked slideshow of the event; `admin`; `photo`: the host of the photo's event or the device that uploaded it;
 * `picture`: the same, or a locked slideshow that shows the photo.
 */
export type Access = 'anyone' | 'device' | 'host' | 'slideshow' | 'admin' | 'photo' | 'picture';

/** One call: its inputs and every answer. `'bytes'` stands for a body that is no JSON, `'empty'` for none. */
export interface Call {
  summary: string;
  access: Access;
  /** Also finds out whether the visitor is a locked slideshow, although that gives no access: to inform the page, or to end it. */
  projector?: true;
  /** Nobody is asked who he is: it is answered also where the database is not. */
  anonymous?: true;
  params?: z.ZodType;
  query?: z.ZodType;
  headers?: z.ZodType;
  body?: z.ZodType;
  /** Most bytes of a JSON body, if it may be longer than a form. */
  bodyLimit?: number;
  /** The body is multipart and read by the handler as it streams. */
  multipart?: true;
  /** The body is bytes of a file, of UPLOAD_BODY_TYPE, and read by the handler as it streams. */
  stream?: true;
  /** The answer is compressed; only for long lists without secrets (docs/decisions/0003-compressed-lists.md). */
  compressed?: true;
  answers: { readonly [status: number]: z.ZodType | 'bytes' | 'empty' };
  errors: readonly ErrorCode[];
}

/** Keeps the literal types of a group of calls, keyed `METHOD /path/:param`. */
export function calls<const T extends Record<`${'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD' | 'OPTIONS'} /${string}`, Call>>(
  group: T,
): T {
  return group;
}
