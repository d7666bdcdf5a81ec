import { QR_SIZE_SHARE } from '@feierbild/contract/constants.ts';
import type { HostEvent } from '@feierbild/contract/entities.ts';
import { Lock, Printer } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import { call } from '../../api/client.ts';
import { useEventUrl } from '../../lib/event-url.ts';
import { forget } from '../../lib/storage.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ShareLink } from '../../ui/share-link.tsx';
import { Switch } from '../../ui/switch.tsx';
import styles from './dashboard.module.css';

interface ShareDialogProps {
  event: HostEvent;
  withPassword: boolean;
  setWithPassword(value: boolean): void;
  onClose(): void;
}

/** Quick-Share: QR code and address of the event, with or without its password. */
export function ShareDialog({ event, withPassword, setWithPassword, onClose }: ShareDialogProps) {
  const url = useEventUrl()(event.code, withPassword ? event.user_upload_password : null);

  return (
    <Dialog title="Event teilen" onClose={onClose}>
      <div className={styles.shareBody}>
        <div className={styles.qr}>
          <QRCodeSVG value={url} size={QR_SIZE_SHARE} title={`QR-Code zum Event ${event.title}`} />
        </div>
        {event.user_upload_password && <Switch label="mit Passwort" checked={withPassword} onChange={setWithPassword} />}
        <ShareLink url={url} title={event.title} />
        <ButtonLink look="secondary" wide href={`/manage/${event.code}/karten`}>
          <Printer size={20} /> Tischkarten drucken
        </ButtonLink>
      </div>
    </Dialog>
  );
}

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
