import { berlinDay } from '@feierbild/contract/berlin.ts';
import { GB } from '@feierbild/contract/constants.ts';
import type { HostEvent } from '@feierbild/contract/entities.ts';
import { isJoinable, joinableWindow } from '@feierbild/contract/event-status.ts';
import { formatDay, plural } from '../../lib/format.ts';
import { useSite } from '../../lib/use-site.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { storageLevel } from './storage-level.ts';

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

/** Why guests can't upload at the moment, and what helps. */
export function GuestsNotice({ event, now }: { event: HostEvent; now: number }) {
  const { opens, closes } = joinableWindow(event);
  if (!isJoinable(event, now)) {
    return (
      <Notice kind="info" permanent>
        {now < opens
          ? `Gäste können ab dem ${formatDay(berlinDay(opens))} beitreten und Fotos hochladen.`
          : `Das Event ist vorbei: Gäste konnten bis zum ${formatDay(berlinDay(closes - 1))} Fotos hochladen.`}{' '}
        Sie können alles ansehen und herunterladen.
      </Notice>
    );
  }
  if (event.with_user_upload) return null;
  return (
    <Notice kind="info" permanent>
      <span>
        Uploads durch Gäste sind ausgeschaltet. Einschalten lassen können Sie sie unter <OperatorPhone />.
      </span>
    </Notice>
  );
}

/** What each level means for guests. */
const MEANINGS = {
  filling: { kind: 'info', text: 'Ihre Gäste können weiter Fotos hochladen, bis er voll ist.' },
  nearly: {
    kind: 'warning',
    text: 'Große Fotos passen womöglich nicht mehr hinein. Ist er voll, können Ihre Gäste keine Fotos mehr hochladen.',
  },
  full: { kind: 'error', text: 'Neue Fotos Ihrer Gäste werden abgelehnt. Alle bisherigen Fotos bleiben erhalten.' },
} as const;

/** Warns from 80 % of the storage on: what it means for guests, and how to get more. */
export function StorageNotice({ event }: { event: HostEvent }) {
  if (event.storage_limit === 'unlimited') return null;
  const share = event.storage_stats.total_size / (event.storage_limit * GB);
  const level = storageLevel(share);
  if (level === 'fine') return null;
  const { kind, text } = MEANINGS[level];
  const full = `Der Speicher ist ${level === 'full' ? 'voll' : `zu ${Math.floor(share * 100)}\u00a0% belegt`}`;
  return (
    <Notice kind={kind}>
      {level !== 'filling' && <strong>{full}</strong>}
      <span>{level === 'filling' ? `${full}. ${text}` : text}</span>
      <span>
        Mehr Speicher bekommen Sie unter <OperatorPhone />, oder Sie löschen Fotos in der Galerie.
      </span>
    </Notice>
  );
}

/** The operator's phone number, to call. */
function OperatorPhone() {
  const { phone } = useSite().business.contact;
  return <a href={`tel:${phone.e164}`}>{phone.shown}</a>;
}
