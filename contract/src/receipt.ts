import { z } from 'zod';

/** What was deleted with an event, signed; docs/receipt-format.md. */
export const Receipt = z.strictObject({
  /** The event's code. */
  event: z.string(),
  /** What the event held when its deletion began. */
  deleted: z.strictObject({ photos: z.int().min(0), videos: z.int().min(0), bytes: z.int().min(0) }),
  keys_destroyed_at: z.iso.datetime(),
  /** When no backup holds the event any more, as backups are kept 14 days at most. */
  backups_gone_by: z.iso.datetime(),
  /** The first 16 hex digits of the SHA-256 of the public key. */
  key_id: z.string().regex(/^[0-9a-f]{16}$/),
  /** Ed25519, base64. */
  signature: z.base64(),
});
export type Receipt = z.infer<typeof Receipt>;

/** The text that is signed: a line for each field, so that any language can make it. */
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
