import { t } from '../../texts/guest/guest.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { isMissing, isOwed, isStored, isUnsent } from './item.ts';
import { isRunning, isStuck, type QueueState } from './machine.ts';
import { idsOf, kindsOf } from './queue/selection.ts';
import styles from './upload-form.module.css';

interface UploadStatusProps extends Pick<QueueState, 'items' | 'phase' | 'trouble' | 'elsewhere' | 'cloud' | 'silent'> {
  onStop(): void;
}

/**
 * What is true at this moment of the photos' way: how many are safe, what they wait for, and whether the page may be closed. Notes: what
 * of it has to be heard says the page's live region.
 */
export function UploadStatus({ onStop, ...state }: UploadStatusProps) {
  const { items, trouble, elsewhere, cloud, silent } = state;
  const stuck = trouble !== null && isStuck(state);
  const unsent = items.filter((item) => (item.released || item.earlier) && isUnsent(item));
  const shown = unsent.filter(({ announced }) => announced).length;
  const missing = items.filter(isMissing);
  const paused = !isRunning(state) && !stuck && unsent.some(({ earlier }) => earlier);
  const ids = idsOf(items.flatMap((item) => (isOwed(item) && item.failure ? [item.failure] : [])));
  return (
    <>
      {cloud && <Notice kind="info">{t.status.cloud}</Notice>}
      {missing.length > 0 && (
        <Notice kind="warning">
          <strong>{t.status.chooseAgain(kindsOf(missing))}</strong>
          <span>{t.status.gone(missing.length)}</span>
          {unsent.length === 0 && <Stop onStop={onStop} />}
        </Notice>
      )}
      {unsent.length > 0 && (
        <Notice kind={stuck || paused ? 'warning' : 'info'} permanent>
          {stuck && (
            <span>
              <strong>{t.status.stuck[trouble]}</strong> {ids.length > 0 && t.status.requests(ids)}
            </span>
          )}
          {paused && <strong>{t.status.paused(kindsOf(unsent))}</strong>}
          <span>
            {t.status.safe(items.filter(isStored).length, items.length)} {shown > 0 && `${t.status.shown(shown)} `}
            {paused ? '' : unsent.every(({ kept }) => kept) ? t.status.mayClose : t.status.stayOpen}
          </span>
          <Stop onStop={onStop} />
        </Notice>
      )}
      {silent && (
        <Notice kind="warning" permanent>
          <strong>{t.status.stuck.device}</strong>
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

function Stop({ onStop }: { onStop(): void }) {
  return (
    <Button look="quiet" className={styles.stop} onClick={onStop}>
      {t.status.stop}
    </Button>
  );
}
