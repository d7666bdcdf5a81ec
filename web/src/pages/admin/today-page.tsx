import type { RunningEvent, Today } from '@feierbild/contract/calls/today.ts';
import { HOUR } from '@feierbild/contract/constants.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call } from '../../api/client.ts';
import { formatDay, formatDays, formatInstant, formatNumber, formatTime, plural } from '../../lib/format.ts';
import { photosAndVideos } from '../../video/counts.ts';
import { DescriptionList } from '../../ui/description-list.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { AdminFrame } from './admin-frame.tsx';
import { meQuery } from './admin-queries.ts';
import { invitationWord, isUndelivered } from './invitation-state.ts';
import { Loaded } from '../../ui/loaded.tsx';
import styles from './today.module.css';
import { useAction } from '../../ui/use-form.ts';
import { useInvite, type InvitedEvent } from './use-invite.tsx';

/** Pause between reads while the page is open. */
const POLL_MS = 30_000;

const HOSTS: Record<RunningEvent['host'], string> = {
  there: 'war schon da',
  ready: 'noch nie angemeldet',
  invited: 'eingeladen, noch nicht da',
  none: 'noch ohne Zugang',
};

/** /admin/heute: running events, and due tasks. */
export default function TodayPage() {
  const query = useQuery({
    queryKey: ['today'],
    queryFn: ({ signal }) => call('GET /admin/today', { signal }),
    refetchInterval: POLL_MS,
  });
  const { data: me } = useQuery(meQuery);
  const { invite, dialog } = useInvite(query.refetch);
  const { failure, run } = useAction();
  const lead = query.data && `${formatDay(query.data.day)}, Stand ${formatTime(new Date(query.dataUpdatedAt).toISOString())} Uhr`;
  return (
    <AdminFrame title="Heute" lead={lead} className={styles.page}>
      {failure && <Notice kind="error">{failure}</Notice>}
      <Loaded query={query}>
        {(today) => <TodayLists today={today} onInvite={me?.role === 'admin' ? (event) => void run(() => invite(event)) : undefined} />}
      </Loaded>
      {dialog}
    </AdminFrame>
  );
}

interface TodayListsProps {
  today: Today;
  /** Invites a host; undefined for assistants, who may not. */
  onInvite?: ((event: InvitedEvent) => void) | undefined;
}

/** Running events, events without a host, and events that are deleted soon. */
export function TodayLists({ today: { running, absent, due, more, since, alone }, onInvite }: TodayListsProps) {
  return (
    <>
      <Section name="Läuft gerade" empty="Heute läuft kein Event." more={more.running}>
        {running.map((event) => (
          <Running key={event.id} event={event} since={Date.parse(since)} alone={alone} />
        ))}
      </Section>
      <Section name="Gastgeber war noch nie da" empty="Bei keinem Event, das läuft oder in zwei Wochen beginnt." more={more.absent}>
        {absent.map((event) => (
          <li key={event.id} className={styles.line}>
            <a translate="no" href={`/admin?suche=${event.code}`}>
              {event.title}
            </a>
            <span className="soft">{formatDays(event.start_date, event.end_date)}</span>
            <span className={isUndelivered(event) ? styles.urgent : ''}>{invitationWord(event) ?? HOSTS[event.host]}</span>
            {onInvite && isUndelivered(event) && (
              <Button
                look="secondary"
                aria-label={`Neu einladen: ${event.title}`}
                onClick={() => onInvite({ id: event.id, code: event.code, title: event.title })}
              >
                Neu einladen
              </Button>
            )}
          </li>
        ))}
      </Section>
      <Section name="Löschung in den nächsten 7 Tagen" empty="In den nächsten 7 Tagen wird nichts gelöscht." more={more.due}>
        {due.map(({ id, code, title, photos, videos, deletion_date, zip_downloaded_at, unsaved }) => (
          <li key={id} className={styles.line}>
            <a translate="no" href={`/admin?suche=${code}`}>
              {title}
            </a>
            <span className="soft">
              {photosAndVideos({ photos, videos })}, letzter Tag {formatDay(deletion_date)}
            </span>
            <span className={unsaved ? styles.urgent : ''}>
              {zip_downloaded_at === null ? 'ZIP nicht geladen' : unsaved ? 'ZIP nicht ganz geladen' : 'ZIP geladen'}
            </span>
          </li>
        ))}
      </Section>
    </>
  );
}

function Section({ name, empty, more, children }: { name: string; empty: string; more: boolean; children: ReactNode[] }) {
  return (
    <section className={styles.section} aria-label={name}>
      <h2>{name}</h2>
      {children.length === 0 ? <p className="soft">{empty}</p> : <ul className={`bare ${styles.list}`}>{children}</ul>}
      {more && <p className="soft">Es gibt noch mehr; alle stehen in der Liste der Events.</p>}
    </section>
  );
}

/** A running event, with its photos by the hour. */
function Running({ event, since, alone }: { event: RunningEvent; since: number; alone: boolean }) {
  const { code, title, photos, videos, hours, last_photo_at, host, walls, pages, booth_at, locked_out_at } = event;
  const here = alone ? '' : ' (auf diesem Knoten)';
  return (
    <li className={styles.card}>
      <h3>
        <a translate="no" href={`/admin?suche=${code}`}>
          {title}
        </a>
      </h3>
      <Hours hours={hours} since={since} />
      <DescriptionList
        className={styles.details}
        items={[
          ['In dieser Stunde', formatNumber(hours.at(-1) ?? 0)],
          ['Insgesamt', photosAndVideos({ photos, videos })],
          ['Letztes Foto', last_photo_at === null ? 'noch keins' : `${formatTime(last_photo_at)} Uhr`],
          ['Gastgeber', invitationWord(event) ?? HOSTS[host]],
          [`Wände${here}`, formatNumber(walls)],
          [`Andere Seiten des Gastgebers${here}`, formatNumber(pages)],
          ['Fotobox', booth_at === null ? 'noch nie gemeldet' : `zuletzt ${formatInstant(booth_at)} Uhr`],
          ...passwordItem(locked_out_at, here),
        ]}
      />
    </li>
  );
}

/** Warns of an event whose password new guests may not try for now, which only the operator can tell the host. */
function passwordItem(lockedOutAt: string | null, here: string): [string, string][] {
  if (lockedOutAt === null) return [];
  const told = `um ${formatTime(lockedOutAt)} Uhr zu oft falsch: Neue Gäste desselben Netzes kommen bis zu zehn Minuten nicht herein`;
  return [[`Passwort${here}`, told]];
}

/** The photos of each hour as bars, with their numbers for screen readers. */
function Hours({ hours, since }: { hours: number[]; since: number }) {
  const most = Math.max(1, ...hours);
  const clock = (n: number): string => formatTime(new Date(since + n * HOUR).toISOString());
  return (
    <figure className={styles.hours}>
      <figcaption className="soft">Fotos und Videos je Stunde, höchstens {plural(Math.max(...hours), '1', '#')}</figcaption>
      <ol className="bare">
        {hours.map((count, n) => (
          <li key={clock(n)}>
            <span className="visually-hidden">
              ab {clock(n)} Uhr: {formatNumber(count)}
            </span>
            <span className={styles.bar} style={{ blockSize: `${(count / most) * 100}%` }} aria-hidden="true" />
          </li>
        ))}
      </ol>
      <div className={styles.scale} aria-hidden="true">
        <span>{clock(0)}</span>
        <span>jetzt</span>
      </div>
    </figure>
  );
}
