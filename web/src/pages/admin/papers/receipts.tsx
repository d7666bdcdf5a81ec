import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { call } from '../../../api/client.ts';
import { formatBytes } from '../../../lib/format-bytes.ts';
import { formatInstant, plural } from '../../../lib/format.ts';
import { useReceiptKeys } from '../../../lib/use-receipt-keys.ts';
import { Button } from '../../../ui/button.tsx';
import { ReceiptKeys } from '../../../ui/receipt-keys.tsx';
import { saveReceipt } from '../../../ui/save-receipt.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import styles from './papers.module.css';

/** The receipts of deleted events. */
export function Receipts() {
  const keys = useReceiptKeys();
  const query = useQuery({ queryKey: ['receipts'], queryFn: () => call('GET /admin/receipts') });
  return (
    <Loaded query={query}>
      {({ receipts }) => (
        <>
          {receipts.length === 0 && <p>Noch ist kein Event gelöscht. Nach jeder Löschung steht hier ihr Beleg.</p>}
          <ul className={`bare ${styles.receipts}`}>
            {receipts.map(({ event, begun_at, receipt }) => (
              <li key={event + begun_at}>
                <strong>{event}</strong>
                {receipt ? (
                  <>
                    <span>
                      {plural(receipt.deleted.photos, 'ein Foto', '# Fotos')}, {plural(receipt.deleted.videos, 'ein Video', '# Videos')},{' '}
                      {formatBytes(receipt.deleted.bytes)}
                    </span>
                    <span className="soft">Schlüssel vernichtet am {formatInstant(receipt.keys_destroyed_at)}</span>
                    <Button look="secondary" aria-label={`Löschprotokoll von ${event} speichern`} onClick={() => saveReceipt(receipt)}>
                      <Download size={20} /> Speichern
                    </Button>
                  </>
                ) : (
                  <span className="soft">Die Löschung begann am {formatInstant(begun_at)} und ist noch nicht abgeschlossen.</span>
                )}
              </li>
            ))}
          </ul>
          <ReceiptKeys read={keys} />
        </>
      )}
    </Loaded>
  );
}
