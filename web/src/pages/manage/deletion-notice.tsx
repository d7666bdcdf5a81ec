import { berlinDay } from '@feierbild/contract/berlin.ts';
import type { HostEvent } from '@feierbild/contract/entities.ts';
import { formatDay, plural } from '../../lib/format.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

const DAY = 24 * 60 * 60 * 1000;
const URGENT_DAYS = 7;

/** Days after today on which the photos are still there. */
export function daysLeft({ deletion_date }: HostEvent, now: number): number {
  return Math.max(0, (Date.parse(deletion_date) - Date.parse(berlinDay(now))) / DAY);
}

/** Less than 7 days left, and the ZIP was not downloaded yet. */
export function DeletionNotice({ event, now }: { event: HostEvent; now: number }) {
  const days = daysLeft(event, now);
  if (days >= URGENT_DAYS || event.zip_downloaded_at !== null || event.storage.photos.count + event.storage.videos.count === 0) return null;
  return (
    <Notice kind="error" permanent>
      <strong>
        {days === 0
          ? 'Letzter Tag: Bitte laden Sie Ihre Fotos heute herunter.'
          : plural(
              days,
              'Noch ein Tag: Bitte laden Sie Ihre Fotos jetzt herunter.',
              'Noch # Tage: Bitte laden Sie Ihre Fotos jetzt herunter.',
            )}
      </strong>
      <span>
        Das ZIP wurde noch nicht heruntergeladen. Nach dem {formatDay(event.deletion_date)} werden alle Fotos gelöscht und lassen sich nicht
        zurückholen.
      </span>
      <ButtonLink href={`/gallery/${event.code}`}>Zur Galerie und zum ZIP</ButtonLink>
    </Notice>
  );
}
