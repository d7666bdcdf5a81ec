import { t } from '../../texts/guest/guest.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { isAtRisk, isMissing, isOwed, isStored, isUnsent } from './item.ts';
import { SILENCES, isRunning, isStuck, type QueueState } from './machine.ts';
import { idsOf, kindsOf } from './queue/selection.ts';
import styles from './upload-form.module.css';

interface UploadStatusProps extends Pick<QueueState, 'items' | 'phase' | 'trouble' | 'elsewhere' | 'cloud' | 'silent' | 'ended'> {
  onStop(): void;
}

/**
 * Shows the state of the upload: the number of safe photos, the obstacles of the others, and whether the page may be closed. Screen
 * readers hear the page's live region (Announcer) instead.
 */
export function UploadStatus({ onStop, ...state }: UploadStatusProps) {
  const { items, trouble, elsewhere, cloud, silent, ended } = state;
  const stuck = trouble !== null && isStuck(state);
  /** Items that the page tells of: those that were chosen just now are beside it. */
  const told = items.filter(({ submitted, earlier }) => submitted || earlier);
  const unsent = told.filter(isUnsent);
  const shown = unsent.filter(({ announced }) => announced).length;
  const missing = items.filter(isMissing);
  /** Whether the device still has the missing photos, and may give them to the next page. */
  const silenced = missing.every(({ earlier }) => !earlier);
  const paused = !isRunning(state) && !stuck && unsent.some(({ earlier }) => earlier);
  /** Whether nothing is wrong. */
  const calm = !stuck && !paused && missing.length === 0;
  const keptSafe = ended !== 'removing' && !unsent.some(isAtRisk);
  // Photos that have to be chosen again do not continue by themselves.
  const staying = paused || (keptSafe && missing.length > 0) ? '' : keptSafe ? t.status.mayClose : t.status.stayOpen;
  const ids = idsOf(items.flatMap((item) => (isOwed(item) && item.failure ? [item.failure] : [])));
  const stop = (
    <Button look="quiet" className={styles.stop} onClick={onStop}>
      {t.status.stop}
    </Button>
  );
  return (
    <>
      {cloud && <Notice kind="info">{t.status.cloud}</Notice>}
      {ended && unsent.length === 0 && <Notice kind="info">{t.status.ended[ended]}</Notice>}
      {(missing.length > 0 || unsent.length > 0) && (
        <Notice kind={calm ? 'info' : 'warning'} permanent={missing.length === 0}>
          {missing.length > 0 && (
            <span>
              <strong>{t.status.chooseAgain(kindsOf(missing))}</strong>{' '}
              <span>{silenced ? t.failed.device_silent : t.status.gone(missing.length)}</span>
            </span>
          )}
          {stuck && (
            <span>
              <strong>{t.status.stuck[trouble]}</strong> <span>{ids.length > 0 && t.status.requests(ids)}</span>
            </span>
          )}
          {paused && <strong>{t.status.paused(kindsOf(unsent))}</strong>}
          {shown > 0 && <Headline isFirst={calm}>{t.status.shown(shown)}</Headline>}
          {unsent.length > 0 && (
            <span>
              <Headline isFirst={calm && shown === 0}>{t.status.safe(told.filter(isStored).length, told.length)}</Headline>{' '}
              <span>{staying}</span>
            </span>
          )}
          {calm ? (
            <details className={styles.more}>
              <summary>{t.status.more}</summary>
              {stop}
            </details>
          ) : (
            stop
          )}
        </Notice>
      )}
      {silent > 0 && (
        <Notice kind="warning" permanent>
          <strong>{silent < SILENCES ? t.status.stuck.device : t.status.silent}</strong>
          {silent >= SILENCES && silent < Infinity && <span>{t.failed.device_silent}</span>}
        </Notice>
      )}
      {elsewhere && elsewhere.total > 0 && (
        <Notice kind="info" permanent>
          {t.status.elsewhere(elsewhere.stored, elsewhere.total)}
        </Notice>
      )}
    </>
  );
}

/** A sentence, which is the note's headline if it is the first one and nothing is wrong. */
function Headline({ isFirst, children }: { isFirst: boolean; children: string }) {
  return isFirst ? <strong>{children}</strong> : <span>{children}</span>;
}
