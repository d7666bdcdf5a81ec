import type { Approval } from '@feierbild/contract/entities.ts';
import { sql } from 'kysely';
import { recordChange } from '../../database/changes.ts';
import type { Db, Trx } from '../../database/open.ts';
import type { PhotoRow } from '../../database/rows.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Vault } from '../../vault/vault.ts';
import { approvalDueAt, isForGuests } from '../photo-keys/photo-keys.ts';
import type { GuestPhotoStore, OpenedPhoto } from './guest-photos.store.ts';
import { renameSender, type LostPhoto } from './sender-names.store.ts';

/** A decision about a photo, and what the page showed of the photo when somebody decided. */
export interface Wish {
  /** Puts the photo into the slideshow or takes it out; undefined flips the flag. */
  value?: boolean | undefined;
  /** True: the photo waits for its release again. */
  waiting?: boolean | undefined;
  /** Refuses the decision unless this is the photo's state. */
  believed?: Approval | undefined;
  /** Whether the page shows the server's picture in place of the phone's. */
  replaced?: boolean | undefined;
}

const approvalOf = ({ slideshow, release_state }: Pick<PhotoRow, 'slideshow' | 'release_state'>): Approval =>
  release_state === 1 ? 'waiting' : slideshow === 1 ? 'shown' : 'hidden';

/** The SQL of decisions about photos: their visibility, and the guests' keys that follow it. */
export function createDecisionStore(
  { transaction }: Pick<Db, 'transaction'>,
  vault: Vault,
  guests: Pick<GuestPhotoStore, 'show' | 'hide'>,
) {
  /** SQL columns of a photo before a decision. */
  const before = ['id', 'event_id', 'device_hash', 'position', 'slideshow', 'release_at'] as const;

  /**
   * Writes a decision; returns the new flag, or undefined if the event has no such photo. The photo gets its key for the guests of the
   * gallery, or loses it. Without a viewer who has `opened` it, it keeps the key that it has.
   */
  async function write(
    trx: Trx,
    photo: LostPhoto & Pick<PhotoRow, 'id'>,
    { value, waiting = false }: Pick<Wish, 'value' | 'waiting'>,
    release_at: number | null,
    opened: OpenedPhoto | null,
  ): Promise<boolean | undefined> {
    const { id, event_id } = photo;
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
    if (!isForGuests(row)) await guests.hide(trx, id);
    else if (opened) await guests.show(trx, opened, row.slideshow === 1);
    if (row.slideshow === 0) await renameSender(trx, vault, photo, opened && opened.describe);
    return row.slideshow === 1;
  }

  return {
    /**
     * Sets the flag, or flips it; returns the new flag, or undefined if the event has no such photo. The same transaction gives the photo
     * its key for the guests of the gallery, or takes it away. Throws Refusal decided_elsewhere; picture_replaced if release is on and the
     * picture to be shown is not the one on the decider's page, or is being replaced.
     */
    setSlideshow: (opened: OpenedPhoto, { now, ...wish }: Wish & { now: number }): Promise<boolean | undefined> =>
      transaction(async (trx) => {
        const { id, event_id: eventId } = opened.row;
        // The event's lock: nobody else gives guests a key meanwhile.
        const events = trx.selectFrom('events').select(['release_minutes', 'with_release']).where('id', '=', eventId);
        const event = await events.forNoKeyUpdate().executeTakeFirst();
        const photos = trx.selectFrom('photos').select(before).select(['release_state', 'state', 'drawn_by']);
        const photo = await photos.where('id', '=', id).where('event_id', '=', eventId).executeTakeFirst();
        if (!event || !photo) return undefined;
        if (wish.believed && approvalOf(photo) !== wish.believed) throw new Refusal('decided_elsewhere');
        const isToBeShown = !wish.waiting && (wish.value ?? photo.slideshow === 0);
        const isUnseen = photo.drawn_by === 'replaced' && (photo.state === 'received' || wish.replaced === false);
        if (isToBeShown && isUnseen && event.with_release === 1 && photo.release_state > 0) throw new Refusal('picture_replaced');
        return write(trx, photo, wish, approvalDueAt(event.release_minutes, now), opened);
      }),

    /**
     * Makes a released photo wait for another decision, if its event has release. The caller has locked the event. No viewer is
     * needed: a shown photo has its guests' key already, and that key is held back; its sender has no name until the host looks.
     */
    async askAgain(trx: Trx, { id }: Pick<PhotoRow, 'id'>, now: number): Promise<void> {
      const photo = await trx
        .selectFrom('photos')
        .innerJoin('events', 'events.id', 'photos.event_id')
        .select(before.map((column) => `photos.${column}` as const))
        .select('release_minutes')
        .where('photos.id', '=', id)
        .where('slideshow', '=', 1)
        .where('release_state', '=', 2)
        .where('with_release', '=', 1)
        .executeTakeFirst();
      if (photo) await write(trx, photo, { waiting: true }, approvalDueAt(photo.release_minutes, now), null);
    },
  };
}
