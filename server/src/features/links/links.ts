import { LINK_LIFETIME, LINK_REMEMBERED } from '@feierbild/contract/constants.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';
import { isToken, randomToken } from '../../lib/ids.ts';
import type { Ground } from '../ground.ts';
import type { FoundPhoto, Photos } from '../photos/photos.ts';
import { createLinkStore } from './links.store.ts';
import { createRenditions } from './renditions.ts';

export type Links = ReturnType<typeof createLinks>;

interface Parts extends Pick<Ground, 'db' | 'vault' | 'decoder' | 'staging' | 'clock'> {
  photos: Pick<Photos, 'byId' | 'read'>;
}

/** Temporary links to single photos: whoever has the token sees the photo. */
export function createLinks({ db, vault, decoder, photos, staging, clock }: Parts) {
  const store = createLinkStore(db);
  const hashOf = (token: string): Bytes => vault.lookupHash(token, 'link');

  return {
    /** Makes a new link to a photo. Throws Refusal photo_not_found, and demo_fixed for the demo, which must not be used to publish photos. */
    async make({ row, openKey }: FoundPhoto) {
      if (row.demo === 1) throw new Refusal('demo_fixed');
      const token = randomToken();
      const expires = clock.now() + LINK_LIFETIME;
      using key = openKey();
      const wrapped = vault.wrapForLink(key, token, { eventId: row.event_id, photoId: row.id });
      await store.add({ token_hash: hashOf(token), expires_at: expires }, { photo_id: row.id, wrapped });
      return { download_url: `/download/${token}`, expires_at: new Date(expires).toISOString() };
    },

    /** The photo of a token. Throws Refusal link_invalid (unknown) or link_expired (expired, or the photo was deleted). */
    async open(token: string): Promise<FoundPhoto> {
      const link = isToken(token) ? await store.find(hashOf(token)) : undefined;
      if (!link) throw new Refusal('link_invalid');
      const { photo_id: photoId, wrapped } = link;
      const row = photoId && link.expires_at > clock.now() ? await photos.byId(photoId) : undefined;
      if (!row || !wrapped) throw new Refusal('link_expired');
      return { row, openKey: () => vault.openForLink(wrapped, token, { eventId: row.event_id, photoId: row.id }) };
    },

    withoutPlace: createRenditions({ vault, decoder, photos, staging }),

    /** Deletes the keys of expired links, and the rows of links that expired 90 days ago. */
    endExpired: () => store.endExpired(clock.now(), clock.now() - LINK_REMEMBERED),
  };
}
