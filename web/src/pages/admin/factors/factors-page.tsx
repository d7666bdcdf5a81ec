import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { Notice } from '../../../ui/notice.tsx';
import { AdminFrame } from '../admin-frame.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import styles from '../sections.module.css';
import type { FactorsProps } from './factor-item.tsx';
import { PasskeysSection } from './passkeys-section.tsx';
import { TotpSection } from './totp-section.tsx';

const queryKey = ['factors'];

/** /admin/zweiter-faktor: the second factors of the administrator who is logged in. */
export default function FactorsPage() {
  const queries = useQueryClient();
  const query = useQuery({ queryKey, queryFn: () => call('GET /admin/factors') });
  return (
    <AdminFrame
      title="Zweiter Faktor"
      lead="Wer Ihr Passwort erfährt, kommt damit allein nicht in die Verwaltung. Fotos öffnet der zweite Faktor nicht: das kann nur das Passwort."
      width="reading"
      className={styles.page}
    >
      <Loaded query={query}>
        {(data) => <FactorSections factors={data} onChanged={(factors) => queries.setQueryData(queryKey, factors)} />}
      </Loaded>
    </AdminFrame>
  );
}

/** The page without its frame. */
export function FactorSections({ factors, onChanged }: FactorsProps) {
  const none = !factors.totp && factors.passkeys.length === 0;
  return (
    <>
      {factors.required && none && (
        <Notice kind="warning">
          In dieser Verwaltung braucht jeder Zugang einen zweiten Faktor. Richten Sie einen ein, dann geht es weiter.
        </Notice>
      )}
      {!none && (
        <Notice kind="success">
          Bei der Anmeldung werden Sie nach dem Passwort danach gefragt. Am besten richten Sie zwei ein: Geht einer verloren, hilft der
          andere.
        </Notice>
      )}
      <TotpSection factors={factors} onChanged={onChanged} />
      <PasskeysSection factors={factors} onChanged={onChanged} />
    </>
  );
}
