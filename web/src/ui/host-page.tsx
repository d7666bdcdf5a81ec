import type { HostEvent } from '@feierbild/contract/entities.ts';
import { useQuery } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import { VISITOR_RETRY_MS } from '../lib/backoff.ts';
import { usePalette } from '../lib/use-palette.ts';
import { dashboard } from '../texts.ts';
import { eventQuery, HostGuard } from './host-guard.tsx';
import { FailedPage, type Failure } from './message-page.tsx';
import { Waiting } from './spinner.tsx';

interface HostPageProps {
  code: string;
  /** Shown where the event could not be read. */
  Failed?: ComponentType<Failure>;
  /** Pause between two reads of the event, ms. */
  pollMs?: number;
  /** `readAt`: time of the last read, ms since 1970. */
  children(event: HostEvent, readAt: number, readAgain: () => Promise<unknown>): ReactNode;
}

const FailedHere = ({ error, onRetry }: Failure) => <FailedPage title={dashboard.failed} error={error} onRetry={onRetry} />;

/** A page for the host of an event, in the event's colours, once the event was read. */
export function HostPage({ code, Failed = FailedHere, ...page }: HostPageProps) {
  return (
    <HostGuard code={code} Failed={Failed}>
      {(own) => <Read {...page} code={own} Failed={Failed} />}
    </HostGuard>
  );
}

function Read({ code, Failed, pollMs, children }: HostPageProps & { Failed: ComponentType<Failure> }) {
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    ...eventQuery(code),
    refetchInterval: ({ state }) => (state.data ? (pollMs ?? false) : VISITOR_RETRY_MS),
  });
  usePalette(data?.look.palette);
  if (data) return children(data, dataUpdatedAt, refetch);
  return error ? <Failed code={code} error={error} onRetry={() => void refetch()} /> : <Waiting />;
}
