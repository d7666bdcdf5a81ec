import { ANONYMOUS, CONTROLS_HIDE, SLIDESHOW_MIN_PHOTOS } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { Images } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError, messageOf } from '../../api/client.ts';
import { recall, remember } from '../../lib/storage.ts';
import { keepAwake } from '../../lib/wake-lock.ts';
import { slideshow } from '../../texts.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { HostGuard } from '../../ui/host-guard.tsx';
import { MessagePage } from '../../ui/message-page.tsx';
import { Controls, Invitation } from './controls.tsx';
import { ordered } from './order.ts';
import styles from './slideshow.module.css';
import { usePhotoList } from './use-photo-list.ts';
import { useShow, type Show } from './use-show.ts';

type Shown = Show['shown'];

/** How long a new photo is named as such, ms. */
const NEW_MS = 4_000;
/** What shows the controls, besides a key. */
const SIGNS_OF_LIFE = ['mousemove', 'touchstart', 'focusin', 'focusout'] as const;

/** /slideshow/{code}: photos for the projector. */
export default function SlideshowPage({ code }: { code: string }) {
  return (
    <div className={styles.room}>
      <HostGuard
        code={code}
        invalid={<MessagePage title={slideshow.notFound} />}
        failed={(error, onRetry) => <Failed error={error} onRetry={onRetry} />}
        locked={(own) => <Slideshow code={own} locked />}
      >
        {(own) => <Slideshow code={own} locked={false} />}
      </HostGuard>
    </div>
  );
}

function Slideshow({ code, locked }: { code: string; locked: boolean }) {
  const { photos: list, random, error, readAll } = usePhotoList(code);
  const [seed] = useState(() => String(Math.random()));
  const photos = useMemo(() => (list ? ordered(list, random ? seed : null) : []), [list, random, seed]);
  useEffect(() => keepAwake(), []);
  if (error && (!list || isRefusal(error))) return <Failed error={error} onRetry={readAll} />;
  if (!list) return <div className={styles.stage} role="status" aria-label="Slideshow wird geladen" />;
  if (photos.length < SLIDESHOW_MIN_PHOTOS) {
    return (
      <MessagePage
        title={slideshow.almost}
        icon={<Images size={30} aria-hidden="true" />}
        actions={
          <ButtonLink href={locked ? unlockPage(code) : `/gallery/${code}`}>{locked ? 'Sperre aufheben' : 'Zur Galerie'}</ButtonLink>
        }
      >
        <p>{slideshow.add.replace('n/5', `${photos.length}/5`)}</p>
        <p>Sobald genug Fotos in der Slideshow sind, beginnt sie von selbst. In der Galerie nehmen Sie Fotos hinein oder heraus.</p>
      </MessagePage>
    );
  }
  return <Stage code={code} photos={photos} locked={locked} />;
}

function Failed({ error, onRetry }: { error: Error; onRetry(): void }) {
  const notFound = messageOf(error) === slideshow.notFound;
  return (
    <MessagePage title={notFound ? slideshow.notFound : slideshow.oops} actions={<Button onClick={onRetry}>Erneut versuchen</Button>}>
      {!notFound && <p>{messageOf(error)}</p>}
    </MessagePage>
  );
}

/** Refused by the server, not lost on the network: the running slideshow ends. */
function isRefusal(error: Error): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500;
}

/** The pictures on black, and the controls over them. */
function Stage({ code, photos, locked }: { code: string; photos: readonly Photo[]; locked: boolean }) {
  const [, navigate] = useLocation();
  const [playing, setPlaying] = useState(true);
  const [active, setActive] = useState(true);
  const [inviting, setInviting] = useState(() => recall('slideshowQr') === 'true');
  const { shown, step } = useShow(photos, playing);
  const { layers, settle } = useLayers(shown);
  /** As `active`, but without waiting for a render: the press after the first movement meets what that movement brought. */
  const hidden = useRef(false);
  /** The press began while the controls were hidden: it only shows them. */
  const bringing = useRef(false);

  useEffect(() => {
    let timer = 0;
    const wake = (): void => {
      hidden.current = false;
      setActive(true);
      clearTimeout(timer);
      timer = window.setTimeout(hide, CONTROLS_HIDE);
    };
    // Never while the keyboard's focus is on them. A clicked button keeps the focus too, but not a visible one.
    const hide = (): void => {
      hidden.current = !document.activeElement?.matches('button:focus-visible');
      setActive(!hidden.current);
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
    for (const name of SIGNS_OF_LIFE) window.addEventListener(name, wake);
    window.addEventListener('keydown', keys);
    return () => {
      clearTimeout(timer);
      for (const name of SIGNS_OF_LIFE) window.removeEventListener(name, wake);
      window.removeEventListener('keydown', keys);
    };
  }, [step]);

  function toggleQr(): void {
    remember('slideshowQr', String(!inviting));
    setInviting(!inviting);
  }

  return (
    <main
      className={styles.stage}
      data-active={active}
      onPointerDownCapture={() => (bringing.current = hidden.current)}
      onClickCapture={(event) => {
        // A keyboard's click has no detail.
        if (bringing.current && event.detail > 0) event.stopPropagation();
      }}
    >
      <h1 className="visually-hidden" tabIndex={-1}>
        Slideshow
      </h1>
      {layers.map(({ photo, place, image, isNew }) => (
        <div key={photo.id} className={styles.layer} onAnimationEnd={(event) => event.target === event.currentTarget && settle(photo.id)}>
          <img className={styles.fill} src={photo.preview_url} alt="" aria-hidden="true" />
          {/* The layer below is about to go. */}
          <Picture image={image} alt={photo.id === shown?.photo.id ? `Foto ${place + 1} von ${photos.length}` : ''} />
          {isNew && photo.id === shown?.photo.id && <NewPill name={photo.device.name} />}
        </div>
      ))}
      {inviting && <Invitation code={code} />}
      <Controls
        playing={playing}
        inviting={inviting}
        locked={locked}
        onStep={step}
        onPlay={() => setPlaying(!playing)}
        onInvite={toggleQr}
        onLeave={() => navigate(locked ? unlockPage(code) : `/manage/${code}`)}
      />
    </main>
  );
}

/** What is drawn: the photo on the wall, above the one before until it has faded in, so that the wall never gets dark. */
function useLayers(shown: Shown): { layers: readonly NonNullable<Shown>[]; settle(id: string): void } {
  const [below, setBelow] = useState<Shown>(null);
  const [last, setLast] = useState<Shown>(shown);
  if (last !== shown && (last?.photo.id !== shown?.photo.id || last?.place !== shown?.place)) {
    if (last?.photo.id !== shown?.photo.id) setBelow(shown && last);
    setLast(shown);
  }
  const settle = useCallback((id: string) => setBelow((before) => (before?.photo.id === id ? before : null)), []);
  return { layers: [below, shown].filter((layer) => layer !== null), settle };
}

/** Says for a moment that a photo is new; the locked wall is told no name, and guests need not give one. */
function NewPill({ name }: { name: string }) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), NEW_MS);
    return () => clearTimeout(timer);
  }, []);
  if (over) return null;
  return <p className={styles.pill}>{name && name !== ANONYMOUS ? `Neu von ${name}` : 'Neu'}</p>;
}

/** Shows the image element that was loaded: another one with its address might need the network again. */
function Picture({ image, alt }: { image: HTMLImageElement; alt: string }) {
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => hang(frame.current, image, alt), [image, alt]);
  return <div ref={frame} />;
}

function hang(frame: HTMLElement | null, image: HTMLImageElement, alt: string): void {
  image.alt = alt;
  image.className = styles.photo ?? '';
  // Moving it without need would load it once more in some browsers.
  if (image.parentNode !== frame) frame?.replaceChildren(image);
}

/** Only the host's login leads out of a locked slideshow. */
function unlockPage(code: string): string {
  return `/login?redirect=${encodeURIComponent(`/manage/${code}`)}`;
}
