import { GALLERY_PRELOADED_PAGES } from '@feierbild/contract/constants.ts';
import type { PhotosAfter } from '@feierbild/contract/entities.ts';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { call, isRefusal, messageOf } from '../../api/client.ts';
import { onReturn } from '../../lib/backoff.ts';
import { formatNumber } from '../../lib/format.ts';
import { createLastChoice } from '../../lib/last-choice.ts';
import { createPhotoList, decided, type Decided, type ListPage } from '../../lib/photo-list.ts';
import { throttle } from '../../lib/throttle.ts';
import { usePalette } from '../../lib/use-palette.ts';
import { usePhotoList } from '../../lib/use-photo-list.ts';
import { gallery } from '../../texts.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { checkSession } from '../../ui/download-link.tsx';
import { Headline } from '../../ui/headline.tsx';
import { eventQuery, HostGuard } from '../../ui/host-guard.tsx';
import { FailedPage, type Failure } from '../../ui/message-page.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { ZipBox } from '../../ui/zip/zip-box.tsx';
import { countsOf, photosAndVideos } from '../../video/counts.ts';
import styles from './host-gallery.module.css';
import { guestsOf, isAsked } from '../../gallery/grid/sorting.ts';
import type { PhotoActions } from '../../gallery/grid/photo-card.tsx';
import { PhotoGrid } from '../../gallery/grid/photo-grid.tsx';
import { Skeleton } from '../../gallery/grid/skeleton.tsx';
import { EmptyGallery } from './empty-gallery.tsx';
import { GalleryTools } from './gallery-tools.tsx';
import { SelectionBar } from './selection/selection-bar.tsx';
import { useSelection } from './selection/selection.ts';
import { lazyViewer, usePreloadedViewer, ViewerLoader } from '../../gallery/viewer/viewer-loader.tsx';
import { useGallery } from '../../gallery/use-gallery.ts';

const VIEWER = lazyViewer(() => import('./host-viewer.tsx'));

/** Pause between polls of the photos, in case no live changes arrive. */
const POLL_MS = 15_000;
/** Minimum pause between two reads of the hearts, which come without news. */
const HEARTS_PAUSE_MS = 60_000;
/** Most photos whose hearts are read at each return to the page: ten requests. */
const HEARTS_FREELY = 1000;

/** /gallery/{code}: all uploaded photos, for the host. */
export default function HostGalleryPage({ code }: { code: string }) {
  return (
    <HostGuard code={code} invalid={<Failed code={code} error={null} onRetry={() => window.location.reload()} />} Failed={Failed}>
      {(own) => <Gallery key={own} code={own} />}
    </HostGuard>
  );
}

/** Reads a page of the event's photos, oldest first. */
async function readPage(code: string, after: number, limit: number): Promise<ListPage<object>> {
  const query = { after, per_page: limit };
  const answer = (await call('GET /api/events/:ref/photos', { params: { ref: code }, query })) as PhotosAfter;
  return { ...answer, end: answer.photos.length < limit, beside: {} };
}

function Gallery({ code }: { code: string }) {
  const [list] = useState(() => createPhotoList({ page: (after, limit) => readPage(code, after, limit) }));
  const listed = usePhotoList(code, list, POLL_MS);
  const { photos, state, error, total, complete } = listed;
  useEffect(() => void list.load(GALLERY_PRELOADED_PAGES), [list]);
  const readHearts = useMemo(() => throttle(() => void list.news(null), HEARTS_PAUSE_MS), [list]);
  /** Reads the hearts of a list that takes few requests; of a long one the host asks for them. */
  const onBack = useEffectEvent(() => {
    if (photos.length <= HEARTS_FREELY) readHearts();
  });
  useEffect(() => onReturn(() => onBack()), []);
  useEffect(() => () => readHearts.cancel(), [readHearts]);
  const { change, remove } = list;
  usePreloadedViewer(VIEWER);
  const { data: event, refetch } = useQuery(eventQuery(code));
  usePalette(event?.look.palette);
  // While the list is incomplete, only the event knows the number of videos.
  useEffect(() => {
    if (!complete) void refetch({ cancelRefetch: false });
  }, [complete, total, refetch]);
  const videos = complete ? countsOf(photos).videos : Math.min(total, event?.storage.videos.count ?? 0);
  const counts = state === 'ready' ? { photos: total - videos, videos } : null;
  const guests = useMemo(() => guestsOf(photos), [photos]);
  const loved = useMemo(() => photos.filter(({ hearts }) => hearts !== undefined).length, [photos]);
  const { sort, order, shown, filter: guest, isPartial, index, show, grid, onOpen, onReach, onSort, onFilter } = useGallery(list, listed);
  const selection = useSelection(shown);
  const selectButton = useRef<HTMLButtonElement>(null);

  const { select } = selection;
  /** Whether the session was checked. */
  const checked = useRef(false);
  const toggle = useMemo(
    () =>
      createLastChoice(
        async (id, shown: Decided) => {
          await call('PUT /api/photos/:id/slideshow', { params: { id }, body: { value: shown.slideshow } });
          return shown;
        },
        (id, shown) => change([id], shown),
      ),
    [change],
  );
  const actions = useMemo(
    () =>
      ({
        onOpen,
        onSelect: select,
        onToggleSlideshow: ({ id, slideshow, waiting }) =>
          void toggle(id, decided(!slideshow), { slideshow, waiting }).catch((caught: unknown) => console.error(caught)),
        onBroken() {
          if (!checked.current) void checkSession();
          checked.current = true;
        },
      }) satisfies PhotoActions,
    [onOpen, select, toggle],
  );

  if (state === 'failed') return <Failed code={code} error={error} onRetry={() => void list.retry()} />;
  return (
    <PageShell
      width="wide"
      ownHeaderOnPhones
      footer={false}
      actions={
        <ButtonLink href={`/manage/${code}`} look="quiet">
          <ArrowLeft size={20} /> Übersicht
        </ButtonLink>
      }
    >
      <div className={`${styles.page} ${selection.ids ? styles.selecting : ''}`}>
        <header className={styles.head}>
          <div className={styles.title}>
            <ButtonLink href={`/manage/${code}`} look="quiet" className={styles.back ?? ''}>
              <ArrowLeft size={22} />
              <span className="visually-hidden">Übersicht</span>
            </ButtonLink>
            {event ? <Headline translate="no">{event.title}</Headline> : <Headline>Galerie</Headline>}
            <p className="soft">{counts && photosAndVideos(counts)}</p>
          </div>
          <ZipBox code={code} counts={counts} previews={event ? event.previews.coming + event.previews.left : 0} />
        </header>
        {state === 'loading' && <Skeleton />}
        {state === 'ready' && photos.length === 0 && <EmptyGallery code={code} password={event?.user_upload_password ?? null} />}
        {photos.length > 0 && (
          <>
            <GalleryTools
              guests={guests}
              loved={loved}
              guest={guest}
              sort={sort}
              total={total}
              complete={complete}
              selecting={selection.ids !== null}
              selectButton={selectButton}
              onReach={() => {
                onReach();
                readHearts();
              }}
              onGuest={(name) => {
                onFilter(name);
                // Hidden photos must not be deleted.
                selection.restrict((photo) => isAsked(photo, name));
              }}
              onSort={onSort}
              onSelecting={selection.ids ? selection.leave : selection.start}
            />
            {isPartial && (
              <p className="soft" role="status">
                Fotos werden geladen: {formatNumber(photos.length)} von {formatNumber(total)}
              </p>
            )}
            {/* The bar stands before the photos, so that Tab reaches it first. */}
            {selection.ids && <SelectionBar code={code} selection={selection} list={list} returnFocus={selectButton} />}
            <PhotoGrid
              handle={grid}
              complete={complete}
              photos={shown}
              order={order}
              guest={guest}
              selected={selection.ids}
              list={list}
              actions={actions}
            />
          </>
        )}
      </div>
      {index >= 0 && (
        <ViewerLoader
          viewer={VIEWER}
          photos={shown}
          index={index}
          onShow={show}
          onToggleSlideshow={actions.onToggleSlideshow}
          onDeleted={remove}
        />
      )}
    </PageShell>
  );
}

/** The failed gallery; `error` is null if the address contains no event code. */
function Failed({ code, error, onRetry }: Failure) {
  const found = error !== null && !isRefusal(error, 'event_not_found', 'event_inactive');
  return (
    <FailedPage title={found ? gallery.failed : gallery.notFound} error={error} onRetry={onRetry}>
      {found ? (
        <p>{messageOf(error, gallery.fallback)}</p>
      ) : (
        <p>
          Zum Code <strong>{code}</strong> ließ sich keine Galerie öffnen.
        </p>
      )}
    </FailedPage>
  );
}
