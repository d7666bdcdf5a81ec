import type { Gallery } from '@feierbild/contract/calls/gallery.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { PhotoCard } from '../src/gallery/grid/photo-card.tsx';
import { Filter } from '../src/pages/guest-gallery/guest-gallery.tsx';
import { NoEntry } from '../src/pages/guest-gallery/guest-gallery-page.tsx';
import { LinkDialog } from '../src/pages/manage/gallery-panel.tsx';
import { GallerySettings } from '../src/pages/manage/gallery-settings.tsx';
import { NoRelease } from '../src/pages/release/release-page.tsx';
import { ReleaseScreen } from '../src/pages/release/release-screen.tsx';
import { ApiError } from '../src/api/client.ts';
import styles from './book.module.css';
import { LONG_NAME, LONG_TITLE, samplePhoto } from './samples.ts';
import { leave, nothing, type Group } from './state.ts';

export const GALLERY: Gallery = {
  mode: 'drop',
  opens_at: null,
  photos_per_device: null,
  originals: false,
  own_meanwhile: true,
  wall_meanwhile: true,
  url: null,
  open: false,
  pending: 0,
};

const settings = (change: Partial<Gallery>) => (
  <GallerySettings
    event={{ code: 'K7MQ2XWA', end_date: '2099-05-17' }}
    gallery={{ ...GALLERY, ...change }}
    onClose={leave}
    onSaved={nothing}
  />
);

const card = (photo: Photo) => (
  <div className={styles.photos}>
    <PhotoCard
      place={{ photo, index: 0, left: 0, top: 0, width: 280, height: 210 }}
      selected={null}
      reachable
      actions={{ onOpen: nothing, onHeart: nothing, onBroken: nothing, noDownload: true }}
    />
  </div>
);

const release = (photo: Photo | null, left: number, canUndo = true) => (
  <ReleaseScreen
    photo={photo}
    sight="drawn"
    onSight={nothing}
    left={left}
    isCurrent
    sending={false}
    canUndo={canUndo}
    onDecide={nothing}
    onUndo={nothing}
    onAll={nothing}
  />
);

const PHOTOS = [
  samplePhoto(1, { own: true }),
  samplePhoto(2, { heart: true, device: { name: LONG_NAME } }),
  samplePhoto(3, { created_at: '2026-05-18T10:00:00.000Z', device: { name: 'Anonym' } }),
];

export const guestGallery: Group = {
  id: 'gaestegalerie',
  title: 'Gästegalerie und Freigabe',
  states: [
    { id: 'guest-card', name: 'Foto mit Herz zum Antippen', show: card(samplePhoto(1)) },
    { id: 'guest-card-loved', name: 'Foto, dem ein Herz gegeben wurde', show: card(samplePhoto(1, { heart: true })) },
    { id: 'guest-card-hearts', name: 'Foto mit den Herzen der Gäste', show: card(samplePhoto(1, { hearts: 1234 })) },
    {
      id: 'guest-filter',
      name: 'Filter für Gäste',
      show: <Filter photos={PHOTOS} total={3} asked="" sort="oldest" onReach={nothing} onAsked={nothing} onSort={nothing} />,
    },
    {
      id: 'guest-no-entry',
      name: 'Galerie ohne gültigen Link',
      alone: true,
      show: (
        <NoEntry
          code="K7MQ2XWA"
          event={{ title: LONG_TITLE, with_user_upload: true }}
          busy={false}
          error={new ApiError(401, 'invalid_credentials', '')}
          onRetry={nothing}
        />
      ),
    },
    { id: 'release-photo', name: 'Freigabe: ein Foto', alone: true, show: release(samplePhoto(1), 12) },
    {
      id: 'release-last',
      name: 'Freigabe: das letzte, mit langem Namen',
      alone: true,
      show: release(samplePhoto(2, { device: { name: LONG_NAME } }), 1, false),
    },
    { id: 'release-done', name: 'Freigabe: alles entschieden', alone: true, show: release(null, 0) },
    {
      id: 'release-no-entry',
      name: 'Freigabe ohne gültigen Link',
      alone: true,
      show: (
        <NoRelease
          code="K7MQ2XWA"
          event={{ title: LONG_TITLE }}
          error={new ApiError(401, 'login_required', '')}
          onRetry={nothing}
          onToken={nothing}
        />
      ),
    },
    { id: 'dialog-gallery-drop', name: 'Dialog: Briefkasten', alone: true, show: settings({}) },
    {
      id: 'dialog-gallery-reveal',
      name: 'Dialog: Enthüllung',
      alone: true,
      show: settings({ mode: 'reveal', photos_per_device: 24, url: '/galerie/K7MQ2XWA#x' }),
    },
    { id: 'dialog-gallery-open', name: 'Dialog: Offen', alone: true, show: settings({ mode: 'open', open: true, originals: true }) },
    {
      id: 'dialog-gallery-link',
      name: 'Dialog: Link für Gäste',
      alone: true,
      show: (
        <LinkDialog code="K7MQ2XWA" title={LONG_TITLE} url="/galerie/K7MQ2XWA#3fK9sQ2mVx7LpT4wZ8bN1c" onClose={leave} onRenewed={nothing} />
      ),
    },
  ],
};
