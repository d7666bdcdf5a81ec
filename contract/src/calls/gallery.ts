import { z } from 'zod';
import { calls } from '../call.ts';
import { GALLERY_DEVICE_PHOTOS_MAX, HEARTS_OF_PHOTO, RELEASE_MINUTES_MAX } from '../constants.ts';
import { GALLERY_MODES } from '../gallery.ts';

const on = z.boolean({ error: 'Bitte wählen Sie ein oder aus.' });

const settings = {
  mode: z.enum(GALLERY_MODES, { error: 'Bitte wählen Sie drop, reveal oder open.' }),
  /** Time of the automatic reveal; null: the host reveals. */
  opens_at: z.iso.datetime({ offset: true, error: 'Bitte geben Sie einen gültigen Zeitpunkt ein.' }).nullable(),
  /** Photos that each device may send; null: no limit. */
  photos_per_device: z
    .int({ error: 'Bitte geben Sie eine ganze Zahl ein.' })
    .min(1, { error: 'Bitte geben Sie eine Zahl größer als 0 ein.' })
    .max(GALLERY_DEVICE_PHOTOS_MAX, { error: `Möglich sind höchstens ${GALLERY_DEVICE_PHOTOS_MAX.toLocaleString('de-DE')}.` })
    .nullable(),
  /** Guests may download originals, which come without their location. */
  originals: on,
  /** Before the reveal guests see their own photos, and the slideshow runs. */
  own_meanwhile: on,
  wall_meanwhile: on,
};

/** The host's choices. A missing field gets the value that new events have. */
const GalleryForm = z.object({
  ...settings,
  opens_at: settings.opens_at.default(null),
  photos_per_device: settings.photos_per_device.default(null),
  originals: on.default(false),
  own_meanwhile: on.default(true),
  wall_meanwhile: on.default(true),
  /** The choices when the form was opened. If another phone has changed them since, nothing is set (409). */
  was: z.object(settings).optional(),
  /** A new `opens_at` is meant to lie ahead: one that is over is refused instead of revealing the photos at once. */
  ahead: z.boolean().default(false),
});
export type GalleryForm = z.output<typeof GalleryForm>;

export const Gallery = z.object({
  ...settings,
  /** Path of the guests' page, with the link's token in its fragment; null in `drop`. */
  url: z.string().nullable(),
  /** Guests see photos now. */
  open: z.boolean(),
  /** Shown photos whose keys for guests are still being made. */
  pending: z.number().int(),
});
export type Gallery = z.infer<typeof Gallery>;

const Approval = z.object({
  /** New photos are shown only after their release. */
  value: on,
  /** Minutes after which photos are shown without a decision; null: never. */
  minutes: z
    .int({ error: 'Bitte geben Sie eine ganze Zahl ein.' })
    .min(1, { error: 'Bitte geben Sie eine Zahl größer als 0 ein.' })
    .max(RELEASE_MINUTES_MAX, { error: `Möglich sind höchstens ${RELEASE_MINUTES_MAX.toLocaleString('de-DE')}.` })
    .nullable(),
});
/** A missing field leaves the setting as it is. */
const ApprovalForm = Approval.partial({ minutes: true });
export type ApprovalForm = z.output<typeof ApprovalForm>;

/** `value` true makes a link, which replaces an earlier one unless `keep` is set; `value` false ends the link, with or without `keep`. */
export const LinkForm = z.object({ value: z.boolean().default(true), keep: z.boolean().default(false) });
export type LinkForm = z.output<typeof LinkForm>;

const HelperLink = z.object({
  /** Path of the helper's page, with the link's token in its fragment; null: there is no link. */
  url: z.string().nullable(),
});

const Opened = z.object({ role: z.enum(['gallery', 'helper']), code: z.string() });
const code = z.string().max(200);
const token = z.string().max(200);

export const galleryCalls = calls('gallery', "The guests' gallery, and the release of photos.", {
  'GET /api/events/:ref/gallery': {
    summary: "The settings of the guests' gallery, with its link.",
    access: 'host',
    answers: { 200: Gallery },
  },
  'PUT /api/events/:ref/gallery': {
    summary:
      "Sets them. Where guests see something for the first time, the gallery gets its key and link; in `drop` these and the guests' sessions end.",
    access: 'host',
    body: GalleryForm,
    answers: { 200: Gallery },
    errors: ['demo_fixed', 'event_changed', 'event_purged'],
  },
  'POST /api/events/:ref/gallery/link': {
    summary: 'A new key and a new link: the old link, and the sessions that came by it, end.',
    access: 'host',
    answers: { 200: Gallery },
    errors: ['demo_fixed', 'gallery_off', 'event_changed', 'event_purged'],
  },
  'POST /api/events/:ref/gallery/reveal': {
    summary: 'Reveals the photos now.',
    access: 'host',
    answers: { 200: Gallery },
    errors: ['demo_fixed', 'gallery_off', 'event_changed', 'event_purged'],
  },
  'POST /auth/gallery/login': {
    summary:
      "Enters an event's gallery by its link's token; without one by the device id, where the device had sent photos, or by what the browser has already. Sets the cookie.",
    access: 'anyone',
    asks: ['gallery'],
    body: z.object({ code, token: token.optional() }),
    headers: z.object({ 'device-id': z.string().optional() }),
    answers: { 200: Opened },
    errors: ['invalid_credentials'],
  },
  'POST /auth/helper/login': {
    summary: "Enters the release of an event's photos by the helper's link. Sets the cookie.",
    access: 'anyone',
    asks: ['helper'],
    body: z.object({ code, token }),
    answers: { 200: Opened },
    errors: ['invalid_credentials'],
  },
  'PUT /api/events/:ref/release': {
    summary:
      'Whether new photos are shown only once they were released, and after how many minutes without that. Other minutes count for what waits, too, from now on.',
    access: 'host',
    body: ApprovalForm,
    answers: { 200: Approval },
    errors: ['event_changed', 'event_purged'],
  },
  'GET /api/events/:ref/helper': {
    summary: "The helper's link.",
    access: 'host',
    answers: { 200: HelperLink },
  },
  'POST /api/events/:ref/helper': {
    summary:
      "Makes a new link for a helper, who may release photos and nothing else, or ends it (`value: false`); an earlier one's sessions end. `keep`: an earlier one stays, and is the answer.",
    access: 'host',
    body: LinkForm.nullish(),
    answers: { 200: HelperLink },
    errors: ['demo_fixed', 'event_changed', 'event_purged'],
  },
  'PUT /api/photos/:id/heart': {
    summary: `A guest's heart for a photo of the gallery: one of each device, or of a session without one. Answers whether it is given: a photo has ${HEARTS_OF_PHOTO} at most.`,
    access: 'guest',
    headers: z.object({ 'device-id': z.string().optional() }),
    body: z.object({ value: z.boolean() }),
    answers: { 200: z.object({ value: z.boolean() }) },
    errors: ['gallery_closed'],
  },
});
