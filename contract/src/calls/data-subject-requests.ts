import { z } from 'zod';
import { calls } from '../call.ts';

/** The stored data of a photo. Names and capture times are missing: they are sealed to guest and host. */
const KeptPhoto = z.object({
  id: z.string(),
  received_at: z.iso.datetime(),
  type: z.string(),
  bytes: z.number().int(),
  width: z.number().int(),
  height: z.number().int(),
  state: z.string(),
  in_slideshow: z.boolean(),
  hearts: z.number().int(),
  links: z.number().int(),
});

/** All stored data of a device within an event, or of one photo. */
const Disclosure = z.object({
  event: z.object({ code: z.string(), title: z.string(), deletion_date: z.string() }),
  /** Null if one photo was asked for: the answer does not tell its sender. */
  device: z
    .object({
      /** Null: the device has sent no photo. */
      first_seen_at: z.iso.datetime().nullable(),
      hearts: z.number().int(),
      in_gallery: z.boolean(),
      open_uploads: z.number().int(),
    })
    .nullable(),
  photos: z.array(KeptPhoto),
});
export type Disclosure = z.infer<typeof Disclosure>;

/** The deleted data of a device or a photo. */
const Erasure = Disclosure.extend({
  /** Time from which no backup holds the data, where backups are kept for 14 days at most. */
  backups_gone_by: z.iso.datetime(),
});
export type Erasure = z.infer<typeof Erasure>;

const Question = z.object({
  /** The disclosure link that a device shows, or a photo's id. */
  ask: z
    .string({ error: 'Bitte geben Sie einen Link oder eine Foto-Kennung ein.' })
    .trim()
    .min(1, { error: 'Bitte geben Sie einen Link oder eine Foto-Kennung ein.' })
    .max(300),
});

export const dataSubjectRequestCalls = calls('disclosure', 'What is kept of a person (Art. 15 and 17 GDPR), without a photo being seen.', {
  'POST /admin/disclosure': {
    summary: "What is kept of a device within an event, by the device's link, or of a photo, by its id.",
    access: 'admin',
    body: Question,
    answers: { 200: Disclosure },
    errors: ['disclosure_not_found'],
  },
  'POST /admin/disclosure/erase': {
    summary: 'Deletes it, and answers what it was.',
    access: 'admin',
    body: Question,
    answers: { 200: Erasure },
    errors: ['disclosure_not_found', 'demo_fixed'],
  },
  'GET /api/events/:code/disclosure-link': {
    summary: 'The link by which the operator finds what is kept of this device in an event; it opens nothing.',
    access: 'device',
    answers: { 200: z.object({ link: z.string() }) },
    errors: ['too_many_attempts', 'event_inactive'],
  },
});
