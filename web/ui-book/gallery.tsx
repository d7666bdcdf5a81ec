import type { Photo, ZipStatus } from '@feierbild/contract/entities.ts';
import type { Sort } from '../src/gallery/grid/sorting.ts';
import { EmptyGallery } from '../src/pages/host-gallery/empty-gallery.tsx';
import { GalleryTools } from '../src/pages/host-gallery/gallery-tools.tsx';
import { Skeleton } from '../src/gallery/grid/skeleton.tsx';
import { PhotoCard } from '../src/gallery/grid/photo-card.tsx';
import { Scrubber } from '../src/gallery/grid/scrubber.tsx';
import PhotoViewer from '../src/pages/host-gallery/host-viewer.tsx';
import { SelectionBar } from '../src/pages/host-gallery/selection/selection-bar.tsx';
import { NO_ZIP, ZipPanel, type ZipState } from '../src/ui/zip/zip-box.tsx';
import styles from './book.module.css';
import { Stateful } from './stateful.tsx';
import { LONG_NAME, samplePhoto } from './samples.ts';
import { leave, nothing, type Group } from './state.ts';
import { VideoDownload } from '../src/video/video-download.tsx';
import { VideoPlayer } from '../src/video/video-player.tsx';

function card(photo: Photo, selected: boolean | null) {
  return (
    <div className={styles.photos}>
      <PhotoCard
        place={{ photo, index: 0, left: 0, top: 0, width: 280, height: 210 }}
        selected={selected}
        reachable
        actions={{ onOpen: nothing, onSelect: nothing, onToggleSlideshow: nothing, onBroken: nothing }}
      />
    </div>
  );
}

function zip(status: ZipStatus, change: Partial<ZipState> = {}, photos = 1234, previews = 0) {
  const counts = { photos, videos: 0 };
  return (
    <ZipPanel zip={{ ...NO_ZIP, ...change, status }} counts={counts} previews={previews} href="#" onMake={nothing} onRefused={nothing} />
  );
}

function tools(guests: Map<string, number>, selecting: boolean) {
  return (
    <Stateful initial="">
      {(guest, setGuest) => (
        <Stateful<Sort> initial="oldest">
          {(sort, setSort) => (
            <GalleryTools
              loved={0}
              guests={guests}
              guest={guest}
              sort={sort}
              total={1_234_567}
              complete
              selecting={selecting}
              selectButton={null}
              onReach={nothing}
              onGuest={setGuest}
              onSort={setSort}
              onSelecting={nothing}
            />
          )}
        </Stateful>
      )}
    </Stateful>
  );
}

function bar(count: number) {
  return (
    <SelectionBar
      code="K7MQ2XWA"
      selection={{ photos: Array.from({ length: count }, (_, n) => samplePhoto(n)), restrict: nothing, leave: nothing }}
      list={{ change: nothing, remove: nothing }}
      returnFocus={{ current: null }}
    />
  );
}

function sampleVideo(n: number, change: Partial<NonNullable<Photo['video']>> = {}) {
  const video = { url: '/_ui/film.webm', type: 'video/webm', codecs: 'vp9,opus', duration_ms: 72_000, ...change };
  return { ...samplePhoto(n, { filename: 'VID_1007.webm' }), video };
}

const VIEWED = [1, 2, 3].map((n) => samplePhoto(n, { device: { name: LONG_NAME } }));

const SCALE_LABELS = Array.from({ length: 12 }, (_, n) => {
  const hour = (16 + n) % 24;
  return { top: n * 1600, time: `2026-05-${n < 8 ? 16 : 17}T${String(hour).padStart(2, '0')}:00:00`, day: n === 0 || n === 8 };
});

export const gallery: Group = {
  id: 'galerie',
  title: 'Galerie',
  states: [
    {
      id: 'scrubber',
      name: 'Zeitleiste',
      alone: true,
      show: (
        <Scrubber
          height={20_000}
          from={6000}
          to={6900}
          scaleLabels={SCALE_LABELS}
          time="2026-05-16T22:14:00"
          complete
          onReach={nothing}
          onScrub={nothing}
        />
      ),
    },
    { id: 'zip-empty', name: 'ZIP, noch keine Fotos', show: zip('idle', {}, 0) },
    { id: 'zip-idle', name: 'ZIP, noch keins', show: zip('idle') },
    { id: 'zip-processing-start', name: 'ZIP, beginnt', show: zip('processing') },
    { id: 'zip-processing', name: 'ZIP, zu 40 % erstellt', show: zip('processing', { progress: 40 }) },
    { id: 'zip-complete', name: 'ZIP, fertig', show: zip('complete', { size: 4_700_000_000, zip_age: 200 }) },
    {
      id: 'zip-complete-older',
      name: 'ZIP, fertig, mit neuen Fotos seitdem',
      show: zip('complete', { size: 987_600_000_000, zip_age: 500_000, new_photos: 12_345 }),
    },
    {
      id: 'zip-previews',
      name: 'ZIP, von zwölf Fotos nur die Vorschau',
      show: zip('complete', { size: 4_700_000_000, zip_age: 200 }, 1234, 12),
    },
    { id: 'zip-only-previews', name: 'ZIP, nur Vorschauen', show: zip('idle', {}, 0, 1) },
    { id: 'zip-unreadable', name: 'ZIP, ein Original unlesbar', show: zip('idle', { unreadable: 1 }) },
    { id: 'zip-damaged', name: 'ZIP, zwei Originale beschädigt', show: zip('complete', { damaged: 2 }) },
    { id: 'zip-failed', name: 'ZIP, fehlgeschlagen', show: zip('failed') },
    { id: 'gallery-tools', name: 'Filter und Sortierung', show: tools(new Map([['Anna', 12]]), false) },
    {
      id: 'gallery-tools-selecting',
      name: 'Filter und Sortierung, beim Auswählen, mit langem Namen',
      show: tools(
        new Map([
          [LONG_NAME, 1_234_567],
          ['Anonym', 0],
        ]),
        true,
      ),
    },
    { id: 'photo-card', name: 'Foto', show: card(samplePhoto(3), null) },
    { id: 'photo-card-hidden', name: 'Foto, nicht in der Slideshow', show: card(samplePhoto(4, { slideshow: false }), null) },
    { id: 'photo-card-selectable', name: 'Foto, beim Auswählen', show: card(samplePhoto(5, { slideshow: false }), false) },
    { id: 'photo-card-selected', name: 'Foto, ausgewählt', show: card(samplePhoto(6), true) },
    { id: 'photo-card-announced', name: 'Foto, Original folgt', show: card(samplePhoto(8, { state: 'announced' }), null) },
    {
      id: 'photo-card-unreadable',
      name: 'Foto, Original unlesbar, beim Auswählen',
      show: card(samplePhoto(9, { state: 'unreadable', slideshow: false }), true),
    },
    { id: 'photo-card-replaced', name: 'Foto, Vorschau ersetzt', show: card(samplePhoto(10, { replaced: true }), null) },
    { id: 'photo-card-video', name: 'Video', show: card(sampleVideo(7), null) },
    { id: 'video-player', name: 'Video, zum Abspielen', show: <VideoPlayer photo={sampleVideo(7)} label="Video von Anna" /> },
    {
      id: 'video-player-refused',
      name: 'Video, das dieser Browser nicht abspielen kann',
      show: (
        <VideoPlayer
          photo={sampleVideo(7, { codecs: 'none' })}
          label="Video von Anna"
          download={<VideoDownload photo={sampleVideo(7)} />}
        />
      ),
    },
    { id: 'gallery-loading', name: 'Galerie, wird geladen', show: <Skeleton /> },
    { id: 'gallery-empty', name: 'Galerie, leer', show: <EmptyGallery code="K7MQ2XWA" password="tanzen" /> },
    { id: 'selection-bar-none', name: 'Auswahl: nichts', alone: true, show: bar(0) },
    { id: 'selection-bar-one', name: 'Auswahl: ein Foto', alone: true, show: bar(1) },
    { id: 'selection-bar-many', name: 'Auswahl: 1.234 Fotos', alone: true, show: bar(1234) },
    { id: 'selection-bar-too-many', name: 'Auswahl: mehr, als in ein ZIP passen', alone: true, show: bar(20_001) },
    {
      id: 'photo-viewer',
      name: 'Foto, groß',
      alone: true,
      show: (
        <Stateful initial={1}>
          {(index, show) => (
            <PhotoViewer
              photos={VIEWED}
              index={index}
              onShow={(id) => (id === null ? leave() : show(VIEWED.findIndex((photo) => photo.id === id)))}
              onToggleSlideshow={nothing}
              onDeleted={nothing}
            />
          )}
        </Stateful>
      ),
    },
  ],
};
