import { LINK_LIFETIME, LINK_REMEMBERED } from '@feierbild/contract/constants.ts';
import { isReferenceViolation } from '../../database/errors.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';
import { isToken, randomToken } from '../../lib/ids.ts';
import type { Ground } from '../ground.ts';
import type { FoundPhoto, Photos } from '../photos/photos.ts';
import { createRenditions } from './renditions.ts';

export type Links = ReturnType<typeof createLinks>;

interface Parts extends Pick<Ground, 'db' | 'vault' | 'decoder' | 'staging' | 'clock'> {
  photos: Pick<Photos, 'byId' | 'read'>;
}

/**
 * Temporary links to single photos: whoever has the token sees the photo. A key is deleted before its link's row, so that an expired link
 * can be distinguished from an unknown one.
 */
export function createLinks({ db, vault, decoder, photos, staging, clock }: Parts) {
  const hashOf = (token: string): Bytes => vault.lookupHash(token, 'link');

  return {
    /** Makes a new link to a photo. Throws Refusal photo_not_found, and demo_fixed for the demo, which must not be used to publish photos. */
    async make({ row, openKey }: FoundPhoto) {
      if (row.demo === 1) throw new Refusal('demo_fixed');
      const token = randomToken();
      const expires = clock.now() + LINK_LIFETIME;
      using key = openKey();
      const wrapped = vault.wrapForLink(key, token, { eventId: row.event_id, photoId: row.id });
      const link = { token_hash: hashOf(token) };
      const added = db.transaction(async (trx) => {
        await trx
          .insertInto('links')
          .values({ ...link, expires_at: expires })
          .execute();
        await trx
          .insertInto('link_keys')
          .values({ ...link, photo_id: row.id, wrapped })
          .execute();
      });
      await added.catch((error: unknown) => {
        // The photo was deleted in between.
        throw isReferenceViolation(error) ? new Refusal('photo_not_found', { cause: error }) : error;
      });
      return { download_url: `/download/${token}`, expires_at: new Date(expires).toISOString() };
    },

    /** The photo of a token. Throws Refusal link_invalid (unknown) or link_expired (expired, or the photo was deleted). */
    async open(token: string): Promise<FoundPhoto> {
      if (!isToken(token)) throw new Refusal('link_invalid');
      // Photo and key are null after the photo was deleted or the link expired.
      const link = await db.kysely
        .selectFrom('links')
        .leftJoin('link_keys', 'link_keys.token_hash', 'links.token_hash')
        .select(['links.expires_at', 'link_keys.photo_id', 'link_keys.wrapped'])
        .where('links.token_hash', '=', hashOf(token))
        .executeTakeFirst();
      if (!link) throw new Refusal('link_invalid');
      const { photo_id: photoId, wrapped } = link;
      const row = photoId && link.expires_at > clock.now() ? await photos.byId(photoId) : undefined;
      if (!row || !wrapped) throw new Refusal('link_expired');
      return { row, openKey: () => vault.openForLink(wrapped, token, { eventId: row.event_id, photoId: row.id }) };
    },

    withoutPlace: createRenditions({ vault, decoder, photos, staging }),

    /** Deletes the keys of expired links, and the rows of links that expired 90 days ago. */
    async endExpired(): Promise<void> {
      const expired = db.kysely.selectFrom('links').select('token_hash').where('expires_at', '<=', clock.now());
      await db.kysely.deleteFrom('link_keys').where('token_hash', 'in', expired).execute();
      await db.kysely
        .deleteFrom('links')
        .where('expires_at', '<', clock.now() - LINK_REMEMBERED)
        .execute();
    },
  };
}
