import type { ReactNode } from 'react';
import { messageOf } from '../api/client.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { Waiting } from './spinner.tsx';

interface LoadedProps<Data> {
  query: { data: Data | undefined; error: unknown; refetch(): Promise<unknown> };
  /** Omits the sign of waiting, for a part among others. */
  isQuiet?: boolean;
  children(data: Data): ReactNode;
}

/** The reason why a query failed, and a button to repeat it. */
export function Failed({ error, onRetry }: { error: unknown; onRetry(): void }) {
  return (
    <Notice kind="error">
      <span>{messageOf(error)}</span>
      <span>
        <Button look="secondary" onClick={onRetry}>
          Erneut versuchen
        </Button>
      </span>
    </Notice>
  );
}

/** The result of a query, a sign of waiting, or the failure with a button to repeat it. An earlier result stays visible. */
export function Loaded<Data>({ query: { data, error, refetch }, isQuiet = false, children }: LoadedProps<Data>) {
  return (
    <>
      {error !== null && <Failed error={error} onRetry={() => void refetch()} />}
      {data !== undefined && children(data)}
      {data === undefined && error === null && !isQuiet && <Waiting />}
    </>
  );
}
