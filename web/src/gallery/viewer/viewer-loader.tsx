import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState, type ComponentType } from 'react';
import { inTime } from '../../api/client.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import type { ViewerProps } from './photo-viewer.tsx';

/** Where a browser has no requestIdleCallback. */
const PRELOAD_AFTER_MS = 2000;
/** A server that is there answers within this time. */
const ANSWER_MS = 10_000;

/** The code of one of the viewers. */
export interface LazyViewer<Props extends ViewerProps> {
  name: string;
  load(): Promise<{ default: ComponentType<Props> }>;
}

function viewerQuery<Props extends ViewerProps>({ name, load }: LazyViewer<Props>) {
  return queryOptions({ queryKey: ['viewer', name], queryFn: load, staleTime: Infinity, gcTime: Infinity, retry: false });
}

/** Loads the viewer's code while the browser has nothing else to do, so that the first photo opens at once. `viewer` stays the same object. */
export function usePreloadedViewer<Props extends ViewerProps>(viewer: LazyViewer<Props>): void {
  const queries = useQueryClient();
  useEffect(() => {
    // Opening a photo tries again, and says it if that fails.
    const preload = (): void => void queries.prefetchQuery(viewerQuery(viewer));
    if ('requestIdleCallback' in window) requestIdleCallback(preload);
    else setTimeout(preload, PRELOAD_AFTER_MS);
  }, [queries, viewer]);
}

/** The viewer as soon as its code is there; where that does not arrive, a dialog that says so, and the gallery stays. */
export function ViewerLoader<Props extends ViewerProps>({ viewer, ...rest }: { viewer: LazyViewer<Props> } & Props) {
  const { data, isError, refetch } = useQuery(viewerQuery(viewer));
  const props = rest as unknown as Props;

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

/** WebKit refuses more than 100 changes of the address in 10 s: it follows when nobody has gone on to another photo for so long, ms. */
const REST_MS = 300;

const fromAddress = (): string | null => new URLSearchParams(window.location.search).get('foto');

/** Which photo is open, kept as `?foto={id}`: going back closes it, and the gallery keeps its place. */
export function useOpenPhoto(): [string | null, (id: string | null) => void] {
  const [open, setOpen] = useState(fromAddress);
  const timer = useRef(0);
  useEffect(() => {
    const follow = (): void => {
      clearTimeout(timer.current);
      setOpen(fromAddress());
    };
    window.addEventListener('popstate', follow);
    return () => {
      clearTimeout(timer.current);
      window.removeEventListener('popstate', follow);
    };
  }, []);
  const show = useCallback((id: string | null): void => {
    clearTimeout(timer.current);
    if (id !== null && fromAddress() !== null) timer.current = window.setTimeout(write, REST_MS, id);
    else write(id);
    setOpen(id);
  }, []);
  return [open, show];
}

function write(id: string | null): void {
  const { pathname } = window.location;
  const { history } = window;
  const was = fromAddress();
  try {
    if (id === null && was !== null && (history.state as { photo?: boolean } | null)?.photo) history.back();
    else if (id === null) history.replaceState(null, '', pathname);
    else if (was === null) history.pushState({ photo: true }, '', `${pathname}?foto=${id}`);
    else history.replaceState(history.state, '', `${pathname}?foto=${id}`);
  } catch {
    // Too many changes: only the address stays behind.
  }
}
