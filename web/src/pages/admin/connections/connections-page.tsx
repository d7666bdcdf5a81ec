import { useQuery } from '@tanstack/react-query';
import { call, isRefusal, messageOf } from '../../../api/client.ts';
import { Notice } from '../../../ui/notice.tsx';
import { Waiting } from '../../../ui/spinner.tsx';
import { AdminFrame } from '../admin-frame.tsx';
import styles from './connections.module.css';
import { TokensSection } from './tokens-section.tsx';

/** /admin/verbindungen: what programs of others may do here. */
export function ConnectionsPage() {
  const { data, error, refetch } = useQuery({ queryKey: ['tokens'], queryFn: () => call('GET /admin/tokens') });
  // Without a session the client is on its way to the login.
  if (isRefusal(error, 'login_required')) return null;
  if (!data && !error) return <Waiting />;
  return (
    <AdminFrame
      title="Verbindungen"
      lead="Was Buchungsprogramm, Formular und andere Programme hier dürfen. Fotos sieht keines: die öffnet nur das Passwort des Gastgebers."
      width="reading"
      className={styles.page}
    >
      {error && <Notice kind="error">{messageOf(error)}</Notice>}
      {data && <TokensSection tokens={data.tokens} onChanged={refetch} />}
    </AdminFrame>
  );
}
