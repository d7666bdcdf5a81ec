import { Notice } from '../../ui/notice.tsx';
import type { FailureSummary } from './failures.ts';
import { RequestIds } from './request-ids.tsx';

/** Why photos were not stored, by cause, and what to do. */
export function UploadFailures({ failures }: { failures: readonly FailureSummary[] }) {
  if (failures.length === 0) return null;
  return (
    <Notice kind="error">
      {failures.map(({ text, advice, ids }) => (
        <span key={text + advice}>
          <strong>{text}</strong> {advice} <RequestIds ids={ids} />
        </span>
      ))}
    </Notice>
  );
}
