import { berlinDay } from '@feierbild/contract/berlin.ts';
import { DAY, GB } from '@feierbild/contract/constants.ts';
import type { HostEvent, Photo } from '@feierbild/contract/entities.ts';
import { isJoinable, joinableWindow } from '@feierbild/contract/event-status.ts';
import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { call } from '../../api/client.ts';
import { formatBytes } from '../../lib/format-bytes.ts';
import { formatDay, formatNumber, plural } from '../../lib/format.ts';
import { useSite } from '../../lib/use-site.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Thumbnail } from '../../ui/thumbnail.tsx';
import { photosAndVideos, type Counts } from '../../video/counts.ts';
import styles from './dashboard.module.css';
import strip from './newest-photos.module.css';
import { storageLevel } from './storage-level.ts';

/** Number of photos, used storage and remaining time. */
export function KeyFigures({ event, now }: { event: HostEvent; now: number }) {
  const { photos, videos } = event.storage;
  const share = usedShare(event);
  const days = daysLeft(event, now);
  return (
    <section className={styles.figures} aria-label="Auf einen Blick">
      <Figure label="Fotos" value={formatNumber(photos.count)}>
        {videos.count > 0 && plural(videos.count, 'dazu ein Video, ', 'dazu # Videos, ')}
        {event.previews.coming > 0 && plural(event.previews.coming, 'ein Original unterwegs, ', '# Originale unterwegs, ')}
        {event.previews.left > 0 && plural(event.previews.left, 'eines nur als Vorschau da, ', '# nur als Vorschau da, ')}
        {plural(event.device_count, 'von einem Gerät', 'von # Geräten')}
      </Figure>
      <Figure label="Speicher" value={formatBytes(event.storage_stats.total_size)}>
        {event.storage_limit === 'unlimited' ? (
          'unbegrenzt'
        ) : (
          <>
            <span
              className={styles.bar}
              role="meter"
              aria-label="Belegter Speicher"
              aria-valuenow={Math.min(100, Math.floor(share * 100))}
              aria-valuemin={0}
              aria-valuemax={100}
            >
              <span
                style={{ width: `${Math.min(100, share * 100)}%` }}
                className={['nearly', 'full'].includes(storageLevel(share)) ? styles.full : ''}
              />
            </span>
            von {formatBytes(event.storage_limit * GB)}
          </>
        )}
      </Figure>
      <Figure label="Verfügbar" value={days === 0 ? 'noch heute' : plural(days, 'noch 1 Tag', 'noch # Tage')}>
        bis {formatDay(event.deletion_date)}, danach gelöscht
      </Figure>
    </section>
  );
}

function Figure({ label, value, children }: { label: string; value: string; children: ReactNode }) {
  return (
    <div className={styles.figure}>
      <span className="soft">{label}</span>
      <strong className={styles.value}>{value}</strong>
      <span className={styles.small}>{children}</span>
    </div>
  );
}

/** Returns used bytes divided by allowed bytes; 0 without a limit. */
function usedShare({ storage_limit, storage_stats }: HostEvent): number {
  return storage_limit === 'unlimited' ? 0 : storage_stats.total_size / (storage_limit * GB);
}

const URGENT_DAYS = 7;

/** Returns the number of days after today on which the photos still exist. */
function daysLeft({ deletion_date }: HostEvent, now: number): number {
  return Math.max(0, (Date.parse(deletion_date) - Date.parse(berlinDay(now))) / DAY);
}

/** Warns less than 7 days before the deletion, if some photos are in no downloaded ZIP. */
export function DeletionNotice({ event, now }: { event: HostEvent; now: number }) {
  const days = daysLeft(event, now);
  if (days >= URGENT_DAYS || !event.unsaved) return null;
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
        {event.zip_downloaded_at === null
          ? 'Das ZIP wurde noch nicht heruntergeladen.'
          : 'Im heruntergeladenen ZIP fehlen Fotos, die seitdem kamen oder beschädigt sind.'}{' '}
        Nach dem {formatDay(event.deletion_date)} werden alle Fotos gelöscht und sind dann für Sie verloren.
      </span>
      <ButtonLink href={`/gallery/${event.code}`}>Zur Galerie und zum ZIP</ButtonLink>
    </Notice>
  );
}

/** Tells how many photos wait for the host's release. */
export function ReleaseNotice({ event: { code, waiting } }: { event: HostEvent }) {
  if (waiting === 0) return null;
  return (
    <Notice kind="warning" permanent>
      <strong>{plural(waiting, 'Ein Foto wartet auf Ihre Freigabe', '# Fotos warten auf Ihre Freigabe')}</strong>
      <ButtonLink href={`/freigabe/${code}`}>Freigeben</ButtonLink>
    </Notice>
  );
}

/** Says why guests can't upload at the moment, and what helps. */
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

/** The meaning of each level for guests. */
const MEANINGS = {
  filling: { kind: 'info', text: 'Ihre Gäste können weiter Fotos hochladen, bis er voll ist.' },
  nearly: {
    kind: 'warning',
    text: 'Große Fotos passen womöglich nicht mehr hinein. Ist er voll, können Ihre Gäste keine Fotos mehr hochladen.',
  },
  full: { kind: 'error', text: 'Neue Fotos Ihrer Gäste werden abgelehnt. Alle bisherigen Fotos bleiben erhalten.' },
} as const;

/** Warns from 80 % of the storage on, with the consequence for guests and the way to get more. */
export function StorageNotice({ event }: { event: HostEvent }) {
  const share = usedShare(event);
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

/** The operator's phone number, else the mail address, as a link. */
function OperatorPhone() {
  const { phone, email } = useSite().business.contact;
  if (!phone) return <a href={`mailto:${email}`}>{email}</a>;
  return <a href={`tel:${phone.e164}`}>{phone.shown}</a>;
}

/** Number of photos in the strip, more than the widest window shows. */
const SHOWN = 12;

/** Reads the newest photos of an event, again when their number changes; null while they are being read. */
export function useNewest(code: string, { photos, videos }: Counts): readonly Photo[] | null {
  const { data } = useQuery({
    queryKey: ['newest', code, photos + videos],
    queryFn: () => call('GET /api/events/:ref/photos', { params: { ref: code }, query: { per_page: SHOWN, sort: 'newest' } }),
    placeholderData: (before) => before,
  });
  return data?.photos ?? null;
}

/** A row of photos that fades at its end and links to the gallery; `newest` is null while they are being read. */
export function PhotoStrip({ href, counts, newest }: { href: string; counts: Counts; newest: readonly Photo[] | null }) {
  return (
    <a href={href} className={strip.strip}>
      <span className={strip.photos} aria-hidden="true">
        {newest?.map(({ id, thumbnail_url, width, height }) => {
          // Panoramas and the narrowest portraits are cropped, so that other photos fit, too.
          const shape = Math.min(1.6, Math.max(0.7, width / height));
          return <Thumbnail key={id} src={thumbnail_url} alt="" style={{ aspectRatio: `${shape}` }} decoding="async" />;
        })}
      </span>
      <span className={strip.all}>
        {linkText(counts)} <ArrowRight size={20} />
      </span>
    </a>
  );
}

function linkText(counts: Counts): string {
  if (counts.videos === 0) return plural(counts.photos, 'Das erste Foto ansehen', 'Alle # Fotos ansehen');
  return counts.photos + counts.videos === 1 ? 'Das erste Video ansehen' : `${photosAndVideos(counts)} ansehen`;
}
