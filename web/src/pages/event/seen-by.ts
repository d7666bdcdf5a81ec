import type { GuestEvent } from '@feierbild/contract/entities.ts';
import { t } from '../../texts/guest/guest.ts';

/** Sentences that say who besides the host will see the photos, and when; '': nobody. A reveal that is to come counts before any release. */
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
