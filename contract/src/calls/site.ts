import { z } from 'zod';
import { calls } from '../call.ts';
import { Brand } from '../brand.ts';
import { Prices, Terms } from '../offer.ts';

const e164 = z.string().regex(/^\+[1-9]\d{5,14}$/, 'Bitte geben Sie die Nummer mit Vorwahl an, wie 030 123456 oder +49 30 123456.');

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
    /** `e164` is for the link, `shown` for reading. */
    phone: z.object({ e164, shown: z.string().min(1) }).optional(),
    /** E.164. */
    whatsapp: e164.optional(),
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
    hosting: z.object({ name: z.string().min(1), address: z.string().min(1), country: z.string().min(1) }).optional(),
    /** Date of the operator's last change to the privacy text, as shown. */
    privacyUpdated: z.string().optional(),
  }),
  disputes: z.object({
    disputeResolution: z.string().optional(),
    dsaContact: z.object({ email: z.email(), languages: z.string().min(1) }),
    reportEmail: z.email(),
  }),
  accessibility: z.object({ microEnterprise: z.boolean(), contact: z.string().min(1) }),
  map: z.object({ lat: z.number().min(-90).max(90), lon: z.number().min(-180).max(180), zoom: z.number().int().min(1).max(19) }).optional(),
});
export type Business = z.infer<typeof Business>;

const Demo = z.object({ code: z.string(), password: z.string() });

/** The operator's data on every page. Unset fields are missing. */
const PublicSite = z.object({
  business: Business,
  demo: Demo.nullable(),
  brand: Brand.optional(),
  prices: Prices.optional(),
  terms: Terms.optional(),
  /** Sentences about this installation that the papers' checks confirm; pages do not say the others. */
  said: z
    .object({
      /** All traffic between browser and server uses TLS. */
      https: z.boolean(),
      /** All processors are in the EEA. */
      eea: z.boolean(),
      /** No backup is older than allowed. */
      backups: z.boolean(),
      /** Processors that store photos and data of events; an empty name is not known yet. Missing if there are none. */
      keepers: z.array(z.object({ what: z.string(), name: z.string(), country: z.string() })).optional(),
    })
    .optional(),
  /** The business is the shipped example and does not exist. */
  fictitious: z.literal(true).optional(),
});
export type PublicSite = z.infer<typeof PublicSite>;

export const siteCalls = calls('site', 'The operator, this document, and whether the service is well.', {
  'GET /api/site': {
    summary: "The operator's data, and the public demo if it is on.",
    access: 'anyone',
    anonymous: true,
    answers: { 200: PublicSite },
  },
  'GET /api/openapi.json': {
    summary: 'This contract as OpenAPI 3.1.',
    access: 'anyone',
    anonymous: true,
    answers: { 200: z.looseObject({ openapi: z.string() }) },
  },
  'GET /health': {
    summary: 'The process is up.',
    access: 'anyone',
    anonymous: true,
    answers: { 200: z.object({ status: z.literal('ok') }) },
  },
  'GET /ready': {
    summary:
      'This node takes requests: it does not end, its staging has room, its decoders run. With deep=1 also: database and photo store answer.',
    access: 'anyone',
    anonymous: true,
    query: z.object({ deep: z.literal('1').optional() }),
    answers: { 200: z.object({ status: z.literal('ok') }) },
    errors: ['unavailable'],
  },
});
