import { COPIED_NOTICE, QR_SIZE_SHARE } from '@feierbild/contract/constants.ts';
import type { HostEvent } from '@feierbild/contract/entities.ts';
import { Check, Copy, Printer, Share2 } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import { useEffect, useRef, useState } from 'react';
import { eventUrl } from '../../lib/event-url.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Switch } from '../../ui/switch.tsx';
import styles from './dashboard.module.css';

const COPIED = 'Link kopiert';

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
      setNotice(COPIED);
    } catch {
      // Plain http has no clipboard: the address is selected instead.
      if (address.current) window.getSelection()?.selectAllChildren(address.current);
      setNotice('Bitte mit Strg+C oder über das Menü kopieren');
    }
  }

  /** The phone's own share sheet: messengers, mail, AirDrop. */
  async function share(): Promise<void> {
    try {
      await navigator.share({ title: event.title, url });
    } catch (error) {
      // Closing the sheet without a choice is no failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) setNotice('Bitte teilen Sie den Link durch Kopieren');
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
          {notice === COPIED ? <Check size={20} aria-hidden="true" /> : <Copy size={20} aria-hidden="true" />}
          Link kopieren
        </Button>
        {'share' in navigator && (
          <Button look="secondary" wide onClick={() => void share()}>
            <Share2 size={20} aria-hidden="true" /> Teilen …
          </Button>
        )}
        <ButtonLink look="secondary" wide href={`/manage/${event.code}/karten`}>
          <Printer size={20} aria-hidden="true" /> Tischkarten drucken
        </ButtonLink>
        <p role="status">{notice}</p>
      </div>
    </Dialog>
  );
}
