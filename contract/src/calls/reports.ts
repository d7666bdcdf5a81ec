import { z } from 'zod';
import { calls } from '../call.ts';
import { Report, ReportForm } from '../entities.ts';

export const reportCalls = calls({
  'POST /api/reports': {
    summary: 'Anyone tells the operator of a photo that should go (Art. 16 DSA).',
    access: 'anyone',
    body: ReportForm,
    answers: { 201: z.object({ received_at: z.string() }) },
    errors: ['invalid_input', 'too_many_attempts', 'foreign_origin', 'too_large'],
  },
  'GET /admin/reports': {
    summary: 'All reports, open ones first, then the newest.',
    access: 'admin',
    answers: { 200: z.object({ reports: z.array(Report) }) },
    errors: ['login_required'],
  },
  'PUT /admin/reports/:id': {
    summary: 'Marks a report as settled, or opens it again.',
    access: 'admin',
    params: z.object({ id: z.string() }),
    body: z.object({ settled: z.boolean() }),
    answers: { 200: Report },
    errors: ['invalid_input', 'login_required', 'report_not_found', 'foreign_origin', 'too_large'],
  },
});
