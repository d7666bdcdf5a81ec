import { z } from 'zod';
import { calls } from '../call.ts';
import { KNOWN_AT_ONCE, PHOTOS_PER_PAGE, PHOTOS_PER_PAGE_MAX } from '../constants.ts';
import { Pagination, Photo, PhotosAfter, SlideshowChanges, SlideshowPage } from '../entities.ts';

const changeNumber = z.coerce.number().int().min(0).max(2_147_483_647);
const ref = z.object({ ref: z.string() });
const id = z.object({ id: z.string() });
const pictureErrors = ['photo_not_found', 'range_unsatisfiable'] as const;

export const photoCalls = calls({
  'GET /device_id': {
    summary: 'The id of this browser: the one of its cookie or Device-ID header, else a fresh one.',
    access: 'anyone',
    headers: z.object({ 'device-id': z.string().optional() }),
    answers: { 200: z.object({ device_id: z.string() }) },
    errors: [],
  },
  'GET /api/events/:ref/photos': {
    summary:
      'A page of the photos of an event; or, with `after`, those that were stored after an earlier answer, in the order in which they were stored.',
    access: 'host',
    compressed: true,
    params: ref,
    query: z.object({
      page: z.coerce.number().int().min(1).max(1_000_000).default(1),
      per_page: z.coerce.number().int().min(1).max(PHOTOS_PER_PAGE_MAX).default(PHOTOS_PER_PAGE),
      sort: z.enum(['oldest', 'newest']).default('oldest'),
      /** The `next` of an earlier answer, 0 to begin with: then `page` and `sort` do not count. */
      after: z.coerce.number().int().min(0).max(2_147_483_647).optional(),
    }),
    answers: { 200: z.union([z.object({ photos: z.array(Photo), pagination: Pagination }), PhotosAfter]) },
    errors: ['invalid_input', 'login_required', 'event_not_found'],
  },
  'GET /api/events/:ref/my-photos': {
    summary: 'What this device uploaded to the event, newest first.',
    access: 'device',
    compressed: true,
    params: ref,
    headers: z.object({ 'device-id': z.string().optional() }),
    answers: { 200: z.object({ photos: z.array(Photo) }) },
    errors: ['device_id_missing', 'event_not_found', 'event_inactive', 'too_many_attempts'],
  },
  'POST /api/events/:ref/known': {
    summary: 'Those of this device’s photos in the event whose fingerprints (docs/vault-format.md) are given: they need not be sent again.',
    access: 'device',
    params: ref,
    headers: z.object({ 'device-id': z.string().optional() }),
    body: z.object({ fingerprints: z.array(z.string().regex(/^[A-Za-z0-9_-]{43}$/)).max(KNOWN_AT_ONCE) }),
    answers: { 200: z.object({ photos: z.array(z.object({ fingerprint: z.string(), photo: Photo })) }) },
    errors: ['invalid_input', 'device_id_missing', 'event_not_found', 'event_inactive', 'too_many_attempts', 'foreign_origin', 'too_large'],
  },
  'GET /api/events/:ref/slideshow': {
    summary:
      'The photos in the slideshow, oldest first, 10,000 at most; `total` counts all in the slideshow. With `after` a page of them, which so leads to all, with `seq` what was put in and taken out after that change. Without `names`, and where it is locked, it is told no names.',
    access: 'slideshow',
    compressed: true,
    params: ref,
    query: z.object({
      /** The `next` of an earlier page, 0 to begin with. */
      after: z.coerce.number().int().min(0).max(2_147_483_647).optional(),
      per_page: z.coerce.number().int().min(1).max(PHOTOS_PER_PAGE_MAX).default(PHOTOS_PER_PAGE_MAX),
      /** The `seq` of an earlier answer. */
      seq: changeNumber.optional(),
    }),
    answers: {
      200: z.union([
        z.object({ photos: z.array(Photo), random: z.boolean(), names: z.boolean(), total: z.number().int() }),
        SlideshowPage,
        SlideshowChanges,
      ]),
    },
    errors: ['invalid_input', 'login_required', 'event_not_found', 'slideshow_disabled'],
  },
  'GET /api/events/:ref/live': {
    summary:
      'Server-sent events: `photos` says that photos of the event came, went or changed; its data is `{gone: [id], slideshow: {id: boolean}, posters: [id]}` (the last: videos that got their poster), or null where not all is known. Its id is the number of the last change; with `Last-Event-ID` or `last` the stream begins with what came after it.',
    access: 'slideshow',
    params: ref,
    query: z.object({ last: changeNumber.optional() }),
    headers: z.object({ 'last-event-id': changeNumber.optional().catch(undefined) }),
    answers: { 200: 'bytes' },
    errors: ['invalid_input', 'login_required', 'event_not_found', 'unavailable'],
  },
  'POST /api/events/:ref/slideshow-lock': {
    summary: "Ends this browser's logins, and lets it show the slideshow of the event, and nothing else.",
    access: 'host',
    projector: true,
    params: ref,
    answers: { 204: 'empty' },
    errors: ['login_required', 'event_not_found', 'slideshow_disabled', 'foreign_origin'],
  },
  'PUT /api/photos/:id/slideshow': {
    summary: 'Puts a photo into the slideshow or takes it out; without a value, flips.',
    access: 'host',
    params: id,
    body: z.object({ value: z.boolean().optional() }).nullish(),
    answers: { 200: z.object({ slideshow: z.boolean() }) },
    errors: ['invalid_input', 'login_required', 'photo_not_found', 'demo_fixed', 'foreign_origin', 'too_large'],
  },
  'GET /api/photos/:id/thumbnail': {
    summary: 'The thumbnail, at most 400 px, a web format without metadata.',
    access: 'picture',
    params: id,
    answers: { 200: 'bytes', 206: 'bytes', 304: 'empty' },
    errors: pictureErrors,
  },
  'GET /api/photos/:id/preview': {
    summary: 'The preview, at most 2,048 px, a web format without metadata.',
    access: 'picture',
    params: id,
    answers: { 200: 'bytes', 206: 'bytes', 304: 'empty' },
    errors: pictureErrors,
  },
  'GET /api/photos/:id/download': {
    summary: 'The original, byte for byte, as attachment; answers Range.',
    access: 'photo',
    params: id,
    answers: { 200: 'bytes', 206: 'bytes', 304: 'empty' },
    errors: ['photo_not_found', 'range_unsatisfiable'],
  },
  'GET /api/photos/:id/video': {
    summary: 'A video to play, by Range; a locked slideshow gets it without its place.',
    access: 'picture',
    params: id,
    answers: { 200: 'bytes', 206: 'bytes', 304: 'empty' },
    errors: [...pictureErrors, 'video_not_shared', 'unavailable'],
  },
  'PUT /api/photos/:id/poster': {
    summary: "A still picture of a video that has none, from the device that sent it or its host's browser: multipart field file.",
    access: 'photo',
    params: id,
    multipart: true,
    answers: { 204: 'empty' },
    errors: [
      'invalid_input',
      'file_missing',
      'upload_incomplete',
      'foreign_origin',
      'photo_not_found',
      'too_large',
      'not_a_photo',
      'too_many_pixels',
      'poster_refused',
      'unavailable',
    ],
  },
  'DELETE /api/photos/:id': {
    summary: 'Deletes a photo with its key.',
    access: 'photo',
    params: id,
    answers: { 204: 'empty' },
    errors: ['photo_not_found', 'demo_fixed', 'foreign_origin'],
  },
});
