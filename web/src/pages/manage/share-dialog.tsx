import { COPIED_NOTICE, QR_SIZE_SHARE } from '@feierbild/contract/constants.ts';
import type { HostEvent } from '@feierbild/contract/entities.ts';
import { Check, Copy } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import { useEffect, useRef, useState } from 'react';
import { eventUrl } from '../../lib/event-url.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Switch } from '../../ui/switch.tsx';
import styles from './dashboard.module.css';

/** Quick-Share: QR code and address of the event, with or without its password. */
export function ShareDialog({ open, event, onClose }: { open: boolean; event: HostEvent; onClose(): void }) {
  const [withPassword, setWithPassword] = useState(false);
  const [notice, setNotice] = useState('');
  const address = useRef<HTMLParagraphElement>(null);
  const url = eventUrl(event.code, withPassword ? event.user_upload_password : null);

  useEffect(() => {
    if (!notice) return;
    const timer = setTimeout(() => setNotice(''), COPIED_NOTICE);
    return () => clearTimeout(timer);
  }, [notice]);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(url);
      setNotice('Link kopiert');
    } catch {
      // Plain http has no clipboard: the address is selected instead.
      if (address.current) window.getSelection()?.selectAllChildren(address.current);
      setNotice('Bitte mit Strg+C oder über das Menü kopieren');
    }
  }

  return (
    <Dialog open={open} title="Event teilen" onClose={onClose}>
      <div className={styles.shareBody}>
        <div className={styles.qr}>
          <QRCodeSVG value={url} size={QR_SIZE_SHARE} title={`QR-Code zum Event ${event.title}`} />
        </div>
        <p className={styles.url} ref={address}>
          {url}
        </p>
        {event.user_upload_password && <Switch label="mit Passwort" checked={withPassword} onChange={setWithPassword} />}
        <Button wide onClick={() => void copy()}>
          {notice ? <Check size={20} aria-hidden="true" /> : <Copy size={20} aria-hidden="true" />}
          Link kopieren
        </Button>
        <p role="status">{notice}</p>
      </div>
    </Dialog>
  );
}
