import { z } from 'zod';
import { calls } from '../call.ts';
import { Receipt } from '../receipt.ts';

/** A public key that verifies receipts, base64 of its 32 bytes. */
const ReceiptKey = z.object({ key_id: z.string(), public_key: z.string() });

export const receiptCalls = calls('receipts', 'Signed receipts of the deletion of events.', {
  'GET /api/events/:ref/receipt': {
    summary:
      'The receipt of a deletion, for 12 months: for administrators, and for whoever has its link. Before it, the host learns that there is none yet.',
    access: 'anyone',
    query: z.object({
      /** Token of the receipt's link. */
      token: z.string().max(100).optional(),
    }),
    answers: { 200: Receipt },
    errors: ['login_required', 'receipt_not_found', 'receipt_pending'],
  },
  'GET /api/receipt-keys': {
    summary: 'The public keys of all receipts that are kept; the first one signs new ones.',
    access: 'anyone',
    anonymous: true,
    answers: { 200: z.object({ keys: z.array(ReceiptKey) }) },
  },
  'GET /admin/receipts': {
    summary: 'Deleted events, the newest first, with their receipts; null while something is still to be made sure of.',
    access: 'admin',
    answers: {
      200: z.object({
        receipts: z.array(z.object({ event: z.string(), begun_at: z.string(), receipt: Receipt.nullable() })),
      }),
    },
  },
});
