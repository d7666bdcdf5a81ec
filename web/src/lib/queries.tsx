import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isRefusal } from '../api/client.ts';

/** Repeats a query once if the server itself did not answer; it would repeat its refusals. */
const retry = (failures: number, error: unknown): boolean => failures < 1 && isRefusal(error, 'no_connection', 'not_ours', 'unavailable');

/**
 * `networkMode: always`, because a browser that has a network may still have no internet, and the other way round; and because a query
 * that waits for a network shows no error.
 */
const client = new QueryClient({
  defaultOptions: { queries: { retry, refetchOnWindowFocus: true, refetchOnReconnect: true, networkMode: 'always' } },
});

/** Provides the cache of queries. */
export function Queries({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
