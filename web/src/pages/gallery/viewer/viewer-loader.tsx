import { lazy, Suspense, useEffect, useState } from 'react';
import { Failsafe } from '../../../failsafe.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import type { PhotoViewerProps } from './photo-viewer.tsx';

/** Where a browser has no requestIdleCallback. */
const PRELOAD_AFTER_MS = 2000;

const load = () => import('./photo-viewer.tsx');

/** Loads the viewer's code while the browser has nothing else to do, so that the first photo opens at once. */
export function usePreloadedViewer(): void {
  useEffect(() => {
    // Opening a photo tries again, and says it if that fails.
    const preload = (): void => void load().catch(() => undefined);
    if ('requestIdleCallback' in window) {
      const idle = requestIdleCallback(preload);
      return () => cancelIdleCallback(idle);
    }
    const timer = setTimeout(preload, PRELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
}

/** The viewer as soon as its code is there; where that does not arrive, a dialog that says so, and the gallery stays. */
export function ViewerLoader(props: PhotoViewerProps) {
  const [Viewer, setViewer] = useState(() => lazy(load));
  const [attempt, setAttempt] = useState(0);

  async function retry(): Promise<void> {
    try {
      await load();
      setViewer(() => lazy(load));
      setAttempt(attempt + 1);
    } catch (error) {
      // Browsers may remember that a module could not be had, and after a new version it is gone: then only a reload helps.
      const server = await fetch(window.location.href, { method: 'HEAD' }).catch(() => null);
      if (!server?.ok) throw error;
      window.location.reload();
    }
  }

  return (
    <Failsafe key={attempt} failed={<Failed onRetry={retry} onClose={() => props.onShow(null)} />}>
      <Suspense fallback={null}>
        <Viewer {...props} />
      </Suspense>
    </Failsafe>
  );
}

function Failed({ onRetry, onClose }: { onRetry(): Promise<void>; onClose(): void }) {
  const [busy, setBusy] = useState(false);
  return (
    <Dialog open title="Das Foto ließ sich nicht öffnen" onClose={onClose}>
      <p>Bitte prüfen Sie Ihr Netz und versuchen Sie es erneut.</p>
      <DialogActions>
        <Button look="secondary" onClick={onClose}>
          Zur Galerie
        </Button>
        <Button
          busy={busy}
          onClick={() => {
            setBusy(true);
            onRetry().catch(() => setBusy(false));
          }}
        >
          Erneut versuchen
        </Button>
      </DialogActions>
    </Dialog>
  );
}
