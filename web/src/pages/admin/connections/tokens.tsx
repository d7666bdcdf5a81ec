import type { ApiToken } from '@feierbild/contract/calls/connections.ts';
import type { TokenScope } from '@feierbild/contract/constants.ts';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { useOrigin } from '../../../lib/event-url.ts';
import { formatInstant } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { useForm } from '../../../ui/use-form.ts';
import styles from './connections.module.css';
import { ShownOnce } from './shown-once.tsx';

interface TokensProps {
  tokens: ApiToken[];
  onChanged(): Promise<unknown>;
}

const SCOPES: Record<TokenScope, string> = {
  'events:read': 'Events lesen',
  'events:write': 'Events anlegen und ändern',
  'calendar:read': 'Kalender lesen',
  'calendar:titles': 'mit Titeln',
};
const isOfCalendar = ({ scopes }: ApiToken): boolean => scopes.includes('calendar:read');

/** Tokens of programs: to make one, which is shown this once, and to revoke them. */
export function ProgramsSection({ tokens, onChanged }: TokensProps) {
  const { field, typed, setTyped, change, onSubmit, failure, busy } = useForm({ name: '', read: true, write: true });
  const [made, setMade] = useState<string | null>(null);

  async function add(): Promise<void> {
    const scopes: TokenScope[] = [];
    if (typed.read) scopes.push('events:read');
    if (typed.write) scopes.push('events:write');
    setMade(null);
    setMade((await call('POST /admin/tokens', { body: { name: typed.name, scopes } })).token);
    setTyped({ ...typed, name: '' });
    await onChanged();
  }

  /** What was shown may be what was revoked. */
  function forget(): Promise<unknown> {
    setMade(null);
    return onChanged();
  }

  const nothing = (): Record<string, string> => (typed.read || typed.write ? {} : { name: 'Bitte wählen Sie aus, was erlaubt ist.' });

  return (
    <section className={styles.section} aria-labelledby="programme">
      <h2 id="programme">Programme</h2>
      <p className="soft">Mit einem Token darf ein Buchungsprogramm oder ein Formular Events lesen oder anlegen.</p>
      {made && <ShownOnce what="Token" value={made} hint="Bitte tragen Sie es jetzt im Programm ein." />}
      <TokenList tokens={tokens.filter((token) => !isOfCalendar(token))} onChanged={forget} />
      <form className={styles.form} noValidate onSubmit={onSubmit(add, nothing)}>
        <Field label="Name des Programms" hint="Zum Wiedererkennen, etwa „Buchung“." autoComplete="off" {...field('name')} />
        <Switch label={SCOPES['events:read']} checked={typed.read} onChange={(read) => change('read', read)} />
        <Switch
          label={SCOPES['events:write']}
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
    </section>
  );
}

/** Addresses of calendars, whose token is in the address. */
export function CalendarSection({ tokens, onChanged }: TokensProps) {
  const { field, typed, setTyped, change, onSubmit, failure, busy } = useForm({ name: '', titles: true });
  const [made, setMade] = useState<string | null>(null);
  const origin = useOrigin();

  async function add(): Promise<void> {
    const scopes: TokenScope[] = typed.titles ? ['calendar:read', 'calendar:titles'] : ['calendar:read'];
    setMade(null);
    setMade((await call('POST /admin/tokens', { body: { name: typed.name, scopes } })).token);
    setTyped({ ...typed, name: '' });
    await onChanged();
  }

  /** What was shown may be what was revoked. */
  function forget(): Promise<unknown> {
    setMade(null);
    return onChanged();
  }

  return (
    <section className={styles.section} aria-labelledby="kalender">
      <h2 id="kalender">Kalender</h2>
      <p className="soft">Mit einer Kalenderadresse stehen die Events im Kalender des Handys oder Büros. Wer sie kennt, sieht sie.</p>
      {made && (
        <ShownOnce
          what="Adresse"
          value={`${origin}/admin/calendar.ics?token=${made}`}
          hint="Bitte tragen Sie sie jetzt im Kalender als Abonnement ein."
        />
      )}
      <TokenList tokens={tokens.filter(isOfCalendar)} onChanged={forget} />
      <form className={styles.form} noValidate onSubmit={onSubmit(add)}>
        <Field label="Name des Kalenders" hint="Zum Wiedererkennen, etwa „Handy von Frieda“." autoComplete="off" {...field('name')} />
        <Switch
          label="Titel der Events zeigen"
          hint="Sonst steht dort nur der Event-Code."
          checked={typed.titles}
          onChange={(titles) => change('titles', titles)}
        />
        {failure && <Notice kind="error">{failure}</Notice>}
        <span>
          <Button type="submit" busy={busy}>
            Adresse anlegen
          </Button>
        </span>
      </form>
    </section>
  );
}

function TokenList({ tokens, onChanged }: TokensProps) {
  const [revoking, setRevoking] = useState<ApiToken | null>(null);

  async function revoke({ id }: ApiToken): Promise<void> {
    await call('DELETE /admin/tokens/:id', { params: { id } });
    setRevoking(null);
    await onChanged();
  }

  if (tokens.length === 0) return null;
  return (
    <>
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
            <Button look="secondary" aria-label={`„${token.name}“ widerrufen`} onClick={() => setRevoking(token)}>
              Widerrufen
            </Button>
          </li>
        ))}
      </ul>
      {revoking && (
        <ConfirmDialog
          title="Zugriff widerrufen?"
          confirm="Widerrufen"
          onClose={() => setRevoking(null)}
          onConfirm={() => revoke(revoking)}
        >
          <p>„{revoking.name}“ hat dann sofort keinen Zugriff mehr. Das lässt sich nicht rückgängig machen.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
