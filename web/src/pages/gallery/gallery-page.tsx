import { GALLERY_LOAD_DISTANCE } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { ArrowLeft } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef } from 'react';
import { call, goToLogin, messageOf } from '../../api/client.ts';
import { formatDay, plural } from '../../lib/format.ts';
import { gallery } from '../../texts.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { HostGuard } from '../../ui/host-guard.tsx';
import { MessagePage } from '../../ui/message-page.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import styles from './gallery.module.css';
import { columnsFor, layoutGallery, withinView } from './masonry.ts';
import { PhotoCard } from './photo-card.tsx';
import { useOpenPhoto } from './use-open-photo.ts';
import { usePhotos } from './use-photos.ts';
import { useViewport } from './use-viewport.ts';
import { ZipBox } from './zip-box.tsx';

const PhotoViewer = lazy(() => import('./photo-viewer.tsx'));

/** /gallery/{code}: everything that guests uploaded, for the host. */
export default function GalleryPage({ code }: { code: string }) {
  return (
    <HostGuard code={code} invalid={<NotFound code={code} />}>
      {(own) => <Gallery key={own} code={own} />}
    </HostGuard>
  );
}

function Gallery({ code }: { code: string }) {
  const { photos, state, error, total, more, retry, change, remove } = usePhotos(code);
  const [shown, show] = useOpenPhoto();
  const checked = useRef(false);

  /** A picture that fails may mean that the session is over; one look tells for all of them. */
  const onBroken = useCallback((): void => {
    if (checked.current) return;
    checked.current = true;
    call('GET /auth/check').then(
      ({ authenticated }) => !authenticated && goToLogin(),
      () => undefined,
    );
  }, []);

  const mark = useCallback(
    async (photo: Photo): Promise<void> => {
      change(photo.id, { slideshow: !photo.slideshow });
      try {
        await call('PUT /api/photos/:id/slideshow', { params: { id: photo.id }, body: { value: !photo.slideshow } });
      } catch (caught) {
        console.error(caught);
        change(photo.id, { slideshow: photo.slideshow });
      }
    },
    [change],
  );

  if (state === 'failed') {
    const message = messageOf(error);
    if (/nicht gefunden|nicht aktiv/.test(message)) return <NotFound code={code} onRetry={retry} />;
    return (
      <MessagePage title={gallery.failed} actions={<Button onClick={retry}>Erneut versuchen</Button>}>
        <p>{message || gallery.fallback}</p>
      </MessagePage>
    );
  }
  const index = photos.findIndex(({ id }) => id === shown);
  return (
    <PageShell
      footer={false}
      actions={
        <ButtonLink href={`/manage/${code}`} look="quiet">
          <ArrowLeft size={20} aria-hidden="true" /> Übersicht
        </ButtonLink>
      }
    >
      <div className={styles.page}>
        <header className={styles.head}>
          <div>
            <h1 tabIndex={-1}>Galerie</h1>
            {state === 'ready' && <p className={styles.soft}>{plural(total, '1 Foto', '# Fotos')}</p>}
          </div>
          <ZipBox code={code} photos={total} />
        </header>
        {state === 'loading' && <Skeleton />}
        {state === 'ready' && photos.length === 0 && (
          <div className={styles.empty}>
            <h2>Noch keine Fotos</h2>
            <p>Teilen Sie den Code mit Ihren Gästen. Was sie hochladen, erscheint hier von selbst.</p>
            <ButtonLink href={`/manage/${code}`}>Event teilen</ButtonLink>
          </div>
        )}
        {photos.length > 0 && <Masonry photos={photos} onMore={more} onOpen={show} onMark={mark} onBroken={onBroken} />}
      </div>
      {index >= 0 && (
        <Suspense fallback={null}>
          <PhotoViewer photos={photos} index={index} onShow={show} onMark={mark} onDeleted={remove} />
        </Suspense>
      )}
    </PageShell>
  );
}

interface MasonryProps {
  photos: readonly Photo[];
  onMore(): void;
  onOpen(id: string): void;
  onMark(photo: Photo): void;
  onBroken(): void;
}

/** Only what is near the window is in the document; the rest is arithmetic. */
function Masonry({ photos, onMore, onOpen, onMark, onBroken }: MasonryProps) {
  const ref = useRef<HTMLDivElement>(null);
  const { from, to, width, windowWidth } = useViewport(ref);
  const columns = columnsFor(windowWidth);
  const layout = useMemo(() => layoutGallery(photos, columns, width), [photos, columns, width]);
  const nearEnd = width > 0 && layout.height - to < GALLERY_LOAD_DISTANCE;

  useEffect(() => {
    if (nearEnd) onMore();
  }, [nearEnd, onMore, photos.length]);

  const [first, last] = [from - GALLERY_LOAD_DISTANCE, to + GALLERY_LOAD_DISTANCE];
  return (
    <div ref={ref} className={styles.masonry} style={{ height: layout.height }}>
      {width > 0 && (
        <>
          {layout.days
            .filter(({ top }) => top > first - GALLERY_LOAD_DISTANCE && top < last)
            .map(({ day, top, count }) => (
              <h2 key={day} className={styles.day} style={{ top }}>
                {formatDay(day)} <span className={styles.soft}>{plural(count, '1 Foto', '# Fotos')}</span>
              </h2>
            ))}
          {withinView(layout.photos, first, last).map((place) => (
            <PhotoCard key={place.photo.id} place={place} onOpen={onOpen} onMark={onMark} onBroken={onBroken} />
          ))}
        </>
      )}
    </div>
  );
}

function Skeleton() {
  return (
    <div className={styles.skeleton} role="status">
      <span className="visually-hidden">Fotos werden geladen</span>
      {Array.from({ length: 10 }, (_, n) => (
        <div key={n} />
      ))}
    </div>
  );
}

function NotFound({ code, onRetry }: { code: string; onRetry?: () => void }) {
  return (
    <MessagePage title={gallery.notFound} actions={<Button onClick={onRetry ?? (() => window.location.reload())}>Erneut versuchen</Button>}>
      <p>
        Zum Code <strong>{code}</strong> ließ sich keine Galerie öffnen.
      </p>
    </MessagePage>
  );
}
