import { formatNumber } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { counted } from './counted.ts';
import { idsOf } from './failures.ts';
import { RequestIds } from './request-ids.tsx';
import { isMissing, isOwed, isUnsent, type Item } from './selection.ts';
import type { QueueState } from './queue-state.ts';
import type { Videos } from './video/use-videos.ts';
import styles from './upload-status.module.css';

interface UploadStatusProps extends QueueState {
  videos: Videos | null;
  onStop(): void;
}

/** What is true at this moment of the photos' way: how many are safe, what they wait for, and whether the page may be closed. */
export function UploadStatus({ items, running, waiting, elsewhere, cloud, videos, onStop }: UploadStatusProps) {
  const stored = items.filter(({ state }) => state === 'stored').length;
  const unsent = items.filter((item) => (item.released || item.earlier) && isUnsent(item));
  const missing = items.filter(isMissing);
  const paused = !running && !waiting && unsent.some(({ earlier }) => earlier);
  const safe = `${formatNumber(stored)} von ${formatNumber(items.length)} sicher gespeichert.`;
  return (
    <>
      {cloud && <Notice kind="info">Ihr Handy lädt die Dateien erst aus der Cloud.</Notice>}
      {missing.length > 0 && (
        <Notice kind="warning">
          <strong>{counted(videos, missing, '1 Foto bitte noch einmal auswählen.', '# Fotos bitte noch einmal auswählen.')}</strong>
          <span>Dieses Gerät hat {missing.length === 1 ? 'es' : 'sie'} nicht mehr.</span>
          {unsent.length === 0 && <Stop onStop={onStop} />}
        </Notice>
      )}
      {unsent.length > 0 && (
        <Notice kind={waiting || paused ? 'warning' : 'info'} permanent={running && !waiting}>
          {waiting && (
            <span>
              <strong>Wartet auf {isServersFault(items) ? 'den Server' : 'Netz'} – geht von selbst weiter.</strong>{' '}
              <RequestIds ids={idsOf(items.flatMap((item) => (isOwed(item) && item.failure ? [item.failure] : [])))} />
            </span>
          )}
          {paused && <strong>{counted(videos, unsent, '1 Foto ist', '# Fotos sind')} noch nicht hochgeladen.</strong>}
          <span>
            {safe} {paused ? '' : unsent.every(({ kept }) => kept) ? KEPT : OPEN}
          </span>
          <Stop onStop={onStop} />
        </Notice>
      )}
      {elsewhere && elsewhere.total > 0 && (
        <Notice kind="info">
          In einem anderen Fenster: {formatNumber(elsewhere.stored)} von {formatNumber(elsewhere.total)} sicher gespeichert.
        </Notice>
      )}
    </>
  );
}

const OPEN = 'Bitte diese Seite offen lassen.';
const KEPT = 'Wird die Seite geschlossen, geht es beim nächsten Öffnen weiter.';

function Stop({ onStop }: { onStop(): void }) {
  return (
    <Button look="quiet" className={styles.stop} onClick={onStop}>
      Nicht weiter hochladen
    </Button>
  );
}

/** The network is there: what failed last was answered by the server. */
function isServersFault(items: readonly Item[]): boolean {
  const codes = items.filter(isOwed).flatMap(({ failure }) => (failure ? [failure.code] : []));
  return codes.length > 0 && !codes.includes('no_connection');
}
