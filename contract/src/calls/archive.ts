import { z } from 'zod';
import { calls } from '../call.ts';
import { ZipStatus } from '../entities.ts';

const ref = z.object({ ref: z.string() });

const ZipProgress = z.object({
  status: ZipStatus,
  progress: z.number().min(0).max(100),
  /** Seconds since the ZIP was made; null where there is none. */
  zip_age: z.number().int().nullable(),
  /** Photos in the ZIP, its size in bytes, and photos that came since; null where there is none. */
  photos: z.number().int().nullable(),
  size: z.number().nullable(),
  new_photos: z.number().int().nullable(),
});
export type ZipProgress = z.infer<typeof ZipProgress>;

const makeErrors = ['login_required', 'event_not_found', 'archive_empty', 'archive_running', 'foreign_origin'] as const;

export const archiveCalls = calls({
  'POST /api/events/:ref/create-zip': {
    summary: 'Starts making the ZIP.',
    access: 'host',
    params: ref,
    answers: { 202: ZipProgress },
    errors: makeErrors,
  },
  'POST /api/events/:ref/regenerate-zip': {
    summary: 'Makes the ZIP again.',
    access: 'host',
    params: ref,
    answers: { 202: ZipProgress },
    errors: makeErrors,
  },
  'GET /api/events/:ref/zip-progress': {
    summary: 'How far the ZIP is.',
    access: 'host',
    params: ref,
    answers: { 200: ZipProgress },
    errors: ['login_required', 'event_not_found'],
  },
  'GET /api/events/:ref/download': {
    summary: 'The ZIP: exact length, ETag, Range and If-Range.',
    access: 'host',
    params: ref,
    answers: { 200: 'bytes', 206: 'bytes', 304: 'empty' },
    errors: ['login_required', 'event_not_found', 'archive_not_ready', 'range_unsatisfiable'],
  },
});
