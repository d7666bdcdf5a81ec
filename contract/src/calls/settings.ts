import { z } from 'zod';
import { MailSettings } from '../mail-schemas.ts';
import { IssuedPapers, PaperSettings } from '../papers.ts';
import { bytesCall, calls } from '../call.ts';
import { Brand, Picture } from '../brand.ts';
import { Prices, Terms } from '../offer.ts';
import { Templates } from '../event-template-schemas.ts';
import { Business } from './site.ts';

type Partly<S> =
  S extends z.ZodObject<infer Shape>
    ? z.ZodOptional<z.ZodObject<{ [K in keyof Shape]: Partly<Shape[K]> }>>
    : S extends z.ZodOptional<infer Inner extends z.ZodType>
      ? Partly<Inner>
      : S extends z.ZodType
        ? z.ZodOptional<S>
        : never;

/** Makes every part of a schema optional. */
function partly<S extends z.ZodType>(schema: S): Partly<S> {
  const inner: z.ZodType = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
  const shape = inner instanceof z.ZodObject ? (Object.entries(inner.shape) as [string, z.ZodType][]) : null;
  const whole = shape ? z.object(Object.fromEntries(shape.map(([key, part]) => [key, partly(part)]))) : inner;
  return whole.optional() as Partly<S>;
}

/** The sections of /admin/einstellungen, with the schema of the stored value. A section without settings is null. */
export const SETTINGS = {
  /** The typed parts of `Business`; the others are derived, or come from BUSINESS_FILE. */
  business: partly(Business).unwrap(),
  mail: MailSettings,
  /** The answers of people that the data protection papers need. */
  papers: PaperSettings,
  /** The contents of the AVV that was given out last; its version is the AVV's number. */
  issued: IssuedPapers,
  /** Requirements on administrators' logins. */
  access: z.object({ /** Every administrator needs a second factor. */ secondFactor: z.boolean() }),
  brand: Brand,
  prices: Prices,
  terms: Terms,
  /** Templates of new events. */
  templates: Templates,
} as const;
export type Section = keyof typeof SETTINGS;
export type SettingsOf<S extends Section> = z.output<(typeof SETTINGS)[S]>;

/** A section as the server has it. */
const SectionState = z.object({
  /** Counts the changes, from 0. A change that sends an old version is refused (409). */
  version: z.number().int(),
  /** Null: nothing is set. */
  value: z.unknown(),
  /** The value from the server's configuration, which takes precedence; null: it has none. */
  fixed: z.unknown(),
  /** The changes, newest first. `restored` marks a step back to that version (0: nothing set). */
  versions: z.array(z.object({ version: z.number().int(), at: z.string(), by: z.string(), restored: z.number().int().nullable() })),
});
export type SectionState = z.infer<typeof SectionState>;

const version = z.number().int().min(0);

export const settingsCalls = calls('settings', "The operator's settings, which are in force on all nodes within seconds.", {
  'GET /admin/settings/:section': {
    summary: 'What is set, and who changed it when.',
    access: 'admin',
    answers: { 200: SectionState },
    errors: ['not_found'],
  },
  'PUT /admin/settings/:section': {
    summary: 'Sets a section whole; what is left out is as without settings. `version` is the one that it was made from.',
    access: 'admin',
    body: z.object({ version, value: z.unknown() }),
    answers: { 200: SectionState },
    errors: ['not_found', 'settings_changed', 'second_factor_missing'],
  },
  'POST /admin/logo': {
    summary: 'Makes a logo of a PNG, JPEG or WebP (multipart field file). It is shown once it is set in the section `brand`.',
    access: 'admin',
    multipart: true,
    answers: { 201: Picture },
    errors: ['file_missing', 'request_timeout', 'not_a_photo', 'too_many_pixels', 'logo_refused', 'unavailable'],
  },
  'GET /api/pictures/:id': {
    ...bytesCall('anyone', 'A picture for everybody: a logo, or the title picture of an event.', 'not_found'),
    anonymous: true,
  },
  'POST /admin/settings/:section/back': {
    summary: 'Takes the last change back; once more takes back the one before.',
    access: 'admin',
    body: z.object({ version }),
    answers: { 200: SectionState },
    errors: ['not_found', 'settings_changed'],
  },
});
