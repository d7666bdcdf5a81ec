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
    /** E.164 for the link, and as shown. */
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
    /** When the operator last changed the privacy text, as shown. */
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

/** What every page shows of the operator; what was not set is left out. */
const PublicSite = z.object({
  business: Business,
  demo: Demo.nullable(),
  brand: Brand.optional(),
  prices: Prices.optional(),
  terms: Terms.optional(),
  /** Which sentences about this installation are true by the papers' checks; what is left out is not said. */
  said: z
    .object({
      /** Everything between browser and server goes by TLS. */
      https: z.boolean(),
      /** All who process data are in the EEA. */
      eea: z.boolean(),
      /** No backup is older than it may be. */
      backups: z.boolean(),
      /** Others who keep photos and data of events for the operator; empty names are not known yet. Left out where there are none. */
      keepers: z.array(z.object({ what: z.string(), name: z.string(), country: z.string() })).optional(),
    })
    .optional(),
  /** The business is the one that ships, and exists nowhere. */
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
