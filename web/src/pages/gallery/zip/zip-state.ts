import type { ZipStatus } from '@feierbild/contract/entities.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

/** Under which the state of an event's ZIP is kept. */
export function zipKey(code: string): readonly string[] {
  return ['zip', code];
}

/** Reads the ZIP's state again, if it was complete: deleting a photo that it lists ends it. */
export function useZipRefresh(code: string): () => void {
  const queries = useQueryClient();
  return useCallback(() => {
    const queryKey = zipKey(code);
    if (queries.getQueryData<{ status: ZipStatus }>(queryKey)?.status === 'complete') void queries.invalidateQueries({ queryKey });
  }, [queries, code]);
}
