import type { ZipStatus } from '@feierbild/contract/entities.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** Under which the state of an event's ZIP is kept. */
export function zipKey(code: string): readonly string[] {
  return ['zip', code];
}

/** Asks for the state of a complete ZIP again whenever the number of photos changes: some came since, or it lists one that is gone. */
export function useZipRefresh(code: string, photos: number): void {
  const queries = useQueryClient();
  useEffect(() => {
    const queryKey = zipKey(code);
    if (queries.getQueryData<{ status: ZipStatus }>(queryKey)?.status !== 'complete') return;
    void queries.invalidateQueries({ queryKey }, { cancelRefetch: false });
  }, [queries, code, photos]);
}
