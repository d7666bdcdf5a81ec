import { ZIP_POLL_INTERVAL } from '@feierbild/contract/constants.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../api/client.ts';
import type { Counts } from '../../video/counts.ts';
import { NO_ZIP, ZipPanel, type ZipState } from './zip-panel.tsx';

/** Under which the state of an event's ZIP is kept. */
function zipKey(code: string): readonly string[] {
  return ['zip', code];
}

/** All originals in one file: make it, see how far it is, download it. Errors are only logged; the box shows what is true. */
export function ZipBox({ code, counts }: { code: string; counts: Counts | null }) {
  const [asked, setAsked] = useState(false);
  const params = { ref: code };
  const { data, refetch } = useQuery({
    queryKey: zipKey(code),
    queryFn: () => call('GET /api/events/:ref/zip-progress', { params }),
    refetchInterval: ({ state }) => (state.data?.status === 'processing' ? ZIP_POLL_INTERVAL : 30_000),
  });
  const zip: ZipState = asked ? { ...NO_ZIP, status: 'processing' } : (data ?? NO_ZIP);

  async function make(): Promise<void> {
    setAsked(true);
    try {
      await call(data?.status === 'complete' ? 'POST /api/events/:ref/regenerate-zip' : 'POST /api/events/:ref/create-zip', { params });
    } catch (error) {
      // Being made already is fine: the progress shows it. Everything else restores the state before.
      console.error(error);
    }
    await refetch();
    setAsked(false);
  }

  return <ZipPanel zip={zip} counts={counts} href={`/api/events/${code}/download`} onMake={() => void make()} />;
}

/** Asks for the state of a complete ZIP again whenever the number of photos changes: some came since, or it lists one that is gone. */
export function useZipRefresh(code: string, photos: number): void {
  const queries = useQueryClient();
  useEffect(() => {
    const queryKey = zipKey(code);
    if (queries.getQueryData<ZipState>(queryKey)?.status !== 'complete') return;
    void queries.invalidateQueries({ queryKey }, { cancelRefetch: false });
  }, [queries, code, photos]);
}
