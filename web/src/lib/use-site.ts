import type { Business } from '@feierbild/contract/entities.ts';
import { useEffect, useState } from 'react';
import { call } from '../api/client.ts';

export interface Site {
  business: Business;
  demo: { code: string; password: string } | null;
}

/** The operator's data; null until it is there (or while there is no connection). */
export function useSite(): Site | null {
  const [site, setSite] = useState<Site | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    call('GET /api/site', { signal: leaving.signal }).then(setSite, () => undefined);
    return () => leaving.abort();
  }, []);
  return site;
}
