import { QR_SIZE_CREDENTIALS } from '@feierbild/contract/constants.ts';
import { Printer } from 'lucide-react';
import { useOrigin } from '../../lib/event-url.ts';
import { useShownOnce } from '../../lib/use-shown-once.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { QrBox } from '../../ui/qr-box.tsx';
import styles from './admin.module.css';

export type Credentials = Record<'title' | 'username' | 'password', string>;

/** A host's access, shown only once, to copy or print as a slip. The QR code leads to the login with the name filled in. */
export function CredentialsDialog({ credentials: { title, username, password }, onClose }: { credentials: Credentials; onClose(): void }) {
  const address = `${useOrigin()}/login`;
  const { keep, mayClose } = useShownOnce('Das Passwort');

  return (
    <Dialog title="Zugang für den Gastgeber" onClose={() => mayClose() && onClose()}>
      <Notice kind="warning">Das Passwort wird nur dieses eine Mal angezeigt.</Notice>
      <div className={styles.slip} onCopy={keep}>
        <div className={styles.slipText}>
          <strong>{title}</strong>
          <span className="soft">{address}</span>
          <span>
            Benutzername{' '}
            <strong translate="no" className={styles.mono}>
              {username}
            </strong>
          </span>
          <span>
            Passwort{' '}
            <strong translate="no" className={styles.mono}>
              {password}
            </strong>
          </span>
        </div>
        <ol className={styles.slipSteps}>
          <li>QR-Code scannen oder die Adresse öffnen und anmelden.</li>
          <li>Unter „Teilen“ die Karten für die Tische drucken.</li>
          <li>Nach dem Fest alles als ZIP herunterladen. 30 Tage nach dem Event werden die Fotos gelöscht.</li>
        </ol>
        <QrBox value={`${address}?username=${username}`} size={QR_SIZE_CREDENTIALS} title="QR-Code zur Anmeldung" />
      </div>
      <DialogActions>
        <Button
          look="secondary"
          onClick={() => {
            keep();
            window.print();
          }}
        >
          <Printer size={20} /> Zettel drucken
        </Button>
        <Button onClick={onClose}>Fertig</Button>
      </DialogActions>
    </Dialog>
  );
}
