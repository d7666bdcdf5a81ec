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
  /** How often it is read again, ms. */
  pollMs?: number;
  /** `readAt`, ms since 1970. */
  children(event: HostEvent, readAt: number, readAgain: () => Promise<unknown>): ReactNode;
}

const FailedHere = ({ error, onRetry }: Failure) => <FailedPage title={dashboard.failed} error={error} onRetry={onRetry} />;

/** A page for the host of an event, in its colours, once the event is there. */
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
