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
  /** Asks whether this is a locked slideshow although it may do nothing here: to tell of it, or to end it. */
  projector?: true;
  params?: z.ZodType;
  query?: z.ZodType;
  headers?: z.ZodType;
  body?: z.ZodType;
  /** Bytes that a JSON body may have where it is longer than a form. */
  bodyLimit?: number;
  /** The body is multipart and read by the handler as it streams. */
  multipart?: true;
  /** The answer is compressed for browsers that take it: for long lists without secrets alone (docs/decisions/0021-compressed-lists.md). */
  compressed?: true;
  answers: { readonly [status: number]: z.ZodType | 'bytes' | 'empty' };
  errors: readonly ErrorCode[];
}

/** Keeps the literal types of a group of calls, keyed `METHOD /path/:param`. */
export function calls<const T extends Record<`${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`, Call>>(group: T): T {
  return group;
}
