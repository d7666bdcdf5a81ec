import { QR_SIZE_SHARE } from '@feierbild/contract/constants.ts';
import type { HostEvent } from '@feierbild/contract/entities.ts';
import { Lock, Printer } from 'lucide-react';
import { useRef } from 'react';
import { call } from '../../api/client.ts';
import { useGalleryLink } from '../../gallery/gallery-link.tsx';
import { useEventUrl } from '../../lib/event-url.ts';
import { forget } from '../../lib/storage.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CopyLink } from '../../ui/share-link.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { Switch } from '../../ui/switch.tsx';
import { ChatPreview, PhoneLanguage } from './link-switches.tsx';
import styles from './dashboard.module.css';
import { InviteGuests } from './invite-guests.tsx';
import { QrBox } from '../../ui/qr-box.tsx';

interface ShareDialogProps {
  event: HostEvent;
  withPassword: boolean;
  setWithPassword(value: boolean): void;
  onChanged(): Promise<unknown>;
  onClose(): void;
}

const UNKNOWN = 'Ob dieser Link auch die Galerie für Gäste öffnen soll, ist noch nicht bekannt; so öffnet er nur die Seite zum Hochladen.';

/** Quick-Share: QR code and address of the event, with or without its password. */
export function ShareDialog({ event, withPassword, setWithPassword, onChanged, onClose }: ShareDialogProps) {
  const code = useRef<HTMLDivElement>(null);
  // The QR code opens both the gallery, if there is one, and the upload.
  const gallery = useGalleryLink(event.code, UNKNOWN);
  const url = useEventUrl()(event.code, { password: withPassword ? event.user_upload_password : null, gallery: gallery?.link });

  return (
    <Dialog title="Event teilen" onClose={onClose}>
      {gallery ? (
        <div className={styles.shareBody}>
          {gallery.notice}
          <QrBox ref={code} value={url} size={QR_SIZE_SHARE} title={`QR-Code zum Event ${event.title}`} />
          {event.user_upload_password && <Switch label="mit Passwort" checked={withPassword} onChange={setWithPassword} />}
          <CopyLink url={url} look="secondary" />
          <InviteGuests url={url} event={event} code={code} />
          <ChatPreview event={event} onChanged={onChanged} />
          <PhoneLanguage event={event} onChanged={onChanged} />
          <ButtonLink look="secondary" wide href={`/manage/${event.code}/karten`}>
            <Printer size={20} /> Tischkarten drucken
          </ButtonLink>
        </div>
      ) : (
        <Waiting />
      )}
    </Dialog>
  );
}

/** Explains the lock and then limits this browser to the slideshow. */
export function LockDialog({ code, onClose }: { code: string; onClose(): void }) {
  async function lock(): Promise<void> {
    await call('POST /api/events/:ref/slideshow-lock', { params: { ref: code } });
    // The server has removed this browser's device id, so the stored copy has to go, too.
    for (const key of ['device_id', 'userName', 'consent'] as const) forget(key);
    // The browser's back/forward cache would show this page again.
    window.addEventListener('pageshow', ({ persisted }) => persisted && window.location.reload());
    window.location.replace(`/slideshow/${code}`);
    // The dialog stays busy until the browser has left the page.
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
