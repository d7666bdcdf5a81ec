import { z } from 'zod';
import type { ErrorBody } from './errors.ts';
import { EventNotes } from './event-notes.ts';
import { LINK_PREVIEWS } from './link-preview.ts';
import { Look } from './theme.ts';
import { PHOTO_STATES } from './photo-states.ts';
import { HostContact } from './mail-schemas.ts';

/** The shapes of events and photos, as JSON. Instants are ISO 8601 in UTC, days `YYYY-MM-DD`. Those of one call alone are beside it. */

export const ZipStatus = z.enum(['idle', 'processing', 'complete', 'failed']);
export type ZipStatus = z.infer<typeof ZipStatus>;

const eventSwitches = {
  with_nsfw_check: z.boolean(),
  with_random_slideshow: z.boolean(),
  with_fotobox: z.boolean(),
  with_user_upload: z.boolean(),
  with_slideshow: z.boolean(),
  /** Whether the slideshow names who sent a photo. */
  with_slideshow_names: z.boolean(),
  with_videos: z.boolean(),
  with_upload_password: z.boolean(),
  /** Whether new photos are shown only once they were released. */
  with_release: z.boolean(),
};

const eventFields = {
  id: z.string(),
  code: z.string(),
  title: z.string(),
  subtitle: z.string(),
  start_date: z.string(),
  end_date: z.string(),
  is_active: z.boolean(),
  ...eventSwitches,
  /** GB, or the word 'unlimited'. */
  storage_limit: z.union([z.number(), z.literal('unlimited')]),
  /** `total` is used GB (decimal). */
  storage: z.object({
    total: z.number(),
    photos: z.object({ count: z.number().int() }),
    videos: z.object({ count: z.number().int() }),
  }),
  /** `total_size` is used bytes of originals. */
  storage_stats: z.object({ total_size: z.number() }),
  device_count: z.number().int(),
  zip_status: ZipStatus,
  zip_progress: z.number(),
  /** Last day before the photos are deleted. */
  deletion_date: z.string(),
  purged_at: z.string().nullable(),
  /** When the host first had the whole ZIP, else null. */
  zip_downloaded_at: z.string().nullable(),
  /** Whether there are photos that no ZIP has which the host downloaded. */
  unsaved: z.boolean(),
  /** The password that guests type; null where none is asked for. */
  user_upload_password: z.string().nullable(),
  /** What the codes on cards and slips carry in its place, where there is one. */
  link_password: z.string().optional(),
};

export const EventSettings = z.object(eventSwitches);

/** What the host's dashboard reads. */
export const HostEvent = z.object({
  ...eventFields,
  /** When the operator reset this host's password and the host has not been told yet, else null. */
  password_reset_at: z.string().nullable(),
  /** Photos without an original: `coming`: it may still come; `left`: it did not. */
  previews: z.object({ coming: z.number().int(), left: z.number().int() }),
  /** Photos that wait for their release. */
  waiting: z.number().int(),
  /** After how long they are shown without one; null: never. */
  release_minutes: z.number().int().nullable(),
  /** The page that shows the receipt of the event's deletion, once there is one; null in the demo. */
  receipt_link: z.string().nullable(),
  look: Look,
  /** What messengers show of the event's link. */
  link_preview: z.enum(LINK_PREVIEWS),
  /** Guests who have chosen no language are spoken to in that of their phones; the operator's setting does not count then. */
  phone_language: z.boolean(),
});
export type HostEvent = z.infer<typeof HostEvent>;

/** What a guest's page reads. */
export const GuestEvent = HostEvent.pick({
  title: true,
  subtitle: true,
  with_user_upload: true,
  with_upload_password: true,
  with_videos: true,
}).extend({
  /** Where the host has chosen one. */
  look: Look.optional(),
  /** Who will see a guest's photos; without this field the host alone. */
  gallery: z
    .object({
      mode: z.enum(['reveal', 'open']),
      opens_at: z.string().nullable(),
      open: z.boolean(),
      /** Only what the host releases. */
      with_release: z.boolean(),
      /** Or, after so long, what nobody decided about. */
      release_minutes: z.number().int().nullable(),
      photos_per_device: z.number().int().nullable(),
      originals: z.boolean(),
      own_meanwhile: z.boolean(),
    })
    .optional(),
  /** Since when a wall shows what the host does not hold back: as it comes, or from the reveal on; without this field there is no wall. */
  wall: z.enum(['now', 'later']).optional(),
});
export type GuestEvent = z.infer<typeof GuestEvent>;

/**
 * The data to render the guests' page from: the event as every guest may see it (`locked`: the visitor has given no password, but one is
 * required), or why it cannot be opened. Contains no password.
 */
export type DrawnEvent = { event: GuestEvent; locked: boolean; phone_language?: true } | { refused: ErrorBody & { status: number } };

/**
 * What became of the last invitation of a host: `open`: its link is passed on by hand, `waiting`: for the mail server, `delivered`: that
 * took it, `undelivered`: it did not, and is asked no more, `accepted`: the host was there.
 */
const InvitationState = z.enum(['open', 'waiting', 'delivered', 'undelivered', 'accepted']);
export type InvitationState = z.infer<typeof InvitationState>;
/** With what the mail server last answered. */
export const InvitationOf = z.object({ state: InvitationState, answer: z.string().nullable() });

/** What the admin's table and form read. */
export const AdminEvent = z.object({
  ...eventFields,
  fotobox_upload_password: z.string().nullable(),
  /** The host's login, when it was first used, and since when its password is this one. */
  user: z.object({ username: z.string(), first_login_at: z.string().nullable(), password_set_at: z.string() }).nullable(),
  look: Look,
  /** Where mail to the host goes. */
  host: HostContact.nullable(),
  ...EventNotes.shape,
  /** Until when an invitation can be used that was not yet. */
  invited_until: z.string().nullable(),
  /** What became of the last invitation; null: there is none. */
  invitation_state: InvitationOf.nullable(),
  created_at: z.string(),
  /** Increases with each change. An edit that sends an old version is refused (409). */
  version: z.number().int(),
});
export type AdminEvent = z.infer<typeof AdminEvent>;

/** A link by which the host sets the password, shown this once. */
export const MadeInvitation = z.object({
  /** With PUBLIC_URL a whole address, else a path. */
  link: z.string(),
  expires_at: z.string(),
  /** Whether it goes to the host by mail. */
  mailed: z.boolean(),
});
export type MadeInvitation = z.infer<typeof MadeInvitation>;
/** What the creation of an event answers: also where it is opened. */
export const CreatedEvent = AdminEvent.extend({
  links: z.object({ guests: z.string(), login: z.string(), dashboard: z.string() }),
  /** Where a host was invited. A program gets the link only where no mail brings it: it opens the event. */
  invitation: MadeInvitation.partial({ link: true }).optional(),
});
export type CreatedEvent = z.infer<typeof CreatedEvent>;

export const Photo = z.object({
  id: z.string(),
  thumbnail_url: z.string(),
  preview_url: z.string(),
  original_url: z.string(),
  /** Of the upright picture, pixels. */
  width: z.number().int(),
  height: z.number().int(),
  /** When the server received it. */
  created_at: z.string(),
  /** When the camera says it was taken (wall-clock time, no zone: `2026-05-17T21:04:00`), or null. */
  taken_at: z.string().nullable(),
  filename: z.string(),
  /** Bytes of the original. */
  size: z.number().int(),
  slideshow: z.boolean(),
  /** For the host: guests who gave it a heart; `waiting`: it waits for its release. */
  hearts: z.number().int().optional(),
  waiting: z.literal(true).optional(),
  /** For a guest in the gallery: whether it is the device's own, and whether that gave it a heart. */
  own: z.literal(true).optional(),
  heart: z.literal(true).optional(),
  /** `announced`: only a preview is there, and `size` is the size of the original to come; see photo-states.ts. */
  state: z.enum(PHOTO_STATES),
  /** The phone's preview was another picture than the original, and made place for the server's own. */
  replaced: z.literal(true).optional(),
  /** `tag`: in the slideshow, the same for all photos of a device at this event; it opens nothing. */
  device: z.object({ name: z.string(), tag: z.string().optional() }),
  /** Of a video; a photo has no such field. */
  video: z
    .object({
      /** To play; `original_url` is to download. */
      url: z.string(),
      /** One of VIDEO_TYPES, and the parameter `codecs` of its media type. */
      type: z.string(),
      codecs: z.string(),
      /** Null where the file does not say. */
      duration_ms: z.number().int().nullable(),
    })
    .optional(),
});
export type Photo = z.infer<typeof Photo>;

export const Pagination = z.object({
  page: z.number().int(),
  per_page: z.number().int(),
  total: z.number().int(),
  total_pages: z.number().int(),
});

/** Photos in the order in which they were stored. If there are fewer than requested, no more exist. */
export const PhotosAfter = z.object({
  photos: z.array(Photo),
  /** Photos that the event has in all. */
  total: z.number().int(),
  /** The value of `after` to request the photos stored later. */
  next: z.number().int(),
});
export type PhotosAfter = z.infer<typeof PhotosAfter>;

/** What became of a photo that is shown only once it is released. */
export const APPROVALS = ['waiting', 'shown', 'hidden'] as const;
export type Approval = (typeof APPROVALS)[number];

const slideshowFields = {
  photos: z.array(Photo),
  random: z.boolean(),
  /** Whether photos have names; nobody is named without. */
  names: z.boolean(),
  palette: Look.shape.palette.unwrap().optional(),
  /** The number of the event's last change that is in the answer; later ones may not be. */
  seq: z.number().int(),
};

/** A page of the slideshow's photos, in the order in which they were stored. */
export const SlideshowPage = z.object({
  ...slideshowFields,
  /** The value of `after` for the next page; null on the last one. */
  next: z.number().int().nullable(),
});
export type SlideshowPage = z.infer<typeof SlideshowPage>;

/** Photos that came into the slideshow, and ids that left it (null: not known any more, so everything must be read again). */
export const SlideshowChanges = z.object({ ...slideshowFields, gone: z.array(z.string()).nullable() });
export type SlideshowChanges = z.infer<typeof SlideshowChanges>;

const galleryFields = {
  photos: z.array(Photo),
  /** Photos that are shown in all. */
  total: z.number().int(),
  /** The number of the event's last change that is in the answer. */
  seq: z.number().int(),
};

/** What a guest in the gallery sees, in the order in which it was stored. */
export const GalleryPage = z.object({ ...galleryFields, next: z.number().int().nullable() });
export type GalleryPage = z.infer<typeof GalleryPage>;

/** Photos that came into the gallery, and ids that left it (null: everything must be read again). */
export const GalleryChanges = z.object({ ...galleryFields, gone: z.array(z.string()).nullable() });
export type GalleryChanges = z.infer<typeof GalleryChanges>;

const waitingFields = {
  /** Where the last photo that the total counts was stored. */
  until: z.number().int(),
};

/** Photos that wait for their release, in the order in which they were stored. */
export const WaitingPage = PhotosAfter.extend({ ...waitingFields, seq: galleryFields.seq });
export type WaitingPage = z.infer<typeof WaitingPage>;

/** Photos that began to wait or look otherwise, and ids that wait no more (null: everything must be read again). */
export const WaitingChanges = GalleryChanges.extend(waitingFields);
export type WaitingChanges = z.infer<typeof WaitingChanges>;
