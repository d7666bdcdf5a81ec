import { useEffect, useEffectEvent, useState } from 'react';
import { useSearchParams } from 'wouter';
import { readQuery, writeQuery, type ListQuery } from './list-query.ts';

/** Pause before typed text is written to the address: Safari refuses more than 100 changes in 30 s. */
const TYPING_PAUSE_MS = 350;

/**
 * The list's query, kept in the address: Back and reload show the same list. `kept` is what stands there, `query` has what is being
 * typed, too.
 */
export function useListQuery(): { query: ListQuery; kept: ListQuery; change(wanted: Partial<ListQuery>): void } {
  const [params, setParams] = useSearchParams();
  /** Typed, and not yet in the address. */
  const [typed, setTyped] = useState<string | null>(null);
  const kept = readQuery(params);
  const query = typed === null ? kept : { ...kept, search: typed };

  const keepTyped = useEffectEvent(() => {
    setParams(writeQuery(query), { replace: true });
    setTyped(null);
  });
  useEffect(() => {
    if (typed === null) return;
    const timer = setTimeout(keepTyped, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);

  function change(wanted: Partial<ListQuery>): void {
    if (Object.keys(wanted).join() === 'search') {
      setTyped(wanted.search ?? '');
      return;
    }
    setParams(writeQuery({ ...query, ...wanted }));
    setTyped(null);
  }
  return { query, kept, change };
}
