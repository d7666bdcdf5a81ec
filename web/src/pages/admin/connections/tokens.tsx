import type { ApiToken } from '@feierbild/contract/calls/connections.ts';
import type { TokenScope } from '@feierbild/contract/constants.ts';
import { useState } from 'react';
import { call, isRefusal } from '../../../api/client.ts';
import { useOrigin } from '../../../lib/event-url.ts';
import { formatInstant } from '../../../lib/format.ts';
import { useSendKey } from '../../../lib/use-send-key.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { FormEnd } from '../../../ui/form-end.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { SwitchGroup } from './switch-group.tsx';
import styles from '../sections.module.css';
import { ShownOnce } from '../../../ui/shown-once.tsx';

const SCOPES: Record<TokenScope, string> = {
  'events:read': 'Events lesen',
  'events:write': 'Events anlegen und ändern',
  'calendar:read': 'Kalender lesen',
  'calendar:titles': 'mit Titeln',
};

/** A kind of tokens, with fixed rights and rights to choose. */
interface TokenKind {
  id: string;
  title: string;
  about: string;
  name: { label: string; hint: string };
  always: TokenScope[];
  chosen: { scope: TokenScope; label: string; hint?: string }[];
  /** Texts and form of a new token, which is shown once. */
  what: string;
  hint: string;
  shown(token: string, origin: string): string;
}

const PROGRAMS: TokenKind = {
  id: 'programme',
  title: 'Programme',
  about: 'Mit einem Token darf ein Buchungsprogramm oder ein Formular Events lesen oder anlegen.',
  name: { label: 'Name des Programms', hint: 'Zum Wiedererkennen, etwa „Buchung“.' },
  always: [],
  chosen: [
    { scope: 'events:read', label: SCOPES['events:read'] },
    { scope: 'events:write', label: SCOPES['events:write'], hint: 'Löschen kann ein Programm nichts.' },
  ],
  what: 'Token',
  hint: 'Bitte tragen Sie es jetzt im Programm ein.',
  shown: (token) => token,
};
const CALENDARS: TokenKind = {
  id: 'kalender',
  title: 'Kalender',
  about: 'Mit einer Kalenderadresse stehen die Events im Kalender des Handys oder Büros. Wer sie kennt, sieht sie.',
  name: { label: 'Name des Kalenders', hint: 'Zum Wiedererkennen, etwa „Handy von Frieda“.' },
  always: ['calendar:read'],
  chosen: [{ scope: 'calendar:titles', label: 'Titel der Events zeigen', hint: 'Sonst steht dort nur der Event-Code.' }],
  what: 'Adresse',
  hint: 'Bitte tragen Sie sie jetzt im Kalender als Abonnement ein.',
  shown: (token, origin) => `${origin}/admin/calendar.ics?token=${token}`,
};
const kindOf = ({ scopes }: ApiToken): TokenKind => (scopes.includes('calendar:read') ? CALENDARS : PROGRAMS);

interface TokensProps {
  tokens: ApiToken[];
  onChanged(): Promise<unknown>;
}

/** Tokens of programs and calendars: creates tokens, which are shown only once, and revokes them. */
export function TokenSections(props: TokensProps) {
  return [PROGRAMS, CALENDARS].map((kind) => <TokenSection key={kind.id} kind={kind} {...props} />);
}

function TokenSection({ kind, tokens, onChanged }: TokensProps & { kind: TokenKind }) {
  const all = [...kind.always, ...kind.chosen.map(({ scope }) => scope)];
  const { field, typed, mistakes, restart, change, onSubmit, failure, busy } = useForm({ name: '', scopes: all });
  /** The new tokens, each of which is shown until the page is left. */
  const [made, setMade] = useState<{ token: string; entry: ApiToken }[]>([]);
  const sending = useSendKey();
  const origin = useOrigin();

  async function add(): Promise<void> {
    try {
      const headers = { 'idempotency-key': sending.keyFor(typed) };
      const fresh = await call('POST /admin/tokens', { headers, body: typed });
      setMade((now) => [...now, fresh]);
      sending.answered();
      restart({ ...typed, name: '' });
    } catch (error) {
      // The token of a lost answer was revoked meanwhile, so the next press means a new one.
      if (isRefusal(error, 'token_not_found')) sending.answered();
      throw error;
    } finally {
      // A call without an answer may also have created the token.
      await onChanged();
    }
  }

  return (
    <section className={styles.section} aria-labelledby={kind.id}>
      <h2 id={kind.id}>{kind.title}</h2>
      <p className="soft">{kind.about}</p>
      {made.map(({ token }) => (
        <ShownOnce key={token} what={kind.what} value={kind.shown(token, origin)} hint={kind.hint} />
      ))}
      <TokenList
        tokens={tokens.filter((token) => kindOf(token) === kind)}
        onRevoked={(id) => setMade((now) => now.filter(({ entry }) => entry.id !== id))}
        onChanged={onChanged}
      />
      <form className={`${styles.form} ${styles.divided}`} noValidate onSubmit={onSubmit(add)}>
        <Field {...kind.name} autoComplete="off" {...field('name')} />
        <SwitchGroup
          choices={kind.chosen.map(({ scope, ...shown }) => ({ value: scope, ...shown }))}
          chosen={typed.scopes}
          onChange={(scopes) => change('scopes', scopes)}
        />
        <FormEnd failure={failure || mistakes['scopes']} busy={busy}>
          {kind.what} anlegen
        </FormEnd>
      </form>
    </section>
  );
}

function TokenList({ tokens, onRevoked, onChanged }: TokensProps & { onRevoked(id: string): void }) {
  const [revoking, setRevoking] = useState<ApiToken | null>(null);

  async function revoke({ id }: ApiToken): Promise<void> {
    try {
      await call('DELETE /admin/tokens/:id', { params: { id } });
      setRevoking(null);
      onRevoked(id);
    } finally {
      // Also where it failed: it may be gone already.
      await onChanged();
    }
  }

  if (tokens.length === 0) return null;
  return (
    <>
      <ul className={`bare ${styles.list}`}>
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
