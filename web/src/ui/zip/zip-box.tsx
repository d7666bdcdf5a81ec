import { ZIP_POLL_INTERVAL } from '@feierbild/contract/constants.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import type { Counts } from '../../video/counts.ts';
import { zipKey } from './zip-state.ts';
import { NO_ZIP, ZipPanel, type ZipState } from './zip-panel.tsx';

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
