import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { inTime } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import type { PhotoViewerProps } from './photo-viewer.tsx';

/** Where a browser has no requestIdleCallback. */
const PRELOAD_AFTER_MS = 2000;
/** A server that is there answers within this time. */
const ANSWER_MS = 10_000;

const viewerQuery = queryOptions({
  queryKey: ['viewer'],
  queryFn: () => import('./photo-viewer.tsx'),
  staleTime: Infinity,
  gcTime: Infinity,
  retry: false,
});

/** Loads the viewer's code while the browser has nothing else to do, so that the first photo opens at once. */
export function usePreloadedViewer(): void {
  const queries = useQueryClient();
  useEffect(() => {
    // Opening a photo tries again, and says it if that fails.
    const preload = (): void => void queries.prefetchQuery(viewerQuery);
    if ('requestIdleCallback' in window) {
      const idle = requestIdleCallback(preload);
      return () => cancelIdleCallback(idle);
    }
    const timer = setTimeout(preload, PRELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, [queries]);
}

/** The viewer as soon as its code is there; where that does not arrive, a dialog that says so, and the gallery stays. */
export function ViewerLoader(props: PhotoViewerProps) {
  const { data, isError, refetch } = useQuery(viewerQuery);

  async function retry(): Promise<void> {
    if ((await refetch()).isSuccess) return;
    // Browsers may remember that a module could not be had, and after a new version it is gone: then only a reload helps.
    const ask = (signal: AbortSignal): Promise<Response> => fetch(window.location.href, { method: 'HEAD', signal });
    const server = await inTime(ANSWER_MS, ask).catch(() => null);
    if (server?.ok) window.location.reload();
  }

  if (data) return <data.default {...props} />;
  if (!isError) return null;
  return (
    <ConfirmDialog
      title="Das Foto ließ sich nicht öffnen"
      look="primary"
      cancel="Zur Galerie"
      confirm="Erneut versuchen"
      onClose={() => props.onShow(null)}
      onConfirm={retry}
    >
      <p>Bitte prüfen Sie Ihr Netz und versuchen Sie es erneut.</p>
    </ConfirmDialog>
  );
}
