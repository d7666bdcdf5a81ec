import type { HostEvent } from '@feierbild/contract/entities.ts';
import { Check, Copy } from 'lucide-react';
import { useRef } from 'react';
import { useOrigin } from '../../lib/event-url.ts';
import { formatDay } from '../../lib/format.ts';
import { useCopy } from '../../lib/use-copy.ts';
import { Button } from '../../ui/button.tsx';
import styles from './dashboard.module.css';

/** The link to the deletion's receipt. The host has to keep it, because the login ends with the photos. */
export function DeletionReceipt({ event: { receipt_link, deletion_date } }: { event: HostEvent }) {
  const origin = useOrigin();
  const { notice, copied, copy } = useCopy();
  const address = useRef<HTMLParagraphElement>(null);
  if (receipt_link === null) return null;
  const url = `${origin}${receipt_link}`;
  return (
    <div className={styles.projector}>
      <div>
        <h2>Löschprotokoll</h2>
        <p className="soft">
          Nach dem {formatDay(deletion_date)} wird alles gelöscht. Dann steht unter diesem Link 12 Monate lang der unterschriebene Beleg.
          Heben Sie ihn auf: Ihr Zugang endet mit der Löschung.
        </p>
        <p ref={address} className={styles.kept}>
          {url}
        </p>
        <p role="status">{notice}</p>
      </div>
      <Button look="secondary" onClick={() => void copy(url, 'Link kopiert', address.current)}>
        {copied ? <Check size={20} /> : <Copy size={20} />} Link zum Löschprotokoll kopieren
      </Button>
    </div>
  );
}
