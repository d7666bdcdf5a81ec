import type { GuestEvent } from '@feierbild/contract/entities.ts';
import { t } from '../../texts/guest/guest.ts';

/** Says who besides the host will see the photos, and when; '' if nobody will. A coming reveal has precedence over a release. */
export function seenBy({ gallery, wall }: GuestEvent): string {
  const said = t.bar.seenBy;
  const waits = gallery?.open === false;
  const guests = waits
    ? gallery.opens_at === null
      ? said.revealed
      : said.from(gallery.opens_at)
    : gallery && (gallery.with_release ? said.released(gallery.release_minutes) : said.open);
  return [guests, wall && said.wall[waits ? wall : 'always']].filter(Boolean).join(' ');
}
