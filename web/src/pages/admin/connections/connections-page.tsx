import { useQuery } from '@tanstack/react-query';
import { call, isRefusal, messageOf } from '../../../api/client.ts';
import { Notice } from '../../../ui/notice.tsx';
import { Waiting } from '../../../ui/spinner.tsx';
import { AdminFrame } from '../admin-frame.tsx';
import styles from '../sections.module.css';
import { TokenSections } from './tokens.tsx';
import { WebhooksSection } from './webhooks-section.tsx';

async function readConnections() {
  const [{ tokens }, { webhooks }] = await Promise.all([call('GET /admin/tokens'), call('GET /admin/webhooks')]);
  return { tokens, webhooks };
}

/** /admin/verbindungen: what programs of others may do here, and what they are told. */
export function ConnectionsPage() {
  const { data, error, refetch } = useQuery({ queryKey: ['connections'], queryFn: readConnections });
  // Without a session the client is on its way to the login.
  if (isRefusal(error, 'login_required')) return null;
  if (!data && !error) return <Waiting />;
  return (
    <AdminFrame
      title="Verbindungen"
      lead="Was andere Programme hier dürfen und erfahren. Fotos sieht keines: die öffnet nur das Passwort des Gastgebers."
      width="reading"
      className={styles.page}
    >
      {error && <Notice kind="error">{messageOf(error)}</Notice>}
      {data && (
        <>
          <TokenSections tokens={data.tokens} onChanged={refetch} />
          <WebhooksSection webhooks={data.webhooks} onChanged={refetch} />
        </>
      )}
    </AdminFrame>
  );
}
