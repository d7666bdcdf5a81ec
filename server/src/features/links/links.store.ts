import { isReferenceViolation } from '../../database/errors.ts';
import type { Db } from '../../database/open.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';

export interface NewLink {
  token_hash: Bytes;
  expires_at: number;
}

/** The SQL of links. A key is deleted before its link's row, so that an expired link can be distinguished from an unknown one. */
export function createLinkStore({ kysely, transaction }: Pick<Db, 'kysely' | 'transaction'>) {
  return {
    /** Throws Refusal photo_not_found if the photo was deleted in between. */
    async add(link: NewLink, key: { photo_id: string; wrapped: Bytes }): Promise<void> {
      try {
        await transaction(async (trx) => {
          await trx.insertInto('links').values(link).execute();
          await trx
            .insertInto('link_keys')
            .values({ token_hash: link.token_hash, ...key })
            .execute();
        });
      } catch (error) {
        throw isReferenceViolation(error) ? new Refusal('photo_not_found', { cause: error }) : error;
      }
    },

    /** Photo and key are null after the photo was deleted or the link expired. */
    find: (tokenHash: Bytes) =>
      kysely
        .selectFrom('links')
        .leftJoin('link_keys', 'link_keys.token_hash', 'links.token_hash')
        .select(['links.expires_at', 'link_keys.photo_id', 'link_keys.wrapped'])
        .where('links.token_hash', '=', tokenHash)
        .executeTakeFirst(),

    /** Deletes the keys of links that have expired, and the rows of those that had before `forgotten`. */
    async endExpired(now: number, forgotten: number): Promise<void> {
      const expired = kysely.selectFrom('links').select('token_hash').where('expires_at', '<=', now);
      await kysely.deleteFrom('link_keys').where('token_hash', 'in', expired).execute();
      await kysely.deleteFrom('links').where('expires_at', '<', forgotten).execute();
    },
  };
}
