import type { Approval } from '@feierbild/contract/entities.ts';
import { sql } from 'kysely';
import { recordChange } from '../../database/changes.ts';
import type { Db, Trx } from '../../database/open.ts';
import type { PhotoRow } from '../../database/schema.ts';
import { Refusal } from '../../lib/errors.ts';
import { approvalDueAt, isForGuests } from '../photo-keys/photo-keys.ts';
import type { GuestPhotoStore, SealForGuests } from './guest-photos.store.ts';

/** What somebody wants a photo to be, by what its page shows of it. */
export interface Wish {
  /** In the slideshow or not; undefined flips it. */
  value?: boolean | undefined;
  /** It waits for its release again; else it was decided about. */
  waiting?: boolean | undefined;
  /** Only where it is so. */
  believed?: Approval | undefined;
  /** Whether the page shows the server's picture in the place of the phone's. */
  replaced?: boolean | undefined;
}

/** What became of a photo: it waits, or is shown or not. */
const approvalOf = ({ slideshow, release_state }: Pick<PhotoRow, 'slideshow' | 'release_state'>): Approval =>
  release_state === 1 ? 'waiting' : slideshow === 1 ? 'shown' : 'hidden';

/** The SQL of decisions about photos: their visibility, and the guests' keys that follow it. */
export function createDecisionStore({ transaction }: Pick<Db, 'transaction'>, guests: Pick<GuestPhotoStore, 'show'>) {
  /**
   * Writes a decision down; the new flag, or undefined where the event has no such photo. The photo gets its key for the guests of the gallery
   * (where nobody can `seal`, it keeps the one that it has), or loses it.
   */
  async function write(
    trx: Trx,
    { id, event_id }: Pick<PhotoRow, 'id' | 'event_id'>,
    { value, waiting = false }: Pick<Wish, 'value' | 'waiting'>,
    release_at: number | null,
    seal: SealForGuests | null,
  ): Promise<boolean | undefined> {
    const row = await trx
      .updateTable('photos')
      .set({ slideshow: waiting ? 0 : value === undefined ? sql<number>`1 - slideshow` : value ? 1 : 0 })
      .set({ release_state: waiting ? 1 : sql<number>`case when release_state = 0 then 0 else 2 end` })
      .set({ release_at: waiting ? release_at : null })
      .where('id', '=', id)
      .where('event_id', '=', event_id)
      .returning(['slideshow', 'release_at'])
      .executeTakeFirst();
    if (!row) return undefined;
    await recordChange(trx, event_id, row.slideshow === 1 ? 'shown' : 'hidden', id);
    if (!isForGuests(row)) await trx.deleteFrom('gallery_photo_keys').where('photo_id', '=', id).execute();
    else if (seal) await guests.show(trx, id, event_id, seal);
    return row.slideshow === 1;
  }

  return {
    /**
     * Sets the flag, or flips it; the new one, or undefined where the event has no such photo. The photo gets its key for the guests of the
     * gallery, or loses it, in the same transaction. Throws Refusal decided_elsewhere; picture_replaced where release is on and what is to
     * be shown is not the picture that its page shows, or is being replaced.
     */
    setSlideshow: (
      id: string,
      eventId: string,
      { now, ...wish }: Wish & { now: number },
      seal: SealForGuests,
    ): Promise<boolean | undefined> =>
      transaction(async (trx) => {
        // From here on nobody else gives guests a key.
        const events = trx.selectFrom('events').select(['release_minutes', 'with_release']).where('id', '=', eventId);
        const event = await events.forNoKeyUpdate().executeTakeFirst();
        const photos = trx.selectFrom('photos').select(['slideshow', 'release_state', 'state', 'drawn_by']);
        const photo = await photos.where('id', '=', id).where('event_id', '=', eventId).executeTakeFirst();
        if (!event || !photo) return undefined;
        if (wish.believed && approvalOf(photo) !== wish.believed) throw new Refusal('decided_elsewhere');
        const isToBeShown = !wish.waiting && (wish.value ?? photo.slideshow === 0);
        const isUnseen = photo.drawn_by === 'replaced' && (photo.state === 'received' || wish.replaced === false);
        if (isToBeShown && isUnseen && event.with_release === 1 && photo.release_state > 0) throw new Refusal('picture_replaced');
        return write(trx, { id, event_id: eventId }, wish, approvalDueAt(event.release_minutes, now), seal);
      }),

    /**
     * Has a photo that a decision had shown wait for another one, where its event has release. The event is locked. Without anybody who has
     * its key: guests' keys that are to be held back are there, as it was shown.
     */
    async askAgain(trx: Trx, photo: Pick<PhotoRow, 'id' | 'event_id'>, now: number): Promise<void> {
      const event = await trx
        .selectFrom('photos')
        .innerJoin('events', 'events.id', 'photos.event_id')
        .select('release_minutes')
        .where('photos.id', '=', photo.id)
        .where('slideshow', '=', 1)
        .where('release_state', '=', 2)
        .where('with_release', '=', 1)
        .executeTakeFirst();
      if (event) await write(trx, photo, { waiting: true }, approvalDueAt(event.release_minutes, now), null);
    },
  };
}
