import {
  CONTROLS_HIDE,
  SLIDESHOW_INTERVAL,
  SLIDESHOW_MIN_PHOTOS,
  SLIDESHOW_PRELOAD,
  SLIDESHOW_REFRESH,
} from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, Maximize, Pause, Play, QrCode, X } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useLive } from '../../lib/use-live.ts';
import { call, messageOf } from '../../api/client.ts';
import { eventUrl } from '../../lib/event-url.ts';
import { recall, remember } from '../../lib/storage.ts';
import { slideshow } from '../../texts.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { HostGuard } from '../../ui/host-guard.tsx';
import { MessagePage } from '../../ui/message-page.tsx';
import { keepPosition, ordered } from './order.ts';
import styles from './slideshow.module.css';

/** With too few photos the page looks for more this often, ms. */
const WAITING_REFRESH = 10_000;

/** /slideshow/{code}: photos for the projector. */
export default function SlideshowPage({ code }: { code: string }) {
  return (
    <HostGuard code={code} invalid={<MessagePage title={slideshow.notFound} />}>
      {(own) => <Slideshow code={own} />}
    </HostGuard>
  );
}

function Slideshow({ code }: { code: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['slideshow', code],
    queryFn: () => call('GET /api/events/:ref/slideshow', { params: { ref: code } }),
    refetchInterval: ({ state }) => ((state.data?.photos.length ?? 0) < SLIDESHOW_MIN_PHOTOS ? WAITING_REFRESH : SLIDESHOW_REFRESH),
    refetchIntervalInBackground: true,
    retry: true,
  });
  useLive(code, () => void refetch());
  const [seed] = useState(() => String(Math.random()));
  const photos = useMemo(() => (data ? ordered(data.photos, data.random ? seed : null) : []), [data, seed]);
  if (!data && error) {
    const notFound = messageOf(error) === slideshow.notFound;
    return (
      <MessagePage
        title={notFound ? slideshow.notFound : slideshow.oops}
        actions={<Button onClick={() => void refetch()}>Erneut versuchen</Button>}
      >
        {!notFound && <p>{messageOf(error)}</p>}
      </MessagePage>
    );
  }
  if (!data) return <div className={styles.stage} role="status" aria-label="Slideshow wird geladen" />;
  if (data.photos.length < SLIDESHOW_MIN_PHOTOS) {
    return (
      <MessagePage title={slideshow.almost} actions={<ButtonLink href={`/gallery/${code}`}>Zur Galerie</ButtonLink>}>
        <p>{slideshow.add.replace('n', String(data.photos.length))}</p>
        <p>Sobald genug Fotos in der Slideshow sind, beginnt sie von selbst. In der Galerie nehmen Sie Fotos hinein oder heraus.</p>
      </MessagePage>
    );
  }
  return <Stage code={code} photos={photos} />;
}

/** One picture after the other; one that fails is passed over. */
function Stage({ code, photos }: { code: string; photos: readonly Photo[] }) {
  const [, navigate] = useLocation();
  const [shown, setShown] = useState({ photos, position: 0 });
  const [playing, setPlaying] = useState(true);
  const [active, setActive] = useState(true);
  const [inviting, setInviting] = useState(() => recall('slideshowQr') === 'true');
  const failures = useRef(0);
  // A fresh list came: the picture on the wall stays where it is still in it.
  if (shown.photos !== photos) setShown({ photos, position: keepPosition(shown.photos, shown.position, photos) });
  const { position } = shown;
  const { id, preview_url: current } = shown.photos[position] as Photo;

  const step = useCallback(
    (by: number) => setShown((before) => ({ ...before, position: (before.position + by + before.photos.length) % before.photos.length })),
    [],
  );

  // By the photo, not by its place: a fresh list does not make it stay longer.
  useEffect(() => {
    if (!playing) return;
    const timer = setTimeout(() => step(1), SLIDESHOW_INTERVAL);
    return () => clearTimeout(timer);
  }, [playing, id, step]);

  // The next pictures are in the browser's cache before their turn.
  useEffect(() => {
    const { photos: list, position: place } = shown;
    for (let n = 1; n <= Math.min(SLIDESHOW_PRELOAD, list.length - 1); n++)
      new Image().src = (list[(place + n) % list.length] as Photo).preview_url;
  }, [shown]);

  useEffect(() => {
    let timer = 0;
    const wake = (): void => {
      setActive(true);
      clearTimeout(timer);
      timer = window.setTimeout(() => setActive(false), CONTROLS_HIDE);
    };
    const keys = (event: KeyboardEvent): void => {
      wake();
      if (event.key === 'ArrowRight') step(1);
      if (event.key === 'ArrowLeft') step(-1);
      if (event.key === ' ' && !(event.target instanceof HTMLButtonElement)) {
        event.preventDefault();
        setPlaying((before) => !before);
      }
    };
    wake();
    for (const name of ['mousemove', 'touchstart', 'focusin'] as const) window.addEventListener(name, wake);
    window.addEventListener('keydown', keys);
    return () => {
      clearTimeout(timer);
      for (const name of ['mousemove', 'touchstart', 'focusin'] as const) window.removeEventListener(name, wake);
      window.removeEventListener('keydown', keys);
    };
  }, [step]);

  function toggleQr(): void {
    remember('slideshowQr', String(!inviting));
    setInviting(!inviting);
  }

  /** Where all have failed in a row the network is gone: then the clock goes on, not the error. */
  function skip(): void {
    failures.current += 1;
    if (failures.current < photos.length) step(1);
  }

  return (
    <main className={styles.stage} data-active={active}>
      <h1 className="visually-hidden" tabIndex={-1}>
        Slideshow
      </h1>
      <img key={`fill-${current}`} className={styles.fill} src={current} alt="" aria-hidden="true" />
      <img
        key={current}
        className={styles.photo}
        src={current}
        alt={`Foto ${position + 1} von ${photos.length}`}
        onLoad={() => (failures.current = 0)}
        onError={skip}
      />
      {inviting && (
        <div className={styles.invitation}>
          <QRCodeSVG className={styles.qr} value={eventUrl(code)} title="QR-Code zum Event" />
          <span>{code}</span>
        </div>
      )}
      <div className={styles.controls}>
        <Control label="Vorheriges Foto" onClick={() => step(-1)} icon={<ChevronLeft aria-hidden="true" />} />
        <Control
          label={playing ? 'Pause' : 'Weiter'}
          onClick={() => setPlaying(!playing)}
          icon={playing ? <Pause aria-hidden="true" /> : <Play aria-hidden="true" />}
        />
        <Control label="Nächstes Foto" onClick={() => step(1)} icon={<ChevronRight aria-hidden="true" />} />
        <Control label={inviting ? 'QR-Code ausblenden' : 'QR-Code einblenden'} onClick={toggleQr} icon={<QrCode aria-hidden="true" />} />
        <Control
          label="Vollbild"
          onClick={() => void document.documentElement.requestFullscreen?.().catch(() => undefined)}
          icon={<Maximize aria-hidden="true" />}
        />
        <Control label="Slideshow beenden" onClick={() => navigate(`/manage/${code}`)} icon={<X aria-hidden="true" />} />
      </div>
    </main>
  );
}

function Control({ label, icon, onClick }: { label: string; icon: ReactNode; onClick(): void }) {
  return (
    <button type="button" aria-label={label} title={label} onClick={onClick}>
      {icon}
    </button>
  );
}
