import type { HostEvent } from '@feierbild/contract/entities.ts';
import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import { isJoinable } from '@feierbild/contract/event-status.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Camera, Images, Lock, LogOut, MonitorPlay, QrCode, Sparkles } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import { Fragment, useMemo, useRef, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { call, isRefusal } from '../../api/client.ts';
import { galleryQuery } from '../../gallery/gallery-query.ts';
import { createLastChoice } from '../../lib/last-choice.ts';
import { eventPath, useEventUrl } from '../../lib/event-url.ts';
import { formatDays, formatInstant } from '../../lib/format.ts';
import type { LiveNews } from '../../lib/live.ts';
import { useLive } from '../../lib/use-live.ts';
import { dashboard } from '../../texts.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Headline } from '../../ui/headline.tsx';
import { HostPage } from '../../ui/host-page.tsx';
import { FailedPage, type Failure } from '../../ui/message-page.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { TitlePicture } from '../../ui/title-picture.tsx';
import { Switch } from '../../ui/switch.tsx';
import { Thumbnail } from '../../ui/thumbnail.tsx';
import { useAction } from '../../ui/use-form.ts';
import { ZipBox } from '../../ui/zip/zip-box.tsx';
import { countsIn } from '../../video/counts.ts';
import styles from './dashboard.module.css';
import { DeletionReceipt } from './deletion-receipt.tsx';
import { GalleryPanel } from './gallery-panel.tsx';
import { LookPanel } from './look-panel.tsx';
import { ProgramAccess } from './program-access.tsx';
import { helperQuery, Release } from './release.tsx';
import { ORDERS, phaseOf, type Part } from './phases.ts';
import { DeletionNotice, KeyFigures, GuestsNotice, PhotoStrip, ReleaseNotice, StorageNotice, useNewest } from './overview.tsx';
import { LockDialog, ShareDialog } from './dialogs.tsx';

/** Pause between reads of the event, in case no live changes arrive. */
const POLL_MS = 30_000;

/** /manage/{code}: the host's dashboard; /manage leads to the own event or to the login. */
export default function ManagePage({ code }: { code: string }) {
  return (
    <HostPage code={code} Failed={Failed} pollMs={POLL_MS}>
      {(event, readAt, readAgain) => <Dashboard event={event} now={readAt} onChanged={readAgain} />}
    </HostPage>
  );
}

function Failed({ code, error, onRetry }: Failure) {
  const address = useEventUrl()(code);
  if (!isRefusal(error, 'event_not_found')) return <FailedPage title={dashboard.failed} error={error} onRetry={onRetry} />;
  return (
    <FailedPage title={`${dashboard.notFound}: ${cleanEventCode(code)}`} error={error} onRetry={onRetry}>
      <QRCodeSVG value={address} size={150} marginSize={2} title="QR-Code zum Event" />
      <p>{address}</p>
    </FailedPage>
  );
}

/**
 * The host's most important things on one screen: photos, storage, sharing, gallery. `now` is the time at which the event was read, ms
 * since 1970; `onChanged` reads it again.
 */
function Dashboard({ event, now, onChanged }: { event: HostEvent; now: number; onChanged(): Promise<unknown> }) {
  const { code, title, subtitle, with_slideshow, with_user_upload, user_upload_password, password_reset_at } = event;
  const { welcome, title_picture } = event.look;
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  // A change of the event may be another phone's, which has replaced or ended a link that is shown here.
  const linksOf = (news: LiveNews | null) => (!news || news.wall ? [galleryQuery(code), helperQuery(code)] : []);
  useLive(code, (news) => {
    const links = linksOf(news).map(({ queryKey }) => queries.invalidateQueries({ queryKey }));
    return Promise.all([onChanged(), ...links]);
  });
  const [sharing, setSharing] = useState(false);
  // The choice stays for the next guest who is shown the code.
  const [withPassword, setWithPassword] = useState(false);
  const [locking, setLocking] = useState(false);
  // A failed logout must be shown, because the person may leave the computer.
  const { failure, run, forget } = useAction();
  const uploads = with_user_upload && isJoinable(event, now);
  const counts = countsIn(event);
  const previews = event.previews.coming + event.previews.left;
  /** The counts shown to the host, which include previews. */
  const shown = { ...counts, photos: counts.photos + previews };
  const photos = shown.photos + shown.videos;
  const newest = useNewest(code, shown);
  /** Returns a picture for a tile; not one of the newest, with which the strip begins. */
  const readable = newest?.filter(({ state }) => state !== 'unreadable');
  const picture = (place: number): string | undefined => (readable?.[place + 5] ?? readable?.at(-1 - place))?.thumbnail_url;

  async function logout(): Promise<void> {
    await call('POST /auth/logout', { body: { role: 'user' } });
    queries.clear();
    navigate('/login');
  }

  async function seeReset(): Promise<void> {
    await call('POST /api/events/:ref/reset-notice', { params: { ref: code } });
    await onChanged();
  }

  /** The page's sections, by name. */
  const parts: Record<Part, ReactNode> = {
    newest: photos > 0 && <PhotoStrip href={`/gallery/${code}`} counts={shown} newest={newest} />,
    figures: <KeyFigures event={event} now={now} />,
    zip: photos > 0 && <ZipBox code={code} counts={counts} previews={previews} />,
    invite: (
      <div className={styles.share}>
        <div>
          <h2>Gäste einladen</h2>
          <p className="soft">
            Code{' '}
            <strong translate="no" className={styles.code}>
              {code}
            </strong>
            {user_upload_password && (
              <>
                , Passwort <strong translate="no">{user_upload_password}</strong>
              </>
            )}
          </p>
        </div>
        <Button onClick={() => setSharing(true)}>
          <QrCode size={20} /> Teilen
        </Button>
      </div>
    ),
    cards: (
      <nav className={styles.cards} aria-label="Bereiche">
        <LinkCard
          href={eventPath(code, { password: user_upload_password })}
          icon={<Camera />}
          title="Hochladen"
          picture={picture(0)}
          enabled={uploads}
        >
          {with_user_upload ? 'Eigene Fotos hinzufügen' : 'Uploads sind ausgeschaltet'}
        </LinkCard>
        <LinkCard href={`/gallery/${code}`} icon={<Images />} title="Galerie" picture={picture(1)} enabled>
          Alle Fotos ansehen und auswählen
        </LinkCard>
        <LinkCard href={`/slideshow/${code}`} icon={<MonitorPlay />} title="Slideshow" picture={picture(2)} enabled={with_slideshow}>
          {with_slideshow ? 'Auf dem Beamer zeigen' : 'Die Slideshow ist ausgeschaltet'}
        </LinkCard>
      </nav>
    ),
    look: <LookPanel event={event} onChanged={onChanged} />,
    gallery: <GalleryPanel event={event} />,
    wall: with_slideshow && (
      <div className={styles.projector}>
        <div>
          <h2>Laptop am Beamer</h2>
          <p className="soft">Zeigt nur die Slideshow. Niemand kommt von dort an Ihre Galerie.</p>
        </div>
        <ButtonLink look="secondary" href={`/manage/${code}/leinwand`}>
          <MonitorPlay size={20} /> Fernbedienung
        </ButtonLink>
        <Button look="secondary" onClick={() => setLocking(true)}>
          <Lock size={20} /> Slideshow starten und sperren
        </Button>
      </div>
    ),
    switches: (
      <section className={styles.switches}>
        <h2>Einstellungen</h2>
        <EventSwitch label="Slideshow in zufälliger Reihenfolge" event={event} name="random_slideshow" onChanged={onChanged} />
        <EventSwitch label="Namen der Gäste in der Slideshow" event={event} name="slideshow_names" onChanged={onChanged} />
        <Release event={event} onChanged={onChanged} />
        <Switch label="NSFW-Filter" hint={dashboard.nsfw} checked={event.with_nsfw_check} disabled />
      </section>
    ),
  };

  return (
    <PageShell
      actions={
        <Button look="quiet" onClick={() => void run(logout)}>
          <LogOut size={20} /> Abmelden
        </Button>
      }
    >
      <div className={styles.page}>
        {title_picture && <TitlePicture src={title_picture} />}
        <header className={styles.head}>
          <Headline translate="no">{title}</Headline>
          {subtitle && (
            <p translate="no" className="soft">
              {subtitle}
            </p>
          )}
          <p className="soft">{formatDays(event.start_date, event.end_date)}</p>
          {welcome && <p>{welcome}</p>}
        </header>
        {failure && (
          <Notice kind="error" onDismiss={forget}>
            {failure}
          </Notice>
        )}
        {password_reset_at && (
          <Notice kind="warning">
            <span>Ihr Passwort wurde am {formatInstant(password_reset_at)} durch den Betreiber zurückgesetzt</span>
            <span>
              <Button look="secondary" onClick={() => void run(seeReset)}>
                Verstanden
              </Button>
            </span>
          </Notice>
        )}
        <ReleaseNotice event={event} />
        <GuestsNotice event={event} now={now} />
        <DeletionNotice event={event} now={now} />
        <StorageNotice event={event} />
        {ORDERS[phaseOf(event, now)].map((part) => (
          <Fragment key={part}>{parts[part]}</Fragment>
        ))}
        <ProgramAccess code={code} />
        <DeletionReceipt event={event} />
        <div className={`${styles.soon} ${styles.off}`} aria-disabled="true">
          <Sparkles size={20} />
          <h2>{dashboard.comingSoon}</h2>
        </div>
      </div>
      {locking && <LockDialog code={code} onClose={() => setLocking(false)} />}
      {sharing && <ShareDialog {...{ event, withPassword, setWithPassword, onChanged }} onClose={() => setSharing(false)} />}
    </PageShell>
  );
}

interface LinkCardProps {
  href: string;
  icon: ReactNode;
  title: string;
  /** Address of a photo behind the icon; without it the icon stands on plain colour. */
  picture?: string | undefined;
  enabled: boolean;
  children: ReactNode;
}

/** The link to one of the event's pages; grey if the page is off. */
export function LinkCard({ href, icon, title, picture, enabled, children }: LinkCardProps) {
  const content = (
    <>
      <span className={styles.picture}>
        {picture && <Thumbnail key={picture} src={picture} alt="" decoding="async" />}
        <span className={styles.disc}>{icon}</span>
      </span>
      <h2>{title}</h2>
      <p className="soft">{children}</p>
    </>
  );
  return enabled ? (
    <a href={href} className={styles.card}>
      {content}
    </a>
  ) : (
    <div className={`${styles.card} ${styles.off}`} aria-disabled="true">
      {content}
    </div>
  );
}

interface EventSwitchProps {
  label: string;
  event: HostEvent;
  name: 'random_slideshow' | 'slideshow_names';
  onChanged(): Promise<unknown>;
}

/** A switch of the slideshow. */
function EventSwitch({ label, event, name, onChanged }: EventSwitchProps) {
  /** The last choice, until the event was read with it. */
  const [wished, setWished] = useState<boolean | null>(null);

  const { code } = event;
  const choose = useMemo(
    () =>
      createLastChoice(
        async (ref, value: boolean) => (await call(`PUT /api/events/:ref/${name}`, { params: { ref }, body: { value } })).value,
        (_, value) => setWished(value),
      ),
    [name],
  );
  const presses = useRef(0);

  async function set(value: boolean): Promise<void> {
    const press = ++presses.current;
    // Specified: errors of the slideshow are only logged. The switch returns to the stored value.
    await choose(code, value, !value).catch((error: unknown) => console.error(error));
    await onChanged();
    // The host may have pressed it again meanwhile.
    if (press === presses.current) setWished(null);
  }

  return <Switch label={label} checked={wished ?? event[`with_${name}`]} onChange={(value) => void set(value)} />;
}
