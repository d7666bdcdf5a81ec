import { cleanEventCode, isEventCode } from '@feierbild/contract/event-code.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { call, goToLogin } from '../api/client.ts';
import { dashboard } from '../texts.ts';
import { ButtonLink } from './button.tsx';
import { VISITOR_RETRY_MS } from '../lib/backoff.ts';
import { Queries } from '../lib/queries.tsx';
import { useWhileTyped } from '../lib/typed-guard.ts';
import { MessagePage, type Failure } from './message-page.tsx';
import { Waiting } from './spinner.tsx';

/** Reads the event as its host sees it. */
export function eventQuery(code: string) {
  return queryOptions({ queryKey: ['event', code], queryFn: () => call('GET /api/events/:ref', { params: { ref: code } }) });
}

interface HostGuardProps {
  code: string;
  /** Shown where the address contains no event code; by default a page that leads to the host's own event. */
  invalid?: ReactNode;
  /** Shown while the server does not say who the visitor is; the attempts continue. */
  Failed: ComponentType<Failure>;
  children(code: string): ReactNode;
}

/** Shows its content to the host of exactly this event and sends everybody else to the login. Provides the query cache. */
export function HostGuard(props: HostGuardProps) {
  return (
    <Queries>
      <Guarded {...props} />
    </Queries>
  );
}

function Guarded({ code: raw, invalid, Failed, children }: HostGuardProps) {
  const [, navigate] = useLocation();
  const code = cleanEventCode(raw);
  const {
    data: newest,
    error,
    refetch,
  } = useQuery({
    queryKey: ['auth'],
    queryFn: () => call('GET /auth/check'),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data ? false : VISITOR_RETRY_MS),
    refetchIntervalInBackground: true,
  });
  // While something is typed, the page stays after the session has ended; a save reports it.
  const { shown: data } = useWhileTyped(newest);
  /** The last failure, which the page shows until there is an answer. */
  const [trouble, setTrouble] = useState(error);
  if (error && error !== trouble) setTrouble(error);
  const host = data?.authenticated === true && data.role === 'user';
  const show = host ? children : undefined;
  /** The page to which an address without a code leads. */
  const home = host && raw === '' ? `/manage/${data.userCode}` : null;
  const noAccess = data !== undefined && (!show || (isEventCode(code) && data.userCode !== code));
  useEffect(() => {
    if (home) navigate(home, { replace: true });
    if (!noAccess) return;
    // The login page sends the host of another event to that event.
    if (host) navigate('/login', { replace: true });
    else goToLogin();
  }, [home, noAccess, host, navigate]);
  if (!data) return trouble ? <Failed code={raw} error={trouble} onRetry={() => void refetch()} /> : <Waiting late />;
  if (!show || noAccess || home) return null;
  if (isEventCode(raw.toUpperCase())) return show(code);
  return (
    invalid ?? (
      <MessagePage title={dashboard.invalidCode} actions={<ButtonLink href="/manage">Zu Ihrem Event</ButtonLink>}>
        <p>Der Code in der Adresse ist unvollständig oder falsch geschrieben.</p>
      </MessagePage>
    )
  );
}
