import { z } from 'zod';
import { calls } from '../call.ts';
import { AUDIT_PER_PAGE, AUDIT_PER_PAGE_MAX } from '../constants.ts';
import { typedText } from '../typed-text.ts';

const reportText = (max: number, missing: string, lines = false) =>
  typedText(max, { missing, tooLong: `Bitte höchstens ${max.toLocaleString('de-DE')} Zeichen.`, lines });

/** The form that asks for the removal of a photo. Name and e-mail are optional and serve the answer. */
export const ReportForm = z.object({
  event: reportText(200, 'Bitte nennen Sie das Event oder seinen Code.'),
  photo: reportText(1000, 'Bitte beschreiben Sie, welches Foto Sie meinen.', true),
  reason: reportText(4000, 'Bitte schreiben Sie, warum das Foto entfernt werden soll.', true),
  name: typedText(200).default(''),
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
  /** Time and administrator of the settlement, else null. */
  settled_at: z.string().nullable(),
  settled_by: z.string().nullable(),
});
export type Report = z.infer<typeof Report>;

/** A place in the list: behind this report, and where that was settled, among the settled ones. */
const Behind = z.object({ before: z.uuid().optional(), settled: z.literal('1').optional() });
export type Behind = z.infer<typeof Behind>;

export const reportCalls = calls('reports', 'Photos that somebody wants removed.', {
  'POST /api/reports': {
    summary: 'Anyone tells the operator of a photo that should go (Art. 16 DSA).',
    access: 'anyone',
    body: ReportForm,
    answers: { 201: z.object({ received_at: z.string() }) },
    errors: ['too_many_attempts'],
  },
  'GET /admin/reports': {
    summary: 'The reports, open ones first, then the newest, and how many are open; `next` asks for what lies behind.',
    access: 'admin',
    query: Behind.extend({ per_page: z.coerce.number().int().min(1).max(AUDIT_PER_PAGE_MAX).default(AUDIT_PER_PAGE) }),
    answers: { 200: z.object({ reports: z.array(Report), open: z.number().int(), next: Behind.nullable() }) },
  },
  'PUT /admin/reports/:id': {
    summary: 'Marks a report as settled, or opens it again.',
    access: 'admin',
    body: z.object({ settled: z.boolean() }),
    answers: { 200: Report },
    errors: ['report_not_found'],
  },
});
