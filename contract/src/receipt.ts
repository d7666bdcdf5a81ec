import { z } from 'zod';

/** The signed receipt of an event's deletion; docs/receipt-format.md. */
export const Receipt = z.strictObject({
  /** The event's code. */
  event: z.string(),
  /** The event's contents when its deletion began. */
  deleted: z.strictObject({ photos: z.int().min(0), videos: z.int().min(0), bytes: z.int().min(0) }),
  keys_destroyed_at: z.iso.datetime(),
  /** Time at which no backup contains the event any more: backups are kept for 14 days at most. */
  backups_gone_by: z.iso.datetime(),
  /** The first 16 hex digits of the SHA-256 of the public key. */
  key_id: z.string().regex(/^[0-9a-f]{16}$/),
  /** Ed25519, base64. */
  signature: z.base64(),
});
export type Receipt = z.infer<typeof Receipt>;

/** Returns the text that is signed: a line for each field, so that any language can make it. */
export function receiptText({ event, deleted, keys_destroyed_at, backups_gone_by, key_id }: Omit<Receipt, 'signature'>): string {
  return [
    'feierbild receipt 1',
    `event ${event}`,
    `photos ${deleted.photos}`,
    `videos ${deleted.videos}`,
    `bytes ${deleted.bytes}`,
    `keys_destroyed_at ${keys_destroyed_at}`,
    `backups_gone_by ${backups_gone_by}`,
    `key_id ${key_id}`,
    '',
  ].join('\n');
}
