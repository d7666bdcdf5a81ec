import { z } from 'zod';
import { calls } from '../call.ts';
import { Report, ReportForm } from '../entities.ts';

export const reportCalls = calls('reports', 'Photos that somebody wants removed.', {
  'POST /api/reports': {
    summary: 'Anyone tells the operator of a photo that should go (Art. 16 DSA).',
    access: 'anyone',
    body: ReportForm,
    answers: { 201: z.object({ received_at: z.string() }) },
    errors: ['too_many_attempts'],
  },
  'GET /admin/reports': {
    summary: 'All reports, open ones first, then the newest.',
    access: 'admin',
    answers: { 200: z.object({ reports: z.array(Report) }) },
  },
  'PUT /admin/reports/:id': {
    summary: 'Marks a report as settled, or opens it again.',
    access: 'admin',
    body: z.object({ settled: z.boolean() }),
    answers: { 200: Report },
    errors: ['report_not_found'],
  },
});
