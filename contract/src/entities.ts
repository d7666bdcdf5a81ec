import { z } from 'zod';
import { isDay } from './berlin.ts';
import { GUEST_PASSWORD_MAX, GUEST_PASSWORD_MIN, TITLE_LENGTH } from './constants.ts';
import { withoutNul } from './without-nul.ts';

/** The shapes that calls answer with, as JSON. Instants are ISO 8601 in UTC, days `YYYY-MM-DD`. */

export const ErrorAnswer = z.object({
  error: z.string(),
  code: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
});

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

/** A page of the slideshow's photos, in the order in which they were stored. */
export const SlideshowPage = z.object({
  photos: z.array(Photo),
  random: z.boolean(),
  /** The number of the event's last change: later ones may not be in the page. */
  seq: z.number().int(),
  /** The value of `after` for the next page; null on the last one. */
  next: z.number().int().nullable(),
});
export type SlideshowPage = z.infer<typeof SlideshowPage>;

/** What was put into the slideshow, and what was taken out (null: not known any more, so everything must be read again). */
export const SlideshowChanges = z.object({
  photos: z.array(Photo),
  gone: z.array(z.string()).nullable(),
  random: z.boolean(),
  /** The number of the last change that is in the answer. */
  seq: z.number().int(),
});
export type SlideshowChanges = z.infer<typeof SlideshowChanges>;

export const ZipStatus = z.enum(['idle', 'processing', 'complete', 'failed']);
export type ZipStatus = z.infer<typeof ZipStatus>;

const eventBasics = {
  id: z.string(),
  code: z.string(),
  title: z.string(),
  subtitle: z.string(),
  start_date: z.string(),
  end_date: z.string(),
  is_active: z.boolean(),
};

const eventSwitches = {
  with_nsfw_check: z.boolean(),
  with_random_slideshow: z.boolean(),
  with_fotobox: z.boolean(),
  with_user_upload: z.boolean(),
  with_slideshow: z.boolean(),
  with_videos: z.boolean(),
  with_upload_password: z.boolean(),
};

const eventUsage = {
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
};

/** What a guest's page reads. */
export const GuestEvent = z.object({
  title: z.string(),
  subtitle: z.string(),
  with_user_upload: z.boolean(),
  with_upload_password: z.boolean(),
  with_videos: z.boolean(),
});
export type GuestEvent = z.infer<typeof GuestEvent>;

export const EventSettings = z.object(eventSwitches);

/** What the host's dashboard reads. */
export const HostEvent = z.object({
  ...eventBasics,
  ...eventSwitches,
  ...eventUsage,
  /** The password that guests type, for the host to pass on; null where none is asked for. */
  user_upload_password: z.string().nullable(),
  /** When the host first had the whole ZIP, else null. */
  zip_downloaded_at: z.string().nullable(),
  /** When the operator reset this host's password and the host has not been told yet, else null. */
  password_reset_at: z.string().nullable(),
});
export type HostEvent = z.infer<typeof HostEvent>;

/** What the admin's table and form read. */
export const AdminEvent = z.object({
  ...eventBasics,
  ...eventSwitches,
  ...eventUsage,
  user_upload_password: z.string().nullable(),
  fotobox_upload_password: z.string().nullable(),
  user: z.object({ username: z.string() }).nullable(),
  created_at: z.string(),
  /** Increases with each change. An edit that sends an old version is refused (409). */
  version: z.number().int(),
});
export type AdminEvent = z.infer<typeof AdminEvent>;

/** Only the date part counts; what follows 'T' is dropped. */
const day = (missing: string) =>
  z
    .string({ error: missing })
    .transform((text) => text.split('T')[0] ?? '')
    .refine((text) => text !== '', { error: missing, abort: true })
    .refine(isDay, { error: 'Bitte geben Sie ein gültiges Datum ein.' });

const guestPassword = z
  .string()
  .transform((text) => text.normalize('NFC'))
  .refine((text) => text === '' || ([...text].length >= GUEST_PASSWORD_MIN && [...text].length <= GUEST_PASSWORD_MAX), {
    error: `Das Passwort braucht ${GUEST_PASSWORD_MIN} bis ${GUEST_PASSWORD_MAX} Zeichen.`,
  })
  .nullish();

const flag = (initial: boolean) => z.boolean({ error: 'Bitte wählen Sie ein oder aus.' }).default(initial);

/** The admin's event form: the body of create and update. */
export const EventForm = z
  .object({
    title: z
      .string({ error: 'Bitte geben Sie einen Titel ein.' })
      .overwrite(withoutNul)
      .trim()
      .min(1, { error: 'Bitte geben Sie einen Titel ein.' })
      .max(TITLE_LENGTH, { error: `Der Titel darf höchstens ${TITLE_LENGTH} Zeichen lang sein.` }),
    subtitle: z
      .string()
      .overwrite(withoutNul)
      .trim()
      .max(TITLE_LENGTH, { error: `Der Untertitel darf höchstens ${TITLE_LENGTH} Zeichen lang sein.` })
      .nullish()
      .transform((text) => text ?? ''),
    start_date: day('Bitte geben Sie ein Startdatum ein.'),
    end_date: day('Bitte geben Sie ein Enddatum ein.'),
    is_active: flag(false),
    with_nsfw_check: flag(false),
    with_random_slideshow: flag(false),
    with_fotobox: flag(false),
    fotobox_upload_password: guestPassword,
    with_user_upload: flag(true),
    with_slideshow: flag(true),
    with_videos: flag(false),
    with_upload_password: flag(false),
    user_upload_password: guestPassword,
    /** GB; missing, null or empty means unlimited. */
    storage_limit: z
      .union([z.number(), z.literal(''), z.literal('unlimited'), z.null()], { error: 'Bitte geben Sie eine Zahl in GB ein.' })
      .optional()
      .transform((limit) => (typeof limit === 'number' ? limit : null))
      .refine((limit) => limit === null || (Number.isFinite(limit) && limit > 0 && limit <= 1_000_000), {
        error: 'Bitte geben Sie eine Zahl größer als 0 ein.',
      }),
    /** An edit may say which version it was made from. */
    version: z.number().int().optional(),
    /** Confirms a change after `purge_unconfirmed`. */
    confirm_purge: z.boolean().optional(),
  })
  .superRefine((form, context) => {
    const fail = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (form.end_date < form.start_date) fail('end_date', 'Enddatum muss nach dem Startdatum liegen');
    if (form.with_upload_password && !form.user_upload_password) fail('user_upload_password', 'Bitte geben Sie ein Upload-Passwort ein.');
    if (form.with_fotobox && !form.fotobox_upload_password) fail('fotobox_upload_password', 'Bitte geben Sie ein Fotobox-Passwort ein.');
    if (form.with_upload_password && form.with_fotobox && form.user_upload_password === form.fotobox_upload_password)
      fail('fotobox_upload_password', 'Das Fotobox-Passwort muss sich vom Upload-Passwort unterscheiden.');
  });
export type EventForm = z.output<typeof EventForm>;
export type EventFormInput = z.input<typeof EventForm>;

export const AuthCheck = z.object({
  authenticated: z.boolean(),
  /** `projector`: a browser that can show the slideshow of the event `userCode`, and nothing else. */
  role: z.enum(['user', 'admin', 'projector']).nullable(),
  userCode: z.string().nullable(),
});
export type AuthCheck = z.infer<typeof AuthCheck>;

/** The operator's data as pages show it. */
export const Business = z.object({
  identity: z.object({
    brand: z.string().min(1),
    legalForm: z.string().optional(),
    owner: z.string().min(1),
    representatives: z.array(z.string()).optional(),
    street: z.string().min(1),
    zip: z.string().min(1),
    city: z.string().min(1),
  }),
  contact: z.object({
    /** E.164 for the link, and as shown. */
    phone: z.object({ e164: z.string().regex(/^\+[1-9]\d{5,14}$/), shown: z.string().min(1) }),
    /** E.164. */
    whatsapp: z.string().regex(/^\+[1-9]\d{5,14}$/),
    whatsappShown: z.string().optional(),
    email: z.email(),
    hours: z.string().optional(),
  }),
  tax: z.object({
    register: z.string().optional(),
    vatId: z.string().optional(),
    businessId: z.string().optional(),
    /** § 19 UStG. */
    smallBusiness: z.boolean(),
    supervisoryAuthority: z.string().optional(),
  }),
  privacy: z.object({
    dpo: z.string().optional(),
    dataProtectionAuthority: z.string().min(1),
    hosting: z.object({ name: z.string().min(1), address: z.string().min(1), country: z.string().min(1) }),
    /** When the operator last changed the privacy text, as shown. */
    privacyUpdated: z.string().optional(),
  }),
  disputes: z.object({
    disputeResolution: z.string().optional(),
    dsaContact: z.object({ email: z.email(), languages: z.string().min(1) }),
    reportEmail: z.email(),
  }),
  accessibility: z.object({ microEnterprise: z.boolean(), contact: z.string().min(1) }),
  map: z.object({ lat: z.number().min(-90).max(90), lon: z.number().min(-180).max(180), zoom: z.number().int().min(1).max(19) }),
});
export type Business = z.infer<typeof Business>;

export const Demo = z.object({ code: z.string(), password: z.string() });

const reportText = (max: number, missing: string): z.ZodString =>
  z
    .string({ error: missing })
    .overwrite(withoutNul)
    .trim()
    .min(1, { error: missing })
    .max(max, { error: `Bitte höchstens ${max} Zeichen.` });

/** The form to ask for the removal of a photo. Name and e-mail are for an answer and optional. */
export const ReportForm = z.object({
  event: reportText(200, 'Bitte nennen Sie das Event oder seinen Code.'),
  photo: reportText(1000, 'Bitte beschreiben Sie, welches Foto Sie meinen.'),
  reason: reportText(4000, 'Bitte schreiben Sie, warum das Foto entfernt werden soll.'),
  name: z.string().overwrite(withoutNul).trim().max(200).default(''),
  email: z.union([z.literal(''), z.email({ error: 'Bitte geben Sie eine gültige E-Mail-Adresse an.' }).max(254)]).default(''),
});
export type ReportForm = z.infer<typeof ReportForm>;

/** A report as administrators read it. */
export const Report = z.object({
  id: z.string(),
  received_at: z.string(),
  event: z.string(),
  photo: z.string(),
  reason: z.string(),
  name: z.string(),
  email: z.string(),
  /** When and by whom it was settled, else null. */
  settled_at: z.string().nullable(),
  settled_by: z.string().nullable(),
});
export type Report = z.infer<typeof Report>;

/** The actions in the audit log. */
export const AuditAction = z.enum([
  'admin.login',
  'admin.logout',
  'admin.added',
  'admin.removed',
  'admin.password',
  /** A recovery code was made, or used for a new password. */
  'admin.recovery-code',
  'admin.recovered',
  'host.login',
  'host.logout',
  'slideshow.locked',
  'slideshow.unlocked',
  /** Ten wrong passwords for a name from one address. */
  'login.limited',
  'host.created',
  'host.reset',
  'event.created',
  'event.changed',
  'event.deleted',
  'event.purged',
  /** Keys of an event or an administrator were changed in the database. */
  'key.tampered',
  /** One photo, by the operator's command. */
  'photo.deleted',
  /** An operator has confirmed the clock after it jumped ahead. */
  'clock.confirmed',
]);
export type AuditAction = z.infer<typeof AuditAction>;

export const AuditEntry = z.object({
  id: z.string(),
  at: z.string(),
  /** 'admin:<name>', 'host', 'projector', 'system', 'cli', 'unknown'. */
  actor: z.string(),
  action: AuditAction,
  event_code: z.string().nullable(),
  /** Whole for 7 days, then shortened. */
  address: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;
