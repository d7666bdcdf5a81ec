import { Lock } from 'lucide-react';
import { call } from '../../api/client.ts';
import { forget } from '../../lib/storage.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

/** Explains the lock and then limits this browser to the slideshow. */
export function LockDialog({ code, onClose }: { code: string; onClose(): void }) {
  async function lock(): Promise<void> {
    await call('POST /api/events/:ref/slideshow-lock', { params: { ref: code } });
    // The server has removed this browser's device id; the stored copy must be removed, too.
    for (const key of ['device_id', 'userName', 'consent'] as const) forget(key);
    // The back/forward cache of the browser would show this page again.
    window.addEventListener('pageshow', ({ persisted }) => persisted && window.location.reload());
    window.location.replace(`/slideshow/${code}`);
    // Busy until the browser has left the page.
    await new Promise(() => undefined);
  }

  return (
    <ConfirmDialog
      title="Slideshow starten und sperren"
      look="primary"
      confirm={
        <>
          <Lock size={20} /> Abmelden und sperren
        </>
      }
      onClose={onClose}
      onConfirm={lock}
    >
      <p>
        Sie werden auf diesem Gerät abgemeldet. Es zeigt danach nur noch die Slideshow dieses Events, bis sich hier wieder jemand anmeldet.
      </p>
      <p>
        Galerie, Downloads und Einstellungen sind von hier aus nicht mehr zu erreichen, auch „Meine Fotos“ dieses Geräts nicht. Auf Ihren
        anderen Geräten bleiben Sie angemeldet.
      </p>
      <p>Haben Sie Ihr Passwort in diesem Browser gespeichert? Dann entfernen Sie es dort bitte: Sonst kann sich jeder damit anmelden.</p>
    </ConfirmDialog>
  );
}
