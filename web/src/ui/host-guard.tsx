import { cleanEventCode, isEventCode } from '@feierbild/contract/event-code.ts';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { call, goToLogin } from '../api/client.ts';

const client = new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: true } } });

interface HostGuardProps {
  code: string;
  /** What shows for a code that can't be one. */
  invalid: ReactNode;
  /** What a locked slideshow of this event shows; without it, it has to log in like everyone. */
  locked?(code: string): ReactNode;
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

function Guarded({ code: raw, invalid, locked, children }: HostGuardProps) {
  const [, navigate] = useLocation();
  const code = cleanEventCode(raw);
  const { data } = useQuery({ queryKey: ['auth'], queryFn: () => call('GET /auth/check'), staleTime: 0, gcTime: 0 });
  const host = data?.authenticated === true && data.role === 'user';
  const show = host ? children : data?.authenticated === true && data.role === 'projector' ? locked : undefined;
  const stranger = data !== undefined && (!show || (isEventCode(code) && data.userCode !== code));
  useEffect(() => {
    if (!stranger) return;
    // A host of another event is led to the own one by the login page.
    if (host) navigate('/login');
    else goToLogin();
  }, [stranger, host, navigate]);
  if (!show || stranger) return null;
  return isEventCode(raw.toUpperCase()) ? show(code) : invalid;
}
