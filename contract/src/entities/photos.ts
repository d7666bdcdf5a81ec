import { z } from 'zod';

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
  device: z.object({ name: z.string() }),
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

const slideshowFields = {
  photos: z.array(Photo),
  random: z.boolean(),
  /** Whether photos have names; nobody is named without. */
  names: z.boolean(),
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

/** What was put into the slideshow, and what was taken out (null: not known any more, so everything must be read again). */
export const SlideshowChanges = z.object({ ...slideshowFields, gone: z.array(z.string()).nullable() });
export type SlideshowChanges = z.infer<typeof SlideshowChanges>;
