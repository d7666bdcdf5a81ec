import type { HostEvent } from '@feierbild/contract/entities.ts';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Printer } from 'lucide-react';
import { useState } from 'react';
import { call, messageOf } from '../../api/client.ts';
import { dashboard } from '../../texts.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { HostGuard } from '../../ui/host-guard.tsx';
import { MessagePage } from '../../ui/message-page.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { Switch } from '../../ui/switch.tsx';
import { Card } from './card.tsx';
import styles from './cards.module.css';

const CARDS = ['oben links', 'oben rechts', 'unten links', 'unten rechts'];

/** /manage/{code}/karten: invitations for the tables, four of them on a sheet. */
export default function CardsPage({ code }: { code: string }) {
  return (
    <HostGuard code={code} failed={(error, onRetry) => <Failed error={error} onRetry={onRetry} />}>
      {(own) => <EventCards code={own} />}
    </HostGuard>
  );
}

function EventCards({ code }: { code: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['event', code],
    queryFn: () => call('GET /api/events/:ref', { params: { ref: code } }),
  });
  if (data) return <Cards event={data} />;
  if (!error) return <Waiting />;
  return <Failed error={error} onRetry={() => void refetch()} />;
}

function Failed({ error, onRetry }: { error: Error; onRetry(): void }) {
  return (
    <MessagePage title={dashboard.failed} actions={<Button onClick={onRetry}>Erneut versuchen</Button>}>
      <p>{messageOf(error)}</p>
    </MessagePage>
  );
}

function Cards({ event }: { event: HostEvent }) {
  const [withPassword, setWithPassword] = useState(true);
  return (
    <PageShell
      actions={
        <ButtonLink look="quiet" href={`/manage/${event.code}`}>
          <ArrowLeft size={20} aria-hidden="true" /> Zum Event
        </ButtonLink>
      }
    >
      <div className={styles.page}>
        <div className={styles.toolbar}>
          <h1 tabIndex={-1}>Tischkarten</h1>
          <p>Vier Karten in A6 auf einem Blatt A4. Bitte in Originalgröße (100 %) drucken und an den Marken schneiden.</p>
          {event.user_upload_password && <Switch label="mit Passwort" checked={withPassword} onChange={setWithPassword} />}
          <Button onClick={() => window.print()}>
            <Printer size={20} aria-hidden="true" /> Drucken
          </Button>
        </div>
        <div className={styles.sheet}>
          {CARDS.map((place, n) => (
            // A screen reader reads the same card once.
            <div key={place} className={styles.card} data-card aria-hidden={n > 0}>
              <Card event={event} password={withPassword ? event.user_upload_password : null} />
            </div>
          ))}
          <svg className={styles.marks} viewBox="0 0 210 296" aria-hidden="true">
            <path d="M105 4v8M105 284v8M4 148h8M198 148h8M101 148h8M105 144v8" />
          </svg>
        </div>
      </div>
    </PageShell>
  );
}
