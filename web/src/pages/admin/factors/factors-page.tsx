import { useQuery, useQueryClient } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { useLocation } from 'wouter';
import { call, isRefusal, messageOf } from '../../../api/client.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Waiting } from '../../../ui/spinner.tsx';
import { useTask } from '../../../ui/use-form.ts';
import { AdminFrame } from '../admin-frame.tsx';
import styles from '../sections.module.css';
import type { FactorsProps } from './factor-item.tsx';
import { PasskeysSection } from './passkeys-section.tsx';
import { TotpSection } from './totp-section.tsx';

const queryKey = ['factors'];

/** /admin/zweiter-faktor: what the administrator who is logged in proves himself with beside the password. */
export function FactorsPage() {
  const queries = useQueryClient();
  const { data, error } = useQuery({ queryKey, queryFn: () => call('GET /admin/factors') });
  // Without a session the client is on its way to the login.
  if (isRefusal(error, 'login_required')) return null;
  if (!data && !error) return <Waiting />;
  return (
    <AdminFrame
      title="Zweiter Faktor"
      lead="Wer Ihr Passwort erfährt, kommt damit allein nicht in die Verwaltung. Fotos öffnet der zweite Faktor nicht: das kann nur das Passwort."
      width="reading"
      className={styles.page}
    >
      {error && <Notice kind="error">{messageOf(error)}</Notice>}
      {data && <FactorSections factors={data} onChanged={(factors) => queries.setQueryData(queryKey, factors)} />}
    </AdminFrame>
  );
}

/** For who is led here and wants to go. */
function Leave() {
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const { busy, failure, run } = useTask();

  async function logOut(): Promise<void> {
    const { role } = await call('GET /admin/me');
    await call('POST /auth/logout', { body: { role } });
    queries.clear();
    navigate('/admin/login');
  }

  return (
    <span>
      <Button look="secondary" busy={busy} onClick={() => void run(logOut)}>
        <LogOut size={20} /> Abmelden
      </Button>{' '}
      {failure}
    </span>
  );
}

/** The page without its frame. */
export function FactorSections({ factors, onChanged }: FactorsProps) {
  const none = !factors.totp && factors.passkeys.length === 0;
  return (
    <>
      {factors.required && none && (
        <Notice kind="warning">
          <span>In dieser Verwaltung braucht jeder Zugang einen zweiten Faktor. Richten Sie einen ein, dann geht es weiter.</span>
          <Leave />
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
