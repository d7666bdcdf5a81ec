import type { AccountRole } from '@feierbild/contract/calls/accounts.ts';
import { ADMIN_PASSWORD_MIN } from '@feierbild/contract/constants.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { FormEnd } from '../../ui/form-end.tsx';
import { heldStill } from '../../ui/held-still.ts';
import { Notice } from '../../ui/notice.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useForm } from '../../ui/use-form.ts';
import { useShownOnce } from '../../lib/use-shown-once.ts';
import { UserName } from '../../ui/user-name.tsx';
import styles from './access.module.css';
import { AdminFrame } from './admin-frame.tsx';
import { meQuery, statusQuery } from './admin-queries.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { AccessSection } from './settings/access-section.tsx';

/** /admin/zugang: the own access, and for administrators all accounts. */
export default function AccessPage() {
  const me = useQuery(meQuery);
  return (
    <AdminFrame title="Zugang" lead="Wer hier verwaltet, und womit." width="reading" className={styles.access}>
      <Loaded query={me}>
        {({ username, role }) => (
          <>
            <OwnPassword username={username} />
            <OwnFactor />
            {role === 'admin' && <Everybody />}
          </>
        )}
      </Loaded>
    </AdminFrame>
  );
}

/** The accounts, and the settings for all of them. */
function Everybody() {
  const admins = useQuery({ queryKey: ['admins'], queryFn: () => call('GET /admin/admins') });
  return (
    <>
      <Loaded query={admins}>{({ admins: all }) => <AdminsList admins={all} onChanged={admins.refetch} />}</Loaded>
      <section className={styles.account} aria-labelledby="for-all">
        <h2 id="for-all">Für alle</h2>
        <AccessSection />
      </section>
    </>
  );
}

function OwnPassword({ username }: { username: string }) {
  const queries = useQueryClient();
  return <PasswordForm username={username} onChanged={() => void queries.invalidateQueries({ queryKey: statusQuery.queryKey })} />;
}

const NO_PASSWORDS = { current_password: '', new_password: '', repeated: '' };

/** Changes the own password. */
export function PasswordForm({ username, onChanged }: { username: string; onChanged(): void }) {
  const { field, typed, restart, onSubmit, sent, failure, busy, changed } = useForm(NO_PASSWORDS);

  const password = (name: keyof typeof NO_PASSWORDS, autoComplete: string) => ({ type: 'password', autoComplete, ...field(name) });

  async function change(): Promise<void> {
    const { current_password, new_password } = typed;
    await call('PUT /admin/password', { body: { current_password, new_password } });
    restart(NO_PASSWORDS);
    onChanged();
  }

  /** Finds the one mistake that the server cannot see. */
  const mistakes = (): Record<string, string> =>
    typed.repeated === typed.new_password ? {} : { repeated: 'Die beiden Passwörter stimmen nicht überein.' };

  return (
    <form className={styles.account} noValidate onSubmit={onSubmit(change, mistakes)} {...heldStill(busy)}>
      <h2>Passwort ändern</h2>
      <UserName value={username} />
      <Field label="Aktuelles Passwort" {...password('current_password', 'current-password')} />
      <Field label="Neues Passwort" hint={`Mindestens ${ADMIN_PASSWORD_MIN} Zeichen.`} {...password('new_password', 'new-password')} />
      <Field label="Neues Passwort wiederholen" {...password('repeated', 'new-password')} />
      {sent && <Notice kind="success">Das Passwort ist geändert. Auf anderen Geräten sind Sie abgemeldet.</Notice>}
      <FormEnd failure={failure} busy={busy} changed={changed}>
        Passwort ändern
      </FormEnd>
    </form>
  );
}

/** The link to the own second factors. */
function OwnFactor() {
  return (
    <section className={styles.account} aria-label="Zweiter Faktor">
      <h2>Zweiter Faktor</h2>
      <p>Ein Code vom Handy oder ein Passkey, zusätzlich zum Passwort.</p>
      <span>
        <ButtonLink href="/admin/zweiter-faktor" look="secondary">
          Zweiter Faktor
        </ButtonLink>
      </span>
    </section>
  );
}

interface AdminsListProps {
  admins: { id: string; username: string; role: AccountRole; own: boolean; second_factor: boolean }[];
  onChanged(): Promise<unknown>;
}

function AddedAdmin({ username, password }: { username: string; password: string }) {
  const { keep } = useShownOnce('Das Passwort');
  return (
    <Notice kind="warning">
      <span>
        Benutzername <strong translate="no">{username}</strong>, Passwort{' '}
        <strong translate="no" className={styles.mono} onCopy={keep}>
          {password}
        </strong>
      </span>
      <span>Das Passwort wird nur dieses eine Mal angezeigt.</span>
    </Notice>
  );
}

const NOBODY = { username: '', assists: false };

/** The list of administrators and assistants, to add one (whose password is shown only once) and to remove others. */
export function AdminsList({ admins, onChanged }: AdminsListProps) {
  const { field, typed, restart, change, onSubmit, run, failure, busy } = useForm(NOBODY);
  /** The new accesses, each of which is shown with its password until the page is left. */
  const [added, setAdded] = useState<{ username: string; password: string }[]>([]);
  const [removing, setRemoving] = useState<string | null>(null);
  const [resetting, setResetting] = useState<string | null>(null);

  async function add(): Promise<void> {
    try {
      const { username, assists } = typed;
      const fresh = await call('POST /admin/admins', { body: { username, role: assists ? 'assistant' : 'admin' } });
      setAdded((now) => [...now, fresh]);
      restart(NOBODY);
    } finally {
      // A call without an answer may also have created the account.
      await onChanged();
    }
  }

  async function reset(id: string): Promise<void> {
    try {
      await call('DELETE /admin/admins/:id/factors', { params: { id } });
      setResetting(null);
    } finally {
      await onChanged();
    }
  }

  async function remove(id: string, name: string): Promise<void> {
    try {
      await call('DELETE /admin/admins/:id', { params: { id } });
      setRemoving(null);
      setAdded((now) => now.filter(({ username }) => username !== name));
    } finally {
      // Also where it failed: somebody else may have removed it.
      await onChanged();
    }
  }

  return (
    <section className={styles.account} aria-label="Wer verwaltet">
      <h2>Wer verwaltet</h2>
      <ul className={`bare ${styles.admins}`}>
        {admins.map(({ id, username, role, own, second_factor: secured }) => (
          <li key={id}>
            <span className={styles.adminName}>
              {username} {own && <span className="soft">(Sie)</span>}
              {role === 'assistant' && <span className="soft">(Helfer)</span>}
            </span>
            {resetting === id ? (
              <span className={styles.confirm}>
                <Button look="secondary" onClick={() => setResetting(null)}>
                  Abbrechen
                </Button>
                <Button
                  look="danger"
                  aria-label={`Zweiten Faktor wirklich entfernen, von ${username}`}
                  busy={busy}
                  onClick={() => void run(() => reset(id))}
                >
                  Zweiten Faktor wirklich entfernen
                </Button>
              </span>
            ) : (
              !own &&
              secured && (
                <Button look="quiet" aria-label={`Zweiten Faktor entfernen, von ${username}`} onClick={() => setResetting(id)}>
                  Zweiten Faktor entfernen
                </Button>
              )
            )}
            {removing === id ? (
              <span className={styles.confirm}>
                <Button look="secondary" onClick={() => setRemoving(null)}>
                  Abbrechen
                </Button>
                <Button look="danger" busy={busy} onClick={() => void run(() => remove(id, username))}>
                  Zugang endgültig entfernen
                </Button>
              </span>
            ) : (
              !own && (
                <Button look="quiet" aria-label={`${username} entfernen`} onClick={() => setRemoving(id)}>
                  Entfernen
                </Button>
              )
            )}
          </li>
        ))}
      </ul>
      {added.map((one) => (
        <AddedAdmin key={one.username} {...one} />
      ))}
      {failure && <Notice kind="error">{failure}</Notice>}
      <form className={styles.addAdmin} noValidate onSubmit={onSubmit(add)}>
        <Field label="Weiterer Benutzername" autoComplete="off" spellCheck={false} {...field('username')} />
        <Switch
          label="Nur Helfer"
          hint="Legt Events an, ändert und druckt sie. Löscht nichts, sieht keine Einstellungen und keine Passwörter. Das bleibt so: Für eine andere Rolle den Zugang entfernen und neu anlegen."
          checked={typed.assists}
          onChange={(on) => change('assists', on)}
        />
        <span>
          <Button type="submit" look="secondary" busy={busy && removing === null && resetting === null}>
            Hinzufügen
          </Button>
        </span>
      </form>
    </section>
  );
}
