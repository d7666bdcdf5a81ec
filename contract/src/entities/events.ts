import { z } from 'zod';

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
  /** The password that guests type; null where none is asked for. */
  user_upload_password: z.string().nullable(),
};

export const EventSettings = z.object(eventSwitches);

/** What the host's dashboard reads. */
export const HostEvent = z.object({
  ...eventFields,
  /** When the operator reset this host's password and the host has not been told yet, else null. */
  password_reset_at: z.string().nullable(),
});
export type HostEvent = z.infer<typeof HostEvent>;

/** What a guest's page reads. */
export const GuestEvent = HostEvent.pick({
  title: true,
  subtitle: true,
  with_user_upload: true,
  with_upload_password: true,
  with_videos: true,
});
export type GuestEvent = z.infer<typeof GuestEvent>;

/** What the admin's table and form read. */
export const AdminEvent = z.object({
  ...eventFields,
  fotobox_upload_password: z.string().nullable(),
  user: z.object({ username: z.string() }).nullable(),
  created_at: z.string(),
  /** Increases with each change. An edit that sends an old version is refused (409). */
  version: z.number().int(),
});
export type AdminEvent = z.infer<typeof AdminEvent>;
