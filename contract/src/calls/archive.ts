import { z } from 'zod';
import { bytesCall, calls } from '../call.ts';
import { SELECTION_PHOTOS } from '../constants.ts';
import { ZipStatus } from '../entities.ts';

const ZipProgress = z.object({
  status: ZipStatus,
  progress: z.number().min(0).max(100),
  /** Age of the ZIP, seconds; null: there is none. */
  zip_age: z.number().int().nullable(),
  /** Photos in the ZIP, its size in bytes, and photos that came since; null: there is no ZIP. */
  photos: z.number().int().nullable(),
  size: z.number().nullable(),
  new_photos: z.number().int().nullable(),
  /** The event's photos whose original cannot be decoded: a ZIP has their previews, and a single download the original. */
  unreadable: z.number().int(),
  /** Photos whose original the store has lost, as far as is known: a ZIP has their previews, and a text that names them. */
  damaged: z.number().int(),
});
export type ZipProgress = z.infer<typeof ZipProgress>;

/** A ZIP of chosen photos, for the session that asked, until it expires; each reading puts that off. */
const SelectionZip = z.object({ download_url: z.string(), expires_at: z.iso.datetime() });
/** Bytes of an id in JSON: 36 characters, quotes, comma and some whitespace. */
const ID_BYTES = 48;

/** `previews` adds photos without an original: their previews go into the folder nur-vorschau/, as those of unreadable originals always do. */
const making = {
  access: 'host',
  body: z.object({ previews: z.boolean().optional() }).nullish(),
  answers: { 202: ZipProgress },
  errors: ['archive_empty', 'archive_running'],
} as const;

export const archiveCalls = calls('archive', 'The photos of an event as a ZIP.', {
  'POST /api/events/:ref/create-zip': { ...making, summary: 'Starts making the ZIP; what was received is proved before.' },
  'POST /api/events/:ref/regenerate-zip': { ...making, summary: 'Makes the ZIP again.' },
  'GET /api/events/:ref/zip-progress': {
    summary: 'How far the ZIP is.',
    access: 'host',
    answers: { 200: ZipProgress },
  },
  'GET /api/events/:ref/download': bytesCall('host', 'The ZIP: exact length, ETag, Range and If-Range.', 'archive_not_ready'),
  'POST /api/events/:ref/selections': {
    summary:
      'Makes a ZIP of chosen photos, without touching the one of the event; this session can begin or resume its download within an hour of its making or last reading, for six hours.',
    access: 'host',
    body: z.object({ photos: z.array(z.uuid()).min(1).max(SELECTION_PHOTOS) }),
    bodyLimit: SELECTION_PHOTOS * ID_BYTES,
    answers: { 201: SelectionZip },
    errors: ['photo_not_found'],
  },
  'GET /api/events/:ref/selections/:id': bytesCall(
    'host',
    'The ZIP of chosen photos: exact length, ETag, Range and If-Range.',
    'photo_not_found',
    'selection_expired',
  ),
});
