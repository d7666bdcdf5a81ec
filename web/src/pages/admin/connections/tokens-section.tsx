import type { ApiToken } from '@feierbild/contract/calls/connections.ts';
import type { TokenScope } from '@feierbild/contract/constants.ts';
import { Check, Copy } from 'lucide-react';
import { useRef, useState } from 'react';
import { call } from '../../../api/client.ts';
import { formatInstant } from '../../../lib/format.ts';
import { useCopy } from '../../../lib/use-copy.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { useForm } from '../../../ui/use-form.ts';
import styles from './connections.module.css';

interface TokensSectionProps {
  tokens: ApiToken[];
  onChanged(): Promise<unknown>;
}

const SCOPES: Record<TokenScope, string> = {
  'events:read': 'Events lesen',
  'events:write': 'Events anlegen und ändern',
  'calendar:read': 'Kalender lesen',
  'calendar:titles': 'mit Titeln',
};

/** Tokens of programs: to make one, which is shown this once, and to revoke them. */
export function TokensSection({ tokens, onChanged }: TokensSectionProps) {
  const { field, typed, setTyped, change, onSubmit, failure, busy } = useForm({ name: '', read: true, write: true });
  const [made, setMade] = useState<string | null>(null);
  const [revoking, setRevoking] = useState<ApiToken | null>(null);

  async function add(): Promise<void> {
    const scopes: TokenScope[] = [...(typed.read ? (['events:read'] as const) : []), ...(typed.write ? (['events:write'] as const) : [])];
    setMade(null);
    setMade((await call('POST /admin/tokens', { body: { name: typed.name, scopes } })).token);
    setTyped({ ...typed, name: '' });
    await onChanged();
  }

  async function revoke({ id }: ApiToken): Promise<void> {
    await call('DELETE /admin/tokens/:id', { params: { id } });
    setRevoking(null);
    await onChanged();
  }

  const nothing = (): Record<string, string> => (typed.read || typed.write ? {} : { name: 'Bitte wählen Sie aus, was erlaubt ist.' });

  return (
    <section className={styles.section} aria-labelledby="programme">
      <h2 id="programme">Programme</h2>
      <p className="soft">
        Ein Token lässt ein Programm Events lesen oder anlegen. Wie das geht, steht mit Beispielen unter „Verbindungen“ in der Anleitung.
      </p>
      {made && <NewToken token={made} />}
      {tokens.length > 0 && (
        <ul className={styles.list}>
          {tokens.map((token) => (
            <li key={token.id}>
              <div>
                <strong>{token.name}</strong>
                <span>{token.scopes.map((scope) => SCOPES[scope]).join(', ')}</span>
                <span className="soft">
                  Angelegt am {formatInstant(token.created_at)} von {token.created_by}.{' '}
                  {token.last_used_at ? `Zuletzt benutzt am ${formatInstant(token.last_used_at)}.` : 'Noch nicht benutzt.'}
                </span>
              </div>
              <Button look="secondary" aria-label={`Token „${token.name}“ widerrufen`} onClick={() => setRevoking(token)}>
                Widerrufen
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form className={styles.form} noValidate onSubmit={onSubmit(add, nothing)}>
        <Field label="Name des Programms" hint="Zum Wiedererkennen, etwa „Buchung“." autoComplete="off" {...field('name')} />
        <Switch label="Events lesen" checked={typed.read} onChange={(read) => change('read', read)} />
        <Switch
          label="Events anlegen und ändern"
          hint="Löschen kann ein Programm nichts."
          checked={typed.write}
          onChange={(write) => change('write', write)}
        />
        {failure && <Notice kind="error">{failure}</Notice>}
        <span>
          <Button type="submit" busy={busy}>
            Token anlegen
          </Button>
        </span>
      </form>
      {revoking && (
        <ConfirmDialog title="Token widerrufen?" confirm="Widerrufen" onClose={() => setRevoking(null)} onConfirm={() => revoke(revoking)}>
          <p>„{revoking.name}“ hat dann sofort keinen Zugriff mehr. Das lässt sich nicht rückgängig machen.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

/** A token, shown this once, to copy. */
export function NewToken({ token }: { token: string }) {
  const { notice, copied, copy } = useCopy();
  const shown = useRef<HTMLElement>(null);
  return (
    <Notice kind="warning">
      <span>Das Token wird nur dieses eine Mal angezeigt. Bitte tragen Sie es jetzt im Programm ein.</span>
      <code ref={shown} className={styles.secret}>
        {token}
      </code>
      <span>
        <Button look="secondary" onClick={() => void copy(token, 'Kopiert', shown.current)}>
          {copied ? <Check size={20} /> : <Copy size={20} />} Kopieren
        </Button>
      </span>
      <span role="status">{notice}</span>
    </Notice>
  );
}
