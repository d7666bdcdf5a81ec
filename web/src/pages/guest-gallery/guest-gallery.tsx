import { ANONYMOUS, GALLERY_PRELOADED_PAGES, GUEST_GALLERY_REFRESH } from '@feierbild/contract/constants.ts';
import type { GuestEvent, Photo } from '@feierbild/contract/entities.ts';
import { Camera } from 'lucide-react';
import { useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { call, isRefusal, messageOf } from '../../api/client.ts';
import { deviceId } from '../../api/device-id.ts';
import { guestsOf, isAsked, ONLY, uploadTime, type Sort } from '../../gallery/grid/sorting.ts';
import { ToolSelect, ToolRow } from '../../gallery/grid/tool-row.tsx';
import type { PhotoActions } from '../../gallery/grid/photo-card.tsx';
import { PhotoGrid } from '../../gallery/grid/photo-grid.tsx';
import { Skeleton } from '../../gallery/grid/skeleton.tsx';
import { lazyViewer, usePreloadedViewer, ViewerLoader } from '../../gallery/viewer/viewer-loader.tsx';
import { useGallery } from '../../gallery/use-gallery.ts';
import { formatDay } from '../../lib/format.ts';
import { createLastChoice } from '../../lib/last-choice.ts';
import { createPhotoList } from '../../lib/photo-list.ts';
import { usePhotoList } from '../../lib/use-photo-list.ts';
import { galleryTexts } from '../../texts/guest/gallery.ts';
import { photoTexts } from '../../texts/guest/photo.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Headline } from '../../ui/headline.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { TitlePicture } from '../../ui/title-picture.tsx';
import { countsOf } from '../../video/counts.ts';
import styles from './guest-gallery.module.css';
import type { Visit } from './visit.ts';

const VIEWER = lazyViewer(() => import('./guest-viewer.tsx'));

interface GuestGalleryProps {
  code: string;
  event: GuestEvent;
  /** The visit, whose reader waits until the browser is let in. */
  visit: Visit;
  /** Called when the host has closed the gallery, or ended the session. */
  onClosed(): void;
}

/** The gallery of all guests: to view photos, give hearts, and find the own ones. */
export function GuestGallery({ code, event, visit, onClosed }: GuestGalleryProps) {
  const t = galleryTexts.gallery;
  const list = useMemo(() => createPhotoList(visit.reader), [visit]);
  const listed = usePhotoList(null, list, GUEST_GALLERY_REFRESH);
  const { photos, state, error, total, complete, failures } = listed;
  useEffect(() => void list.load(GALLERY_PRELOADED_PAGES), [list]);
  const ended = isRefusal(error, 'login_required', 'gallery_closed');
  useEffect(() => {
    if (ended) onClosed();
  }, [ended, onClosed]);
  const { change } = list;
  usePreloadedViewer(VIEWER, state === 'ready');
  // The total does not tell videos from photos.
  const isCounted = state === 'ready' && (complete || !event.with_videos);
  const grows = !complete && failures === 0;
  useLayoutEffect(() => {
    const { documentElement: root } = document;
    root.toggleAttribute('data-grows', grows);
    return () => root.removeAttribute('data-grows');
  }, [grows]);
  /** What kept the last heart or download from its photo; empty if nothing did. */
  const [trouble, setTrouble] = useState('');
  const { sort, order, shown, filter, isPartial, index, show, grid, onOpen, onReach, onSort, onFilter } = useGallery(list, listed);
  const give = useMemo(
    () => createLastChoice(sendHeart, (id, given: boolean) => change([id], { heart: given ? true : undefined } as Partial<Photo>)),
    [change],
  );
  const actions = useMemo(
    () =>
      ({
        onOpen,
        async onHeart({ id, heart = false }) {
          setTrouble('');
          try {
            await give(id, !heart, heart);
          } catch (caught) {
            console.error(caught);
            setTrouble(galleryTexts.gallery.notSent);
          }
        },
        // The full screen has the download.
        noDownload: true,
        onBroken: () => undefined,
      }) satisfies PhotoActions,
    [onOpen, give],
  );

  return (
    // There is no footer while the list grows, because arriving photos would push it away from its reader.
    <PageShell width="wide" footer={!grows}>
      <div className={styles.page}>
        {event.look?.title_picture && <TitlePicture src={event.look.title_picture} />}
        <header className={styles.head}>
          <div>
            <Headline translate="no">
              <bdi>{event.title}</bdi>
            </Headline>
            {event.look?.welcome && <p dir="auto">{event.look.welcome}</p>}
            <p className="soft">{isCounted ? photoTexts.counted(complete ? countsOf(photos) : { photos: total, videos: 0 }) : t.title}</p>
          </div>
          {event.with_user_upload && (
            <ButtonLink href={`/event/${code}`} look="secondary">
              <Camera size={20} /> {t.send}
            </ButtonLink>
          )}
        </header>
        {trouble && index < 0 && (
          <Notice kind="error" onDismiss={() => setTrouble('')}>
            {trouble}
          </Notice>
        )}
        {state === 'failed' && <Notice kind="error">{messageOf(error)}</Notice>}
        {state !== 'ready' && (
          <>
            <div className={styles.filterPlace} />
            <Skeleton />
          </>
        )}
        {state === 'ready' && complete && photos.length === 0 && (
          <div className={styles.empty}>
            <h2>{t.empty}</h2>
            <p>{t.emptyText}</p>
          </div>
        )}
        {photos.length > 0 && (
          <>
            <Filter photos={photos} total={total} asked={filter} sort={sort} onReach={onReach} onAsked={onFilter} onSort={onSort} />
            {isPartial && (
              <p className="soft" role="status">
                {t.loading(photos.length, total)}
              </p>
            )}
            <PhotoGrid
              handle={grid}
              complete={complete}
              photos={shown}
              order={order}
              guest={filter}
              selected={null}
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
          onShow={(id) => {
            if (id !== null) setTrouble('');
            show(id);
          }}
          // The full screen covers the page and its own notice.
          notice={trouble && <Notice kind="error">{trouble}</Notice>}
          onHeart={actions.onHeart}
          onDownload={(refusal) => setTrouble(refusal ? messageOf(refusal) : '')}
          code={code}
          downloads={event.gallery?.originals === true}
        />
      )}
    </PageShell>
  );
}

async function sendHeart(id: string, value: boolean): Promise<boolean> {
  const headers = { 'device-id': await deviceId() };
  return (await call('PUT /api/photos/:id/heart', { params: { id }, body: { value }, headers })).value;
}

interface FilterProps {
  photos: readonly Photo[];
  /** Number of photos in all. */
  total: number;
  asked: string;
  sort: Sort;
  /** Called when pointer or focus reaches the filter, which needs all photos. */
  onReach(): void;
  onAsked(asked: string): void;
  onSort(sort: Sort): void;
}

/** The choice of the shown photos and of their order. */
export function Filter({ photos, total, asked, sort, onReach, onAsked, onSort }: FilterProps) {
  const t = galleryTexts.gallery;
  const days = useMemo(() => [...new Set(photos.map((photo) => uploadTime(photo).slice(0, 10)))].sort(), [photos]);
  const guests = useMemo(() => [...guestsOf(photos).keys()].filter((name) => name !== ''), [photos]);
  const count = (which: string): number => photos.filter((photo) => isAsked(photo, which)).length;
  const [own, loved] = [count(ONLY.own), count(ONLY.hearts)];
  return (
    <ToolRow onReach={onReach}>
      <ToolSelect label={t.show} value={asked} onChange={onAsked}>
        <option value="">{t.all(total)}</option>
        {own > 0 && <option value={ONLY.own}>{t.own(own)}</option>}
        {(loved > 0 || asked === ONLY.hearts) && <option value={ONLY.hearts}>{t.loved(loved)}</option>}
        {days.length > 1 && (
          <optgroup label={t.days}>
            {days.map((day) => (
              <option key={day} value={ONLY.day(day)}>
                {formatDay(day)}
              </option>
            ))}
          </optgroup>
        )}
        {guests.length > 1 && (
          <optgroup label={t.guests}>
            {guests.map((name) => (
              <option key={name} value={name} translate="no" dir="auto">
                {name === ANONYMOUS ? t.unnamed : name}
              </option>
            ))}
          </optgroup>
        )}
      </ToolSelect>
      <ToolSelect label={t.sort} value={sort} onChange={(value) => onSort(value as Sort)}>
        <option value="oldest">{t.oldest}</option>
        <option value="newest">{t.newest}</option>
      </ToolSelect>
    </ToolRow>
  );
}
