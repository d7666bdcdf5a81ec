import { BACKUPS_KEPT_DAYS } from '@feierbild/contract/constants.ts';
import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import type { Receipt } from '@feierbild/contract/receipt.ts';
import { Download, Printer } from 'lucide-react';
import { useEffect, useState } from 'react';
import { call, isRefusal, messageOf } from '../../api/client.ts';
import { formatBytes } from '../../lib/format-bytes.ts';
import { formatInstant, formatNumber } from '../../lib/format.ts';
import { useLinkToken } from '../../lib/use-link-token.ts';
import { useReceiptKeys } from '../../lib/use-receipt-keys.ts';
import { useSite } from '../../lib/use-site.ts';
import { Button } from '../../ui/button.tsx';
import { DescriptionList, type Description } from '../../ui/description-list.tsx';
import { Headline } from '../../ui/headline.tsx';
import { IncompleteLink } from '../../ui/incomplete-link.tsx';
import { MessagePage } from '../../ui/message-page.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import prose from '../../ui/prose.module.css';
import { ReceiptKeys } from '../../ui/receipt-keys.tsx';
import { receiptFile, saveReceipt } from '../../ui/save-receipt.ts';
import { Waiting } from '../../ui/spinner.tsx';
import styles from './receipt.module.css';

type Read = { receipt: Receipt } | { error: unknown } | null;

/** /loeschprotokoll/{code}#{token}: the signed receipt of an event's deletion. The token stays in the address for 12 months of use. */
export default function ReceiptPage({ code }: { code: string }) {
  const [token, give] = useLinkToken('address');
  return <Asked key={token} code={cleanEventCode(code)} token={token} onToken={give} />;
}

function Asked({ code, token, onToken }: { code: string; token: string; onToken(token: string): void }) {
  const [read, setRead] = useState<Read>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const ending = new AbortController();
    call('GET /api/events/:ref/receipt', { params: { ref: code }, query: token ? { token } : {}, signal: ending.signal }).then(
      (receipt) => setRead({ receipt }),
      (error: unknown) => ending.signal.aborted || setRead({ error }),
    );
    return () => ending.abort();
  }, [code, token, attempt]);
  if (!read) return <Waiting />;
  if ('receipt' in read) return <ReceiptSheet receipt={read.receipt} />;
  // Operators and the event's host need no link.
  if (token === '' && isRefusal(read.error, 'login_required', 'receipt_not_found'))
    return (
      <IncompleteLink onToken={onToken}>
        In der Mail zur Löschung steht auch ein Code. Fügen Sie ihn hier ein, oder den ganzen Link.
      </IncompleteLink>
    );
  return (
    <NoReceipt
      error={read.error}
      onRetry={() => {
        setRead(null);
        setAttempt(attempt + 1);
      }}
    />
  );
}

/** Says why there is no receipt. */
export function NoReceipt({ error, onRetry }: { error: unknown; onRetry(): void }) {
  const again = <Button onClick={onRetry}>Erneut versuchen</Button>;
  if (isRefusal(error, 'receipt_pending'))
    return (
      <MessagePage title="Noch kein Löschprotokoll" actions={again}>
        <p>
          Es entsteht, sobald alle Fotos des Events gelöscht und seine Schlüssel vernichtet sind. Dann steht es 12 Monate lang unter dieser
          Adresse.
        </p>
      </MessagePage>
    );
  if (isRefusal(error, 'receipt_not_found'))
    return (
      <MessagePage title="Kein Löschprotokoll">
        <p>Dieser Link gilt nicht, oder die 12 Monate sind um, die das Löschprotokoll aufbewahrt wird.</p>
      </MessagePage>
    );
  return (
    <MessagePage title="Das hat nicht geklappt" actions={again}>
      <p>{messageOf(error)}</p>
    </MessagePage>
  );
}

/** The receipt, to print and to keep. */
export function ReceiptSheet({ receipt }: { receipt: Receipt }) {
  const keys = useReceiptKeys();
  const { identity } = useSite().business;
  const { event, deleted, keys_destroyed_at, backups_gone_by, key_id, signature } = receipt;
  const rows: Description[] = [
    ['Fotos', formatNumber(deleted.photos)],
    ['Videos', formatNumber(deleted.videos)],
    ['Umfang der Originale', formatBytes(deleted.bytes)],
    ['Schlüssel vernichtet', formatInstant(keys_destroyed_at)],
    ['In keiner Sicherung mehr ab', formatInstant(backups_gone_by)],
  ];
  return (
    <PageShell width="reading">
      <article className={`${prose.prose} ${styles.sheet}`}>
        <Headline>Löschprotokoll</Headline>
        <p className="soft">
          Event {event}, ausgestellt von {identity.brand}, {identity.street}, {identity.zip} {identity.city}
        </p>
        <p>
          Alle Fotos und Videos dieses Events sind gelöscht, mit Vorschauen, Namen und allen Schlüsseln, mit denen sie sich öffnen ließen
          (Art. 5 Abs. 1 lit. e, Art. 17 Abs. 1 lit. a DSGVO).
        </p>
        <DescriptionList look="lines" items={rows} />
        <p className="soft">
          Der letzte Zeitpunkt gilt, wenn der Betrieb Sicherungen wie vorgesehen höchstens {BACKUPS_KEPT_DAYS} Tage aufbewahrt. Was
          Gastgeber und Gäste vorher heruntergeladen haben, ist bei ihnen.
        </p>
        <div className={styles.actions}>
          <Button onClick={() => saveReceipt(receipt)}>
            <Download size={20} /> Als Datei speichern
          </Button>
          <Button look="secondary" onClick={() => window.print()}>
            <Printer size={20} /> Drucken
          </Button>
        </div>
        <h2>Prüfen</h2>
        <p>
          Die Datei ist unterschrieben. Ob sie unverändert ist, prüft das Programm <a href="/verify_receipt.py">verify_receipt.py</a> auf
          jedem Rechner mit Python, ohne Netz und ohne uns:
        </p>
        <p>
          <code className={styles.code}>python3 verify_receipt.py {receiptFile(event)} SCHLÜSSEL</code>
        </p>
        <ReceiptKeys read={keys} only={key_id} />
        <p className={styles.signature}>
          Unterschrift (Ed25519): <code className={styles.code}>{signature}</code>
        </p>
      </article>
    </PageShell>
  );
}
