import { shortReason, UploadFailures } from '../src/pages/event/failures.tsx';
import { MyPhotos, PhotoDialog } from '../src/pages/event/my-photos.tsx';
import { PhotoTile } from '../src/pages/event/photo-tile.tsx';
import grid from '../src/pages/event/photo-tile.module.css';
import { ReportLink } from '../src/pages/event/report-link.tsx';
import type { Failure, Item } from '../src/pages/event/item.ts';
import { UploadBar } from '../src/pages/event/upload-bar.tsx';
import { UploadStatus } from '../src/pages/event/upload-status.tsx';
import styles from './book.module.css';
import { Stateful } from './stateful.tsx';
import { LONG_WORD, picture, sampleItem, samplePhoto } from './samples.ts';
import { leave, nothing, type Group } from './state.ts';

function tile(change: Partial<Item>, { drawn = true, locked = false, resends = false } = {}) {
  return (
    <div className={grid.grid} style={{ margin: 0 }}>
      <PhotoTile
        item={sampleItem('1', { thumbnail: drawn ? picture(20) : null, ...change })}
        reason={change.failure ? shortReason(change.failure) : null}
        locked={locked}
        resends={resends}
        onRemove={nothing}
      />
    </div>
  );
}

const failed = (code: Failure['code'], count: number): Item[] =>
  Array.from({ length: count }, (_, n) =>
    sampleItem(`${code}-${n}`, { state: 'refused', failure: { code, message: 'Fehler', requestId: `0a1b2c3${n}` } }),
  );

const FAILURES = [
  ...failed('too_large', 1),
  ...failed('not_a_photo', 1234),
  ...failed('storage_full', 2),
  ...failed('upload_disabled', 1),
  ...failed('no_connection', 12),
  ...failed('internal', 3),
];

function bar(items: Item[], { running = false, consent = false, seenBy = '' } = {}) {
  return (
    <Stateful initial={consent}>
      {(given, set) => (
        <UploadBar
          items={items}
          takesVideos={false}
          seenBy={seenBy}
          running={running}
          consent={given}
          ready
          onConsent={set}
          onStart={nothing}
          more={items.every(({ state }) => state === 'stored') && items.length > 0 && <></>}
        />
      )}
    </Stateful>
  );
}

const waiting = Array.from({ length: 1234 }, (_, n) => sampleItem(String(n)));
const halfway = waiting.map((item, n): Item => (n < 600 ? { ...item, state: 'stored' } : item));
const sent = waiting.map((item): Item => ({ ...item, state: 'stored' }));

/** Shows the status of twelve items: six are stored, the others have the fields in `change`. */
function status(change: Partial<Item>, state: Partial<Parameters<typeof UploadStatus>[0]> = {}) {
  const items = Array.from({ length: 12 }, (_, n) => sampleItem(String(n), n < 6 ? { state: 'stored' } : { submitted: true, ...change }));
  return (
    <UploadStatus
      items={items}
      phase="idle"
      trouble={null}
      elsewhere={null}
      cloud={false}
      silent={0}
      ended={null}
      onStop={nothing}
      {...state}
    />
  );
}
const NO_NETWORK = { failure: { code: 'no_connection', message: '' } } as const;
const LOST = { state: 'lost', earlier: true, failure: { code: 'unreadable', message: '' } } as const;

export const guest: Group = {
  id: 'gast',
  title: 'Gast',
  states: [
    { id: 'tile-drawing', name: 'Kachel, noch ohne Bild', show: tile({}, { drawn: false }) },
    { id: 'tile-waiting', name: 'Kachel, ausgewählt', show: tile({}) },
    { id: 'tile-heic', name: 'Kachel, HEIC', show: tile({ name: 'IMG_2002.HEIC' }, { drawn: false }) },
    { id: 'tile-starting', name: 'Kachel, beginnt', show: tile({ state: 'sending' }, { locked: true }) },
    { id: 'tile-progress', name: 'Kachel, zu 60 % gesendet', show: tile({ state: 'sending', progress: 0.6 }, { locked: true }) },
    { id: 'tile-announced', name: 'Kachel, Original folgt', show: tile({ announced: true, submitted: true }, { locked: true }) },
    {
      id: 'tile-announced-progress',
      name: 'Kachel, Original zu 60 % gesendet',
      show: tile({ announced: true, state: 'sending', progress: 0.6 }, { locked: true }),
    },
    { id: 'tile-done', name: 'Kachel, fertig', show: tile({ state: 'stored', progress: 1 }) },
    {
      id: 'tile-failed',
      name: 'Kachel, fehlgeschlagen',
      show: tile({
        state: 'refused',
        name: `${LONG_WORD}.jpg`,
        failure: { code: 'not_a_photo', message: 'Kein lesbares Bild.' },
      }),
    },
    {
      id: 'tile-resends',
      name: 'Kachel, geht von selbst weiter',
      show: tile({ submitted: true, failure: { code: 'no_connection', message: '' } }, { resends: true }),
    },
    {
      id: 'upload-failures',
      name: 'Was nicht ging, nach Ursachen',
      show: <UploadFailures items={FAILURES} waiting={false} partly={false} onPassword={nothing} />,
    },
    { id: 'status-running', name: 'Hochladen: Seite offen lassen', show: status({ state: 'sending' }, { phase: 'sending' }) },
    { id: 'status-kept', name: 'Hochladen: auf dem Gerät behalten', show: status({ kept: true }, { phase: 'sending' }) },
    {
      id: 'status-waiting',
      name: 'Hochladen: wartet auf Netz',
      show: status({ kept: true, ...NO_NETWORK }, { phase: 'waiting', trouble: 'line' }),
    },
    {
      id: 'status-server',
      name: 'Hochladen: wartet auf den Server',
      show: status({ failure: { code: 'unavailable', message: '', requestId: '9f3c01ab' } }, { phase: 'waiting', trouble: 'server' }),
    },
    { id: 'status-paused', name: 'Hochladen: von einem früheren Besuch', show: status({ earlier: true, kept: true }) },
    { id: 'status-missing', name: 'Hochladen: nicht mehr auf dem Gerät', show: status(LOST) },
    {
      id: 'status-elsewhere',
      name: 'Hochladen: in einem anderen Fenster',
      show: status({}, { items: [], elsewhere: { stored: 6, total: 1234 } }),
    },
    { id: 'status-cloud', name: 'Hochladen: das Handy lädt erst', show: status({ submitted: false }, { items: [], cloud: true }) },
    {
      id: 'my-photos',
      name: 'Meine Fotos',
      show: (
        <div className={styles.narrow}>
          <MyPhotos
            photos={[1, 2, 3, 4].map((n) => samplePhoto(n))}
            fresh={new Set([samplePhoto(1).id])}
            locked={false}
            onRemove={async () => undefined}
          />
        </div>
      ),
    },
    { id: 'report-link', name: 'Foto melden', show: <ReportLink code="K7MQ2XWA" locked={false} /> },
    { id: 'report-link-locked', name: 'Foto melden, während hochgeladen wird', show: <ReportLink code="K7MQ2XWA" locked /> },
    { id: 'upload-bar-empty', name: 'Hochladen: nichts ausgewählt', alone: true, show: bar([]) },
    { id: 'upload-bar-asking', name: 'Hochladen: Zustimmung fehlt', alone: true, show: bar(waiting) },
    {
      id: 'upload-bar-seen',
      name: 'Hochladen: alle Gäste sehen es',
      alone: true,
      show: bar(waiting, { seenBy: 'Alle Gäste sehen sofort, was hier hochgeladen wird.' }),
    },
    { id: 'upload-bar-ready', name: 'Hochladen: bereit', alone: true, show: bar(waiting, { consent: true }) },
    { id: 'upload-bar-running', name: 'Hochladen: läuft', alone: true, show: bar(halfway, { consent: true, running: true }) },
    { id: 'upload-bar-done', name: 'Hochladen: fertig', alone: true, show: bar(sent, { consent: true }) },
    {
      id: 'dialog-photo',
      name: 'Dialog: eigenes Foto',
      alone: true,
      show: (
        <PhotoDialog
          photo={samplePhoto(1, { filename: `${LONG_WORD}.jpg` })}
          videos={null}
          cookieless={null}
          onClose={leave}
          onRemove={async () => undefined}
        />
      ),
    },
  ],
};
