import type { Db } from '../../database/open.ts';
import type { Bytes } from '../../lib/bytes.ts';

export interface NewLink {
  token_hash: Bytes;
  event_id: string;
  photo_id: string;
  created_at: number;
  expires_at: number;
}

/** The SQL of links; a key and its link end separately, so that a link that is over can say so. */
export function createLinkStore({ kysely, transaction }: Pick<Db, 'kysely' | 'transaction'>) {
  return {
    add: (link: NewLink, wrapped: Bytes): Promise<void> =>
      transaction(async (trx) => {
        await trx.insertInto('links').values(link).execute();
        await trx.insertInto('link_keys').values({ token_hash: link.token_hash, photo_id: link.photo_id, wrapped }).execute();
      }),

    /** `wrapped` is null once the photo or the link has ended. */
    find: (tokenHash: Bytes) =>
      kysely
        .selectFrom('links')
        .leftJoin('link_keys', 'link_keys.token_hash', 'links.token_hash')
        .select(['links.photo_id', 'links.expires_at', 'link_keys.wrapped'])
        .where('links.token_hash', '=', tokenHash)
        .executeTakeFirst(),

    async endExpired(now: number): Promise<void> {
      await kysely
        .deleteFrom('link_keys')
        .where('token_hash', 'in', kysely.selectFrom('links').select('token_hash').where('expires_at', '<=', now))
        .execute();
    },

    async forget(expiredBefore: number): Promise<void> {
      await kysely.deleteFrom('links').where('expires_at', '<', expiredBefore).execute();
    },
  };
}
