import { z } from 'zod';
import { calls } from '../call.ts';
import { LANGUAGE_NAMES } from '../languages.ts';
import { CheckResult, Paper, PaperChanges } from '../papers.ts';

const PapersState = z.object({
  checks: z.array(CheckResult),
  /** The AVV that was given out last; null: none was. */
  issued: z.object({ number: z.int(), at: z.iso.datetime(), by: z.string(), hash: z.string() }).nullable(),
  changes: PaperChanges,
  hash: z.string(),
});
export type PapersState = z.infer<typeof PapersState>;

export const complianceCalls = calls('compliance', 'Papers of data protection, from what the running system knows.', {
  'GET /admin/papers': {
    summary: 'What the papers hang on: every check with its answer, and what changed since the AVV that was given out last.',
    access: 'admin',
    answers: { 200: PapersState },
  },
  'GET /admin/papers/:paper': {
    summary: 'A paper, sentence by sentence: each with its source, and the checks that failed.',
    access: 'admin',
    query: z.object({
      /** Language of the notice at the door. */
      language: z.enum(LANGUAGE_NAMES).optional(),
    }),
    answers: { 200: Paper },
    errors: ['not_found'],
  },
  'POST /admin/papers/issue': {
    summary: 'Notes that customers get the AVV as it is now. Refused where the installation has another hash by now.',
    access: 'admin',
    body: z.object({ hash: z.string().max(64) }),
    answers: { 200: PapersState },
    errors: ['settings_changed'],
  },
  'GET /api/accessibility': {
    summary: 'The page on accessibility, sentence by sentence.',
    access: 'anyone',
    anonymous: true,
    answers: { 200: Paper },
  },
});
