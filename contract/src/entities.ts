import { z } from 'zod';
import type { ErrorBody } from './errors.ts';
import { EventNotes } from './event-notes.ts';
import { LINK_PREVIEWS } from './link-preview.ts';
import { Look } from './theme.ts';
import { PHOTO_STATES } from './photo-states.ts';
import { HostContact } from './mail-schemas.ts';

/** The shapes of events and photos, as JSON. Instants are ISO 8601 in UTC, days `YYYY-MM-DD`. Shapes of a single call are beside it. */

export const ZipStatus = z.enum(['idle', 'processing', 'complete', 'failed']);
export type ZipStatus = z.infer<typeof ZipStatus>;

const eventSwitches = {
  with_nsfw_check: z.boolean(),
  with_random_slideshow: z.boolean(),
  with_fotobox: z.boolean(),
  with_user_upload: z.boolean(),
  with_slideshow: z.boolean(),
  /** The slideshow names the senders of photos. */
  with_slideshow_names: z.boolean(),
  with_videos: z.boolean(),
  with_upload_password: z.boolean(),
  /** New photos are shown only after their release. */
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
  /** Time at which the host first had downloaded the whole ZIP, else null. */
  zip_downloaded_at: z.string().nullable(),
  /** The event has photos that no ZIP downloaded by the host contains. */
  unsaved: z.boolean(),
  /** The password that guests type; null: none is required. */
  user_upload_password: z.string().nullable(),
  /** The password with its proof, for the QR codes on cards and slips; set if guests need a password. */
  link_password: z.string().optional(),
};

export const EventSettings = z.object(eventSwitches);

/** An event as the host's dashboard reads it. */
export const HostEvent = z.object({
  ...eventFields,
  /** Time at which the operator reset the host's password, until the host has been told; else null. */
  password_reset_at: z.string().nullable(),
  /** Photos without an original: `coming` ones may still get it, `left` ones did not get it. */
  previews: z.object({ coming: z.number().int(), left: z.number().int() }),
  waiting: z.number().int(),
  /** Minutes after which waiting photos are shown without a release; null: never. */
  release_minutes: z.number().int().nullable(),
  /** Link to the receipt of the event's deletion; null in the demo. */
  receipt_link: z.string().nullable(),
  look: Look,
  link_preview: z.enum(LINK_PREVIEWS),
  /** Pages speak the phone's language to guests who have chosen none. If set, it overrides the operator's setting. */
  phone_language: z.boolean(),
});
export type HostEvent = z.infer<typeof HostEvent>;

/** An event as a guest's page reads it. */
export const GuestEvent = HostEvent.pick({
  title: true,
  subtitle: true,
  with_user_upload: true,
  with_upload_password: true,
  with_videos: true,
}).extend({
  /** Set if the host has chosen a look. */
  look: Look.optional(),
  /** Settings of the guests' gallery; without this field the host alone sees a guest's photos. */
  gallery: z
    .object({
      mode: z.enum(['reveal', 'open']),
      opens_at: z.string().nullable(),
      open: z.boolean(),
      /** Guests see only photos that were released. */
      with_release: z.boolean(),
      /** Minutes after which photos are shown without a decision; null: never. */
      release_minutes: z.number().int().nullable(),
      photos_per_device: z.number().int().nullable(),
      originals: z.boolean(),
      own_meanwhile: z.boolean(),
    })
    .optional(),
  /** The wall shows photos at once (`now`) or from the reveal on (`later`); without this field there is no wall. */
  wall: z.enum(['now', 'later']).optional(),
});
export type GuestEvent = z.infer<typeof GuestEvent>;

/**
 * Data that renders the guests' page: the event as every guest may see it (`locked`: a required password is missing), or the reason why it
 * cannot be opened. It contains no password.
 */
export type DrawnEvent = ({ event: GuestEvent; locked: boolean } | { refused: ErrorBody & { status: number } }) & { phone_language?: true };

/**
 * State of a host's last invitation. `open`: the link is passed on by hand. `waiting`: it waits for the mail server. `delivered`: the mail
 * server took it. `undelivered`: the mail server refused it for good. `accepted`: the host was there.
 */
const InvitationState = z.enum(['open', 'waiting', 'delivered', 'undelivered', 'accepted']);
export type InvitationState = z.infer<typeof InvitationState>;
/** A host's last invitation; `answer` is the mail server's last one. */
export const InvitationOf = z.object({ state: InvitationState, answer: z.string().nullable() });

/** An event as the administrators' table and form read it. */
export const AdminEvent = z.object({
  ...eventFields,
  fotobox_upload_password: z.string().nullable(),
  /** The host's login, the time of its first use, and the time at which its password was set. */
  user: z.object({ username: z.string(), first_login_at: z.string().nullable(), password_set_at: z.string() }).nullable(),
  look: Look,
  /** Address for mail to the host. */
  host: HostContact.nullable(),
  ...EventNotes.shape,
  /** End of an unused invitation. */
  invited_until: z.string().nullable(),
  /** Null: there is no invitation. */
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
  /** The link also goes to the host by mail. */
  mailed: z.boolean(),
});
export type MadeInvitation = z.infer<typeof MadeInvitation>;
/** Answer to the creation of an event, with the addresses that open it. */
export const CreatedEvent = AdminEvent.extend({
  links: z.object({ guests: z.string(), login: z.string(), dashboard: z.string() }),
  /** Set if the host was invited. Programs get the link only if no mail brings it: it opens the event. */
  invitation: MadeInvitation.partial({ link: true }).optional(),
});
export type CreatedEvent = z.infer<typeof CreatedEvent>;

export const Photo = z.object({
  id: z.string(),
  thumbnail_url: z.string(),
  preview_url: z.string(),
  original_url: z.string(),
  /** Size after rotation, pixels. */
  width: z.number().int(),
  height: z.number().int(),
  /** Time at which the server received it. */
  created_at: z.string(),
  /** Capture time by the camera (wall-clock time, no zone: `2026-05-17T21:04:00`), or null. */
  taken_at: z.string().nullable(),
  filename: z.string(),
  /** Bytes of the original. */
  size: z.number().int(),
  slideshow: z.boolean(),
  /** Set for the host: the number of guests' hearts; `waiting`: the photo waits for its release. */
  hearts: z.number().int().optional(),
  waiting: z.literal(true).optional(),
  /** Set for a guest in the gallery: `own`: the guest's device sent the photo; `heart`: it gave it a heart. */
  own: z.literal(true).optional(),
  heart: z.literal(true).optional(),
  /** `announced`: only a preview is there, and `size` is the size of the original to come; see photo-states.ts. */
  state: z.enum(PHOTO_STATES),
  /** The phone's preview was another picture than the original and was replaced by the server's own. */
  replaced: z.literal(true).optional(),
  /** `tag` is set in the slideshow: equal for all photos of a device at this event. It grants no access. */
  device: z.object({ name: z.string(), tag: z.string().optional() }),
  /** Set for videos only. */
  video: z
    .object({
      /** Address for playing; `original_url` is for downloads. */
      url: z.string(),
      /** One of VIDEO_TYPES, and the parameter `codecs` of its media type. */
      type: z.string(),
      codecs: z.string(),
      /** Null if the file does not tell. */
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
  /** All photos of the event. */
  total: z.number().int(),
  /** The value of `after` that requests the photos stored later. */
  next: z.number().int(),
});
export type PhotosAfter = z.infer<typeof PhotosAfter>;

/** Release states of a photo that is shown only after its release. */
export const APPROVALS = ['waiting', 'shown', 'hidden'] as const;
export type Approval = (typeof APPROVALS)[number];

const slideshowFields = {
  photos: z.array(Photo),
  random: z.boolean(),
  /** The slideshow names senders. */
  names: z.boolean(),
  palette: Look.shape.palette.unwrap().optional(),
  /** Number of the last change of the event that the answer surely contains. */
  seq: z.number().int(),
};

/** A page of the slideshow's photos, in the order in which they were stored. */
export const SlideshowPage = z.object({
  ...slideshowFields,
  /** The value of `after` for the next page; null on the last one. */
  next: z.number().int().nullable(),
});
export type SlideshowPage = z.infer<typeof SlideshowPage>;

/** Photos that came into the slideshow, and ids that left it (null: the server no longer knows, so everything must be read again). */
export const SlideshowChanges = z.object({ ...slideshowFields, gone: z.array(z.string()).nullable() });
export type SlideshowChanges = z.infer<typeof SlideshowChanges>;

const galleryFields = {
  photos: z.array(Photo),
  /** All shown photos. */
  total: z.number().int(),
  /** Number of the last change of the event in the answer. */
  seq: z.number().int(),
};

/** A page of the photos that a guest in the gallery sees, in the order in which they were stored. */
export const GalleryPage = z.object({ ...galleryFields, next: z.number().int().nullable() });
export type GalleryPage = z.infer<typeof GalleryPage>;

/** Photos that came into the gallery, and ids that left it (null: everything must be read again). */
export const GalleryChanges = z.object({ ...galleryFields, gone: z.array(z.string()).nullable() });
export type GalleryChanges = z.infer<typeof GalleryChanges>;

const waitingFields = {
  /** Storage position of the last photo that `total` counts. */
  until: z.number().int(),
};

/** Photos that wait for their release, in the order in which they were stored. */
export const WaitingPage = PhotosAfter.extend({ ...waitingFields, seq: galleryFields.seq });
export type WaitingPage = z.infer<typeof WaitingPage>;

/** Photos that began to wait or whose picture changed, and ids that no longer wait (null: everything must be read again). */
export const WaitingChanges = GalleryChanges.extend(waitingFields);
export type WaitingChanges = z.infer<typeof WaitingChanges>;
