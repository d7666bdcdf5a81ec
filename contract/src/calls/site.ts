import { z } from 'zod';
import { calls } from '../call.ts';
import { Business, Demo } from '../entities.ts';

export const siteCalls = calls('site', 'The operator, this document, and whether the service is well.', {
  'GET /api/site': {
    summary: "The operator's data, and the public demo if it is on.",
    access: 'anyone',
    anonymous: true,
    answers: { 200: z.object({ business: Business, demo: Demo.nullable() }) },
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
