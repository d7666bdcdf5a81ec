import { endOfBerlinDay } from '@feierbild/contract/berlin.ts';
import type { HostEvent } from '@feierbild/contract/entities.ts';
import { formatDay, plural } from '../../lib/format.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

const DAY = 24 * 60 * 60 * 1000;
const URGENT_DAYS = 7;

/** Days on which the photos are still there, today among them. */
export function daysLeft({ deletion_date }: HostEvent, now: number): number {
  return Math.max(0, Math.ceil((endOfBerlinDay(deletion_date) - now) / DAY));
}

/** Less than 7 days left, and the ZIP was not downloaded yet. */
export function DeletionNotice({ event, now }: { event: HostEvent; now: number }) {
  const days = daysLeft(event, now);
  if (days > URGENT_DAYS || event.zip_downloaded_at !== null || event.storage.photos.count + event.storage.videos.count === 0) return null;
  return (
    <Notice kind="error" permanent>
      <strong>
        {plural(days, 'Letzter Tag: Bitte laden Sie Ihre Fotos heute herunter.', 'Noch # Tage: Bitte laden Sie Ihre Fotos jetzt herunter.')}
      </strong>
      <span>
        Das ZIP wurde noch nicht heruntergeladen. Nach dem {formatDay(event.deletion_date)} werden alle Fotos gelöscht und lassen sich nicht
        zurückholen.
      </span>
      <ButtonLink href={`/gallery/${event.code}`}>Zur Galerie und zum ZIP</ButtonLink>
    </Notice>
  );
}
