import { Lock } from 'lucide-react';
import { useState } from 'react';
import { call, messageOf } from '../../api/client.ts';
import { forget } from '../../lib/storage.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Explains the lock and then limits this browser to the slideshow. */
export function LockDialog({ open, code, onClose }: { open: boolean; code: string; onClose(): void }) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');

  async function lock(): Promise<void> {
    setBusy(true);
    setFailure('');
    try {
      await call('POST /api/events/:ref/slideshow-lock', { params: { ref: code } });
    } catch (error) {
      setFailure(messageOf(error));
      setBusy(false);
      return;
    }
    // The server has removed this browser's device id; the stored copy must be removed, too.
    for (const key of ['device_id', 'userName', 'consent'] as const) forget(key);
    // The back/forward cache of the browser would show this page again.
    window.addEventListener('pageshow', ({ persisted }) => persisted && window.location.reload());
    window.location.replace(`/slideshow/${code}`);
  }

  return (
    <Dialog open={open} title="Slideshow starten und sperren" onClose={onClose}>
      <p>
        Sie werden auf diesem Gerät abgemeldet. Es zeigt danach nur noch die Slideshow dieses Events, bis sich hier wieder jemand anmeldet.
      </p>
      <p>
        Galerie, Downloads und Einstellungen sind von hier aus nicht mehr zu erreichen, auch „Meine Fotos“ dieses Geräts nicht. Auf Ihren
        anderen Geräten bleiben Sie angemeldet.
      </p>
      <p>Haben Sie Ihr Passwort in diesem Browser gespeichert? Dann entfernen Sie es dort bitte: Sonst kann sich jeder damit anmelden.</p>
      {failure && <Notice kind="error">{failure}</Notice>}
      <DialogActions>
        <Button look="secondary" onClick={onClose}>
          Abbrechen
        </Button>
        <Button busy={busy} onClick={() => void lock()}>
          <Lock size={20} aria-hidden="true" /> Abmelden und sperren
        </Button>
      </DialogActions>
    </Dialog>
  );
}
