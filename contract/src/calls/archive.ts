import { z } from 'zod';
import { calls } from '../call.ts';
import { SELECTION_PHOTOS } from '../constants.ts';
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

/** A ZIP of chosen photos, for the session that asked, until it expires. */
const SelectionZip = z.object({ download_url: z.string(), expires_at: z.iso.datetime() });
/** Bytes of an id in JSON: 36 characters, quotes, comma and some whitespace. */
const ID_BYTES = 48;

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
  'POST /api/events/:ref/selections': {
    summary: 'Makes a ZIP of chosen photos, without touching the one of the event; this session can download it for an hour.',
    access: 'host',
    params: ref,
    body: z.object({ photos: z.array(z.uuid()).min(1).max(SELECTION_PHOTOS) }),
    bodyLimit: SELECTION_PHOTOS * ID_BYTES,
    answers: { 201: SelectionZip },
    errors: ['invalid_input', 'login_required', 'event_not_found', 'photo_not_found', 'foreign_origin', 'too_large'],
  },
  'GET /api/events/:ref/selections/:id': {
    summary: 'The ZIP of chosen photos: exact length, ETag, Range and If-Range.',
    access: 'host',
    params: z.object({ ref: z.string(), id: z.string() }),
    answers: { 200: 'bytes', 206: 'bytes', 304: 'empty' },
    errors: ['login_required', 'event_not_found', 'photo_not_found', 'selection_expired', 'range_unsatisfiable'],
  },
});
