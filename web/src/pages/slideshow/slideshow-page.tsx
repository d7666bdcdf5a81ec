import { CONTROLS_HIDE, SLIDESHOW_MIN_PHOTOS, SLIDESHOW_REFRESH } from '@feierbild/contract/constants.ts';
import type { Photo, SlideshowChanges, SlideshowPage as Page } from '@feierbild/contract/entities.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { call, isRefusal } from '../../api/client.ts';
import { createPhotoList, type ListReader } from '../../lib/photo-list.ts';
import { recall, remember } from '../../lib/storage.ts';
import { usePalette } from '../../lib/use-palette.ts';
import { usePhotoList } from '../../lib/use-photo-list.ts';
import { keepAwake } from '../../lib/wake-lock.ts';
import { slideshow } from '../../texts.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Headline } from '../../ui/headline.tsx';
import { HostGuard } from '../../ui/host-guard.tsx';
import { FailedPage, MessagePage, type Failure } from '../../ui/message-page.tsx';
import { Controls, Invitation } from './controls.tsx';
import { Layer } from './layer.tsx';
import { favourites, ordered } from './order.ts';
import styles from './slideshow.module.css';
import { useHearts } from './use-hearts.ts';
import { useShow, type Slide } from './use-show.ts';
import waiting from './waiting-for-photos.module.css';

/** With too few photos the page polls for more this often, ms. */
const WAITING_REFRESH_MS = 10_000;
/** What shows the controls, besides a key. */
const SIGNS_OF_LIFE = ['mousemove', 'touchstart', 'focusin', 'focusout'] as const;

/** /slideshow/{code}: photos for the projector; with `?lieblinge` a round of those that guests gave hearts. */
export default function SlideshowPage({ code }: { code: string }) {
  return (
    <div className={styles.room}>
      <HostGuard
        code={code}
        invalid={<MessagePage title={slideshow.notFound} />}
        Failed={Failed}
        locked={(own) => <Slideshow code={own} locked />}
      >
        {(own) => <Slideshow code={own} locked={false} />}
      </HostGuard>
    </div>
  );
}

function Slideshow({ code, locked }: { code: string; locked: boolean }) {
  const [list] = useState(() => createPhotoList(readerOf(code), { shownOnly: true }));
  const enough = list.current().photos.length >= SLIDESHOW_MIN_PHOTOS;
  const { photos: unordered, facts, complete, error } = usePhotoList(code, list, enough ? SLIDESHOW_REFRESH : WAITING_REFRESH_MS, true);
  // Before all of them were loaded, none can be shown: those of a later page would look new.
  useEffect(() => void list.all(), [list]);
  const [seed] = useState(() => String(Math.random()));
  const random = facts?.random === true;
  // Hearts are the host's alone to know.
  const loved = new URLSearchParams(useSearch()).has('lieblinge') && !locked;
  const photos = useMemo(() => ordered(unordered, random ? seed : null), [unordered, random, seed]);
  useEffect(() => keepAwake(), []);
  usePalette(facts && (facts.palette ?? null));
  // A running slideshow ends by these words of the server alone: whatever else goes wrong passes.
  const over = isRefusal(error, 'event_not_found', 'event_inactive', 'slideshow_disabled', 'gallery_closed', 'login_required');
  if (error && (!complete || over)) return <Failed code={code} error={error} onRetry={() => void list.retry()} />;
  if (!complete) return <Loading />;
  const named = facts?.names === true;
  if (loved) return <Favourites code={code} photos={unordered} named={named} />;
  if (photos.length < SLIDESHOW_MIN_PHOTOS) return <WaitingForPhotos code={code} photos={photos} locked={locked} />;
  return <Stage {...{ code, photos, named, locked }} loved={false} />;
}

const Loading = () => <div className={styles.stage} role="status" aria-label="Slideshow wird geladen" />;

/** A round of those that guests gave hearts, the most loved last. */
function Favourites({ code, photos, named }: Pick<StageProps, 'code' | 'photos' | 'named'>) {
  const { data, error, refetch } = useHearts(code);
  const loved = useMemo(() => favourites(photos, data ?? new Map<string, number>()), [photos, data]);
  if (error) return <Failed code={code} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  if (loved.length > 0) return <Stage {...{ code, named }} photos={loved} locked={false} loved />;
  return (
    <MessagePage title="Noch keine Lieblinge" actions={<ButtonLink href={`/slideshow/${code}`}>Alle Fotos zeigen</ButtonLink>}>
      <p>Sobald Gäste in der Galerie Herzen geben, läuft hier eine Runde mit diesen Fotos.</p>
    </MessagePage>
  );
}

function Failed({ error, onRetry }: Failure) {
  const notFound = isRefusal(error, 'event_not_found');
  return (
    <FailedPage title={notFound ? slideshow.notFound : slideshow.oops} error={error} onRetry={onRetry}>
      {notFound ? null : undefined}
    </FailedPage>
  );
}

interface StageProps {
  code: string;
  photos: readonly Photo[];
  named: boolean;
  locked: boolean;
  /** A round of favourites. */
  loved: boolean;
}

/** The pictures on black, and the controls over them. */
function Stage({ code, photos, named, locked, loved }: StageProps) {
  const [, navigate] = useLocation();
  const [playing, setPlaying] = useState(true);
  const [active, setActive] = useState(true);
  const [inviting, setInviting] = useState(() => recall('slideshowQr') === 'true');
  const { shown, step } = useShow(photos, playing);
  const { layers, settle } = useLayers(shown);
  const passOn = (id: string): void => void (playing && shown?.id === id && step(1));
  /** Whether the controls are hidden. A ref, because a press needs the value before React has rendered `active`. */
  const hidden = useRef(false);
  /** The current press began while the controls were hidden, so it only shows them. */
  const pressOnlyShows = useRef(false);

  useEffect(() => {
    let timer = 0;
    /** The focus was moved by Tab. (An arrow key makes the focus of a clicked button visible, too.) */
    let tabbed = false;
    const wake = (): void => {
      hidden.current = false;
      setActive(true);
      clearTimeout(timer);
      timer = window.setTimeout(hide, CONTROLS_HIDE);
    };
    // Never while the keyboard's focus is on them.
    const hide = (): void => {
      hidden.current = !(tabbed && document.activeElement?.matches('button:focus-visible'));
      setActive(!hidden.current);
    };
    const press = (): void => void (tabbed = false);
    const keys = (event: KeyboardEvent): void => {
      tabbed ||= event.key === 'Tab';
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
    window.addEventListener('pointerdown', press);
    return () => {
      clearTimeout(timer);
      for (const name of SIGNS_OF_LIFE) window.removeEventListener(name, wake);
      window.removeEventListener('keydown', keys);
      window.removeEventListener('pointerdown', press);
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
      onPointerDownCapture={() => (pressOnlyShows.current = hidden.current)}
      onClickCapture={(event) => {
        // A keyboard's click has no detail.
        if (pressOnlyShows.current && event.detail > 0) event.stopPropagation();
      }}
    >
      <Headline className="visually-hidden">Slideshow</Headline>
      {layers.map((slide) => (
        <Layer
          key={slide.id}
          slide={slide}
          total={slide.id === shown?.id ? photos.length : null}
          named={named}
          onShown={settle}
          onOver={passOn}
        />
      ))}
      {inviting && <Invitation code={code} inCorner />}
      <Controls
        playing={playing}
        inviting={inviting}
        locked={locked}
        onStep={step}
        onPlay={() => setPlaying(!playing)}
        onInvite={toggleQr}
        onAll={loved ? () => navigate(`/slideshow/${code}`) : null}
        onLeave={() => navigate(locked ? unlockPage(code) : `/manage/${code}`)}
      />
    </main>
  );
}

/** What is drawn: the current slide, above the one before until it has faded in, so that the screen never gets dark. */
function useLayers(shown: Slide | null): { layers: readonly Slide[]; settle(id: string): void } {
  const [below, setBelow] = useState<Slide | null>(null);
  const [last, setLast] = useState<Slide | null>(shown);
  if (last !== shown) {
    if (last?.id !== shown?.id) setBelow(shown && last);
    setLast(shown);
  }
  const settle = useCallback((id: string) => setBelow((before) => (before?.id === id ? before : null)), []);
  return { layers: [below, shown].filter((layer) => layer !== null), settle };
}

/** `names`: whether the photos have names. */
type Facts = Pick<Page, 'random' | 'names' | 'palette'>;

/** Asks for the photos in an event's slideshow. */
function readerOf(code: string): ListReader<Facts> {
  const ask = (query: { after: number } | { seq: number }): Promise<unknown> =>
    call('GET /api/events/:ref/slideshow', { params: { ref: code }, query });
  let named: boolean | null = null;
  return {
    async page(after) {
      const { photos, next, seq, random, names, palette } = (await ask({ after })) as Page;
      named = names;
      return { photos, next: next ?? after, end: next === null, seq, facts: { random, names, palette } };
    },
    async changes(since) {
      const { photos, gone, seq, random, names, palette } = (await ask({ seq: since })) as SlideshowChanges;
      // Switched on, the names of those that are here are missing; off, they must go.
      return gone === null || names !== named ? null : { photos, gone, seq, facts: { random, names, palette } };
    },
  };
}

/** Before the slideshow can begin: how guests get there, and a lamp that each photo which it needs lights. */
function WaitingForPhotos({ code, photos, locked }: { code: string; photos: readonly Photo[]; locked: boolean }) {
  return (
    <main className={waiting.page}>
      <Headline className={waiting.title}>{slideshow.almost}</Headline>
      <p className={waiting.count} aria-live="polite">
        {slideshow.add.replace('n/5', `${photos.length}/5`)}
      </p>
      <ul className={waiting.frames} aria-label="Fotos bis zum Anfang">
        {Array.from({ length: SLIDESHOW_MIN_PHOTOS }, (_, n) => (
          <li key={photos[n]?.id ?? n} className={photos[n] && waiting.filled}>
            {photos[n] ? <img src={photos[n].thumbnail_url} alt={`Foto ${n + 1}`} /> : <span className="visually-hidden">noch frei</span>}
          </li>
        ))}
      </ul>
      <Invitation code={code} />
      <p className={waiting.hint}>
        Sobald genug Fotos in der Slideshow sind, beginnt sie von selbst.
        {!locked && ' In der Galerie nehmen Sie Fotos hinein oder heraus.'}
      </p>
      <ButtonLink href={locked ? unlockPage(code) : `/gallery/${code}`} look="secondary">
        {locked ? 'Sperre aufheben' : 'Zur Galerie'}
      </ButtonLink>
    </main>
  );
}

/** Only the host's login leads out of a locked slideshow. */
function unlockPage(code: string): string {
  return `/login?redirect=${encodeURIComponent(`/manage/${code}`)}`;
}
