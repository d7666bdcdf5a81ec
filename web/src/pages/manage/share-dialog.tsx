import { QR_SIZE_SHARE } from '@feierbild/contract/constants.ts';
import type { HostEvent } from '@feierbild/contract/entities.ts';
import { Printer } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import { useState } from 'react';
import { useEventUrl } from '../../lib/event-url.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ShareLink } from '../../ui/share-link.tsx';
import { Switch } from '../../ui/switch.tsx';
import styles from './dashboard.module.css';

/** Quick-Share: QR code and address of the event, with or without its password. */
export function ShareDialog({ open, event, onClose }: { open: boolean; event: HostEvent; onClose(): void }) {
  const [withPassword, setWithPassword] = useState(false);
  const url = useEventUrl()(event.code, withPassword ? event.user_upload_password : null);

  return (
    <Dialog open={open} title="Event teilen" onClose={onClose}>
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
