import { z } from 'zod';
import { bytesCall, calls } from '../call.ts';
import { KNOWN_AT_ONCE, PHOTOS_PER_PAGE, PHOTOS_PER_PAGE_MAX, RELEASE_EXCEPTIONS } from '../constants.ts';
import {
  APPROVALS,
  GalleryChanges,
  GalleryPage,
  Pagination,
  Photo,
  PhotosAfter,
  SlideshowChanges,
  SlideshowPage,
  WaitingChanges,
  WaitingPage,
} from '../entities.ts';

const changeNumber = z.coerce.number().int().min(0).max(2_147_483_647);

/** A new temporary link. Only this answer contains it: the server stores a hash of its token. */
export const TemporaryLink = z.object({
  download_url: z.string(),
  expires_at: z.string(),
});

export const photoCalls = calls('photos', 'Galleries and slideshows.', {
  'GET /device_id': {
    summary: 'The id of this browser: the one of its cookie or Device-ID header, else a fresh one.',
    access: 'anyone',
    headers: z.object({ 'device-id': z.string().optional() }),
    answers: { 200: z.object({ device_id: z.string() }) },
  },
  'GET /api/events/:ref/photos': {
    summary:
      'A page of the photos of an event; or, with `after`, those that were stored after an earlier answer, in the order in which they were stored. A guest in the gallery gets those that are shown (also a host, with `view`), and with `seq` what was put in and taken out after that change; a helper those of the release, likewise.',
    access: 'listed',
    token: 'photos:read',
    compressed: true,
    query: z.object({
      page: z.coerce.number().int().min(1).max(1_000_000).default(1),
      per_page: z.coerce.number().int().min(1).max(PHOTOS_PER_PAGE_MAX).default(PHOTOS_PER_PAGE),
      sort: z.enum(['oldest', 'newest']).default('oldest'),
      /** `next` of an earlier answer, 0 at the start. With it, `page` and `sort` have no effect. */
      after: z.coerce.number().int().min(0).max(2_147_483_647).optional(),
      /** `gallery`: photos as guests see them. `waiting`: photos that wait for release. `shown`: for the host, photos that are shown. */
      view: z.enum(['gallery', 'waiting', 'shown']).optional(),
      /** `seq` of an earlier answer to a guest or a helper. */
      seq: changeNumber.optional(),
    }),
    headers: z.object({ 'device-id': z.string().optional() }),
    answers: {
      200: z.union([
        z.object({ photos: z.array(Photo), pagination: Pagination }),
        PhotosAfter,
        GalleryPage,
        GalleryChanges,
        WaitingPage,
        WaitingChanges,
      ]),
      304: 'empty',
    },
    errors: ['gallery_closed'],
  },
  'GET /api/events/:ref/my-photos': {
    summary: 'What this device uploaded to the event, newest first.',
    access: 'device',
    compressed: true,
    headers: z.object({ 'device-id': z.string().optional() }),
    answers: { 200: z.object({ photos: z.array(Photo) }) },
    errors: ['event_inactive', 'too_many_attempts'],
  },
  'POST /api/events/:ref/known': {
    summary: 'Those of this device’s photos in the event whose fingerprints (docs/vault-format.md) are given: they need not be sent again.',
    access: 'device',
    headers: z.object({ 'device-id': z.string().optional() }),
    body: z.object({ fingerprints: z.array(z.string().regex(/^[A-Za-z0-9_-]{43}$/)).max(KNOWN_AT_ONCE) }),
    answers: { 200: z.object({ photos: z.array(z.object({ fingerprint: z.string(), photo: Photo })) }) },
    errors: ['event_inactive', 'too_many_attempts'],
  },
  'GET /api/events/:ref/slideshow': {
    summary:
      'The photos in the slideshow, oldest first, 10,000 at most; `total` counts all in the slideshow. With `after` a page of them, which so leads to all, with `seq` what was put in and taken out after that change. Without `names` it is told no names of guests; a locked one learns these alone of what the host learns.',
    access: 'slideshow',
    compressed: true,
    query: z.object({
      /** `next` of an earlier page, 0 at the start. */
      after: z.coerce.number().int().min(0).max(2_147_483_647).optional(),
      per_page: z.coerce.number().int().min(1).max(PHOTOS_PER_PAGE_MAX).default(PHOTOS_PER_PAGE_MAX),
      /** `seq` of an earlier answer. */
      seq: changeNumber.optional(),
    }),
    answers: {
      200: z.union([
        SlideshowPage.pick({ photos: true, random: true, names: true, palette: true }).extend({ total: z.number().int() }),
        SlideshowPage,
        SlideshowChanges,
      ]),
    },
    errors: ['slideshow_disabled', 'gallery_closed'],
  },
  'GET /api/events/:ref/live': {
    summary:
      'Server-sent events: `photos` says that photos of the event came, went or changed; its data is `{gone: [id], slideshow: {id: boolean}, posters: [id], received: [id], replaced: [id], unreadable: [id]}` (videos that got their poster; announced photos whose original came, whose preview was another picture, whose original cannot be decoded; `wall: true`: what the host chose for the walls may be another), or null where not all is known. Its id is the number of the last change; with `Last-Event-ID` or `last` the stream begins with what came after it.',
    access: 'slideshow',
    query: z.object({
      last: changeNumber.optional(),
      /** Set if the page is a wall. */
      wall: z.literal('1').optional(),
    }),
    headers: z.object({ 'last-event-id': changeNumber.optional().catch(undefined) }),
    answers: { 200: 'bytes' },
    errors: ['unavailable'],
  },
  'POST /api/events/:ref/slideshow-lock': {
    summary: "Ends this browser's logins, and lets it show the slideshow of the event, and nothing else.",
    access: 'host',
    asks: ['projector', 'assistant', 'helper', 'gallery'],
    answers: { 204: 'empty' },
    errors: ['slideshow_disabled'],
  },
  'PUT /api/photos/:id/slideshow': {
    summary: 'Puts a photo into the slideshow or takes it out; without a value, flips.',
    access: 'release',
    body: z
      .object({
        value: z.boolean().optional(),
        /** The photo waits for its release again. */
        waiting: z.literal(true).optional(),
        /** The photo's approval as the page shows it; the call is refused if it has changed. */
        believed: z.enum(APPROVALS).optional(),
        /** The page shows a `replaced` picture. With release on, the call shows a photo only if this matches the stored picture. */
        replaced: z.boolean().optional(),
      })
      .nullish(),
    answers: { 200: z.object({ slideshow: z.boolean() }) },
    errors: ['demo_fixed', 'decided_elsewhere', 'picture_replaced'],
  },
  'POST /api/events/:ref/release/all': {
    summary:
      'Shows photos that wait for their release, as far as a list went whose `until` is given, `except` for some; called again while some are left.',
    access: 'release',
    body: z.object({
      until: z.number().int().min(0).max(2_147_483_647),
      except: z.array(z.uuid()).max(RELEASE_EXCEPTIONS).optional(),
    }),
    answers: { 200: z.object({ left: z.number().int() }) },
  },
  'GET /api/photos/:id/thumbnail': {
    ...bytesCall('picture', 'The thumbnail, at most 400 px, a web format without metadata.', 'gallery_closed'),
    token: 'photos:read',
  },
  'GET /api/photos/:id/preview': {
    ...bytesCall(
      'picture',
      'The preview, at most 2,048 px, a web format without metadata; with `wide` not the one of 1,600 px that was made with its upload, or that its phone has drawn.',
      'gallery_closed',
    ),
    token: 'photos:read',
    query: z.object({ wide: z.string().optional() }),
  },
  'GET /api/photos/:id/download': {
    ...bytesCall(
      'original',
      'The original, byte for byte, as attachment; answers Range. For a guest in the gallery, where the host lets it out, without its place.',
      'gallery_closed',
      'originals_off',
      'original_missing',
      'video_not_shared',
      'unavailable',
    ),
    token: 'photos:read',
  },
  'GET /api/photos/:id/video': bytesCall(
    'picture',
    'A video to play, by Range; a locked slideshow and guests get it without its place.',
    'gallery_closed',
    'video_not_shared',
    'unavailable',
  ),
  'PUT /api/photos/:id/poster': {
    summary:
      "A still picture of a video that has none, from the device that sent it or its host's browser: multipart field file. One of the device makes a released video wait for its release again.",
    access: 'photo',
    multipart: true,
    answers: { 204: 'empty' },
    errors: ['file_missing', 'not_a_photo', 'too_many_pixels', 'poster_refused', 'unavailable'],
  },
  'DELETE /api/photos/:id': {
    summary: 'Deletes a photo with its key.',
    access: 'photo',
    answers: { 204: 'empty' },
    errors: ['demo_fixed'],
  },
});

export const linkCalls = calls('links', 'Temporary links to single photos.', {
  'POST /api/photos/:id/link': {
    summary: 'Makes a temporary link to one photo, valid for 7 days.',
    access: 'host',
    answers: { 201: TemporaryLink },
    errors: ['demo_fixed', 'video_not_shared', 'original_missing'],
  },
  'GET /api/photos/temp_download/:token': {
    ...bytesCall(
      'anyone',
      'The photo of a temporary link: a JPEG in full size without the place where it was taken. 202 where a Fotobox has printed the link and the photo has not come yet.',
      'link_invalid',
      'link_expired',
      'video_not_shared',
      'too_many_attempts',
      'unavailable',
    ),
    answers: { 200: 'bytes', 202: z.object({ status: z.literal('waiting') }), 206: 'bytes', 304: 'empty' },
  },
  'GET /api/events/:ref/booth-key': {
    summary:
      'For a Fotobox, which shows its password: the key under which it makes tokens of links before it uploads their photos (docs/fotobox.md).',
    access: 'anyone',
    headers: z.object({ 'event-password': z.string().optional() }),
    answers: {
      200: z.object({
        /** 32 bytes, base64url. */
        key: z.string(),
        /** The event id that the booth's tokens name. */
        event_id: z.string(),
      }),
    },
    errors: ['event_inactive', 'wrong_event_password', 'too_many_attempts', 'unavailable'],
  },
});
