import { t } from '../../texts/guest/guest.ts';
import { Notice } from '../../ui/notice.tsx';
import type { FailureSummary } from './failures.ts';

/** Why photos were not stored, by cause, by name, and what to do; `partly`: others were. */
export function UploadFailures({ failures, partly = false }: { failures: readonly FailureSummary[]; partly?: boolean }) {
  if (failures.length === 0) return null;
  return (
    <Notice kind={partly ? 'warning' : 'error'}>
      {failures.map(({ text, advice, names, ids }) => (
        <span key={text + advice}>
          <strong>{text}</strong> {advice} {ids.length > 0 && t.status.requests(ids)}
          {names && <small> {names}</small>}
        </span>
      ))}
    </Notice>
  );
}
