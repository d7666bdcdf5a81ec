import { useQuery } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { AdminFrame } from '../admin-frame.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import styles from '../sections.module.css';
import { TokenSections } from './tokens.tsx';
import { WebhooksSection } from './webhooks-section.tsx';

async function readConnections() {
  const [{ tokens }, { webhooks }] = await Promise.all([call('GET /admin/tokens'), call('GET /admin/webhooks')]);
  return { tokens, webhooks };
}

/** /admin/verbindungen: the rights of other programs here, and the news sent to them. */
export default function ConnectionsPage() {
  const query = useQuery({ queryKey: ['connections'], queryFn: readConnections });
  const { refetch } = query;
  return (
    <AdminFrame
      title="Verbindungen"
      lead="Was andere Programme hier dürfen und erfahren. Fotos sieht keines: die öffnet nur das Passwort des Gastgebers."
      width="reading"
      className={styles.page}
    >
      <Loaded query={query}>
        {({ tokens, webhooks }) => (
          <>
            <TokenSections tokens={tokens} onChanged={refetch} />
            <WebhooksSection webhooks={webhooks} onChanged={refetch} />
          </>
        )}
      </Loaded>
    </AdminFrame>
  );
}
