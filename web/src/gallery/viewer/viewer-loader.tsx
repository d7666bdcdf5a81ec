import { useEffect, useState, type ComponentType } from 'react';
import { inTime } from '../../api/client.ts';
import { galleryTexts } from '../../texts/guest/gallery.ts';
import { shell } from '../../texts/guest/shell.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import type { ViewerProps } from './photo-viewer.tsx';

/** Delay in browsers without requestIdleCallback. */
const PRELOAD_AFTER_MS = 2000;
/** Limit of the question whether the server is reachable. */
const ANSWER_MS = 10_000;

type Viewer<Props extends ViewerProps> = ComponentType<Props>;

/** The code of one of the viewers. */
export interface LazyViewer<Props extends ViewerProps> {
  /** Null until it was loaded. */
  loaded: Viewer<Props> | null;
  /** Loads the code; one attempt at a time. */
  load(): Promise<Viewer<Props>>;
}

export function lazyViewer<Props extends ViewerProps>(load: () => Promise<{ default: Viewer<Props> }>): LazyViewer<Props> {
  let running: Promise<Viewer<Props>> | null = null;
  const viewer: LazyViewer<Props> = {
    loaded: null,
    load: () =>
      (running ??= load()
        .then((code) => (viewer.loaded = code.default))
        .finally(() => (running = null))),
  };
  return viewer;
}

/** Loads the viewer's code while the browser has nothing else to do, once `wanted`, so that the first photo opens at once. */
export function usePreloadedViewer<Props extends ViewerProps>(viewer: LazyViewer<Props>, wanted = true): void {
  useEffect(() => {
    if (!wanted || viewer.loaded) return;
    // The opening of a photo tries again, and reports a failure.
    const preload = (): void => void viewer.load().catch(() => undefined);
    if ('requestIdleCallback' in window) requestIdleCallback(preload);
    else setTimeout(preload, PRELOAD_AFTER_MS);
  }, [viewer, wanted]);
}

/** Shows the viewer as soon as its code has come; if that fails, a dialog says so, and the gallery stays. */
export function ViewerLoader<Props extends ViewerProps>({ viewer, ...rest }: { viewer: LazyViewer<Props> } & Props) {
  const [Viewer, setViewer] = useState(() => viewer.loaded);
  const [failed, setFailed] = useState(false);
  const props = rest as unknown as Props;

  useEffect(() => {
    if (Viewer) return;
    let current = true;
    viewer.load().then(
      (loaded) => current && setViewer(() => loaded),
      () => current && setFailed(true),
    );
    return () => {
      current = false;
    };
  }, [viewer, Viewer]);

  async function retry(): Promise<void> {
    const loaded = await viewer.load().catch(() => null);
    if (loaded) {
      setViewer(() => loaded);
      return;
    }
    // Only a reload helps where the browser remembers a module's failure, or a new version has removed the module.
    const ask = (signal: AbortSignal): Promise<Response> => fetch(window.location.href, { method: 'HEAD', signal });
    const server = await inTime(ANSWER_MS, ask).catch(() => null);
    if (server?.ok) window.location.reload();
  }

  if (Viewer) return <Viewer {...props} />;
  if (!failed) return null;
  const t = galleryTexts.viewerFails;
  return (
    <ConfirmDialog
      title={t.title}
      look="primary"
      cancel={t.back}
      confirm={shell.retry}
      onClose={() => props.onShow(null)}
      onConfirm={retry}
    >
      <p>{t.text}</p>
    </ConfirmDialog>
  );
}
