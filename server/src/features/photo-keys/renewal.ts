import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { isReferenceViolation } from '../../database/errors.ts';
import { Tampered, type CoveredKey } from '../../vault/vault.ts';
import type { Bytes } from '../../lib/bytes.ts';
import type { Context } from '../context.ts';
import { eventSecret, gallerySecret, newestSecret } from './photo-keys.ts';

/** Photos that one transaction covers anew. */
const BATCH = 200;
/** Age after which a renewal runs by day too; younger ones wait for the night. */
const OVERDUE_MS = 24 * 60 * 60 * 1000;
/** Attempts to destroy an old secret, which running uploads may still use, and the pause between them. */
const TRIES = 5;
const PAUSE_MS = 1000;

export type Renewal = ReturnType<typeof createRenewal>;

export function createRenewal({ db, vault }: Pick<Context, 'db' | 'vault'>) {
  /** Returns the newest secret, unless photos were deleted since it was created; then it creates another. */
  async function nextSecret(eventId: string): Promise<{ id: number; secret: Uint8Array } | null> {
    const newest = await newestSecret(db.kysely, eventId);
    if (!newest) return null;
    if (newest.renew_at === null) return newest;
    const next = { id: newest.id + 1, secret: vault.createEventSecret() };
    await db.kysely
      .insertInto('event_secrets')
      .values({ event_id: eventId, ...next })
      .execute();
    return next;
  }

  async function renew(eventId: string, signal: AbortSignal | undefined): Promise<void> {
    const next = await nextSecret(eventId);
    if (!next) return;
    const { id } = next;
    const cover = coverWith(next.secret);
    for (let left = TRIES; ; left--) {
      do signal?.throwIfAborted();
      while ((await coverSome(eventId, id, cover)) + (await coverSomeOfGallery(eventId, id, cover)) > 0);
      try {
        await db.kysely.deleteFrom('event_secrets').where('event_id', '=', eventId).where('id', '<', id).execute();
        return;
      } catch (error) {
        // An upload committed under the old secret.
        if (left === 1 || !isReferenceViolation(error)) throw error;
        await pause(PAUSE_MS, undefined, { signal });
      }
    }
  }

  type Covering = ReturnType<typeof coverWith>;
  /** Creates what covers the keys of an event with another secret. */
  function coverWith(next: Bytes) {
    /** Whether each key opened, by the secret that covered it. */
    const tried = new Map<number, boolean[]>();
    return {
      /**
       * Returns the key under the new secret. One that was changed or damaged opens under no secret: it stays as it is, since the integrity
       * check reports it, and the secrets of all others must be destroyed all the same.
       */
      anew({ id, secret }: { id: number; secret: Bytes }, key: Bytes, of: CoveredKey): Bytes {
        const keys = tried.get(id) ?? [];
        tried.set(id, keys);
        try {
          const covered = vault.coverKey(next, vault.uncoverKey(secret, key, of), of);
          keys.push(true);
          return covered;
        } catch (error) {
          if (!(error instanceof Tampered)) throw error;
          keys.push(false);
          return key;
        }
      },

      /** Throws if several keys were under a secret and it opened none. It is damaged, and a backup may have it as it was. */
      assertSecrets(): void {
        for (const [id, keys] of tried)
          if (keys.length > 1 && !keys.includes(true)) throw new Tampered(`secret ${id} opens none of its keys`);
      },
    };
  }

  const coverSome = (eventId: string, secretId: number, cover: Covering): Promise<number> =>
    db.transaction(async (trx) => {
      const rows = await trx
        .selectFrom('photo_keys')
        .select(['photo_id', 'secret_id', 'sealed_for_event', 'wrapped_for_device'])
        .select(eventSecret)
        .where('event_id', '=', eventId)
        .where('secret_id', '<', secretId)
        .limit(BATCH)
        .execute();
      const writes = rows.map((row) => {
        const photo = { eventId, photoId: row.photo_id };
        const before = { id: row.secret_id, secret: row.secret };
        return trx
          .updateTable('photo_keys')
          .set({
            secret_id: secretId,
            sealed_for_event: cover.anew(before, row.sealed_for_event, { ...photo, holder: 'event' }),
            wrapped_for_device: cover.anew(before, row.wrapped_for_device, { ...photo, holder: 'device' }),
          })
          .where('photo_id', '=', row.photo_id)
          .execute();
      });
      await Promise.all(writes);
      cover.assertSecrets();
      return rows.length;
    });

  const coverSomeOfGallery = (eventId: string, secretId: number, cover: Covering): Promise<number> =>
    db.transaction(async (trx) => {
      const rows = await trx
        .selectFrom('gallery_photo_keys')
        .select(['photo_id', 'secret_id', 'sealed_for_gallery'])
        .select(gallerySecret)
        .where('event_id', '=', eventId)
        .where('secret_id', '<', secretId)
        .limit(BATCH)
        .execute();
      const writes = rows.map(({ photo_id: photoId, secret_id: id, sealed_for_gallery, gallery_secret }) => {
        const holder = { eventId, photoId, holder: 'gallery' } as const;
        const anew = cover.anew({ id, secret: gallery_secret as Bytes }, sealed_for_gallery, holder);
        return (
          trx
            .updateTable('gallery_photo_keys')
            .set({ secret_id: secretId, sealed_for_gallery: anew })
            .where('photo_id', '=', photoId)
            // A new link may have put a key of its own in this one's place.
            .where('sealed_for_gallery', '=', sealed_for_gallery)
            .execute()
        );
      });
      await Promise.all(writes);
      cover.assertSecrets();
      return rows.length;
    });

  return {
    /**
     * Renews the secrets of events that lost photos. PostgreSQL keeps the bytes of a deleted key until their place is written again: so the
     * remaining keys are covered under a new secret, and the old secret is destroyed. No table is locked. By day only overdue renewals run.
     * An event that fails holds up no other one; throws the first failure at the end.
     */
    async run({ night, signal }: { night: boolean; signal?: AbortSignal }): Promise<void> {
      if (db.engine === 'sqlite') return;
      const due = await db.kysely
        .selectFrom('event_secrets')
        .select('event_id')
        .where('renew_at', 'is not', null)
        // The database's clock wrote `renew_at`.
        .$if(!night, (query) => query.where(sql<boolean>`renew_at <= extract(epoch from now()) * 1000 - ${sql.lit(OVERDUE_MS)}`))
        .distinct()
        .execute();
      const failures: unknown[] = [];
      for (const { event_id } of due) {
        await renew(event_id, signal).catch((cause: unknown) =>
          failures.push(new Error(`the keys of event ${event_id} could not be renewed`, { cause })),
        );
        signal?.throwIfAborted();
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
