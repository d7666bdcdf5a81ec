import { cleanEventCode, isEventCode } from '@feierbild/contract/event-code.ts';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { call, goToLogin } from '../api/client.ts';
import { Waiting } from './spinner.tsx';

/** What waits for no longer than this says nothing of it, ms. */
const MOMENT = 300;
/** How often a page whose visitor could not be recognised tries again by itself, ms. */
const TRY_AGAIN = 5000;

/** Whether the server can be reached is not for the browser to guess: its own network may have no internet. */
const client = new QueryClient({
  defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: true, refetchOnReconnect: true, networkMode: 'always' } },
});

interface HostGuardProps {
  code: string;
  /** What shows for a code that can't be one. */
  invalid: ReactNode;
  /** What a locked slideshow of this event shows; without it, it has to log in like everyone. */
  locked?(code: string): ReactNode;
  /** What shows while nobody can say who is there; it goes on trying by itself. */
  failed(error: Error, retry: () => void): ReactNode;
  children(code: string): ReactNode;
}

/** Lets in the host of exactly this event; others go to the login. Brings the query cache for what is inside. */
export function HostGuard(props: HostGuardProps) {
  return (
    <QueryClientProvider client={client}>
      <Guarded {...props} />
    </QueryClientProvider>
  );
}

function Guarded({ code: raw, invalid, locked, failed, children }: HostGuardProps) {
  const [, navigate] = useLocation();
  const code = cleanEventCode(raw);
  const { data, error, refetch } = useQuery({
    queryKey: ['auth'],
    queryFn: () => call('GET /auth/check'),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data ? false : TRY_AGAIN),
    refetchIntervalInBackground: true,
  });
  /** The last failure: what it says stays until there is an answer, also while it is tried again. */
  const [trouble, setTrouble] = useState(error);
  if (error && error !== trouble) setTrouble(error);
  const host = data?.authenticated === true && data.role === 'user';
  const show = host ? children : data?.authenticated === true && data.role === 'projector' ? locked : undefined;
  const stranger = data !== undefined && (!show || (isEventCode(code) && data.userCode !== code));
  useEffect(() => {
    if (!stranger) return;
    // A host of another event is led to the own one by the login page.
    if (host) navigate('/login', { replace: true });
    else goToLogin();
  }, [stranger, host, navigate]);
  if (!data) return trouble ? failed(trouble, () => void refetch()) : <Patience />;
  if (!show || stranger) return null;
  return isEventCode(raw.toUpperCase()) ? show(code) : invalid;
}

/** Nothing at first, so that a quick answer makes nothing flash. */
function Patience() {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), MOMENT);
    return () => clearTimeout(timer);
  }, []);
  return late ? <Waiting /> : null;
}
