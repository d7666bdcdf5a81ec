import { sql, type Kysely } from 'kysely';
import type { Database } from '../../database/schema.ts';
import type { Bytes } from '../../lib/bytes.ts';
import type { Vault } from '../../vault/vault.ts';

/** The column of a query that has `photo_keys`: the secret under which the photo's keys are covered. */
export const eventSecret = sql<Bytes>`(select secret from event_secrets
  where event_secrets.event_id = photo_keys.event_id and event_secrets.id = photo_keys.secret_id)`.as('secret');

/** A photo's wrapped keys, as far as a query has read them, with the secret that covers them. */
interface Covered {
  secret: Bytes | null;
  sealed_for_event?: Bytes | null;
  wrapped_for_device?: Bytes | null;
}

/** The same without the cover. Throws Tampered. */
export function uncovered<R extends Covered>(vault: Pick<Vault, 'uncoverKey'>, row: R, photo: { eventId: string; photoId: string }): R {
  const { secret, sealed_for_event, wrapped_for_device } = row;
  if (!secret) return row;
  return {
    ...row,
    ...(sealed_for_event && { sealed_for_event: vault.uncoverKey(secret, sealed_for_event, { ...photo, holder: 'event' }) }),
    ...(wrapped_for_device && { wrapped_for_device: vault.uncoverKey(secret, wrapped_for_device, { ...photo, holder: 'device' }) }),
  };
}

type WrappedKeys = Pick<Database['photo_keys'], 'sealed_for_event' | 'wrapped_for_device'>;

/** Both keys of a photo under a cover. */
export function covered(
  vault: Pick<Vault, 'coverKey'>,
  secret: Bytes,
  { sealed_for_event, wrapped_for_device }: WrappedKeys,
  photo: { eventId: string; photoId: string },
): WrappedKeys {
  return {
    sealed_for_event: vault.coverKey(secret, sealed_for_event, { ...photo, holder: 'event' }),
    wrapped_for_device: vault.coverKey(secret, wrapped_for_device, { ...photo, holder: 'device' }),
  };
}

/** The event's newest secret, for new photos; undefined where the event has none any more. */
export const newestSecret = (kysely: Kysely<Database>, eventId: string) =>
  kysely
    .selectFrom('event_secrets')
    .select(['id', 'secret', 'renew_at'])
    .where('event_id', '=', eventId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
