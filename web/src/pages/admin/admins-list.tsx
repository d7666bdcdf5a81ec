import { useState, type FormEvent } from 'react';
import { ApiError, call, messageOf } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './admin.module.css';

interface Admin {
  id: string;
  username: string;
  own: boolean;
}

/** The list of administrators, to add one (whose password is shown only once) and to remove others. */
export function AdminsList({ admins, error, onChanged }: { admins: Admin[]; error: unknown; onChanged(): Promise<void> }) {
  const [name, setName] = useState('');
  const [mistake, setMistake] = useState('');
  const [failure, setFailure] = useState('');
  const [added, setAdded] = useState<{ username: string; password: string } | null>(null);
  const [removing, setRemoving] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function run(work: () => Promise<void>): Promise<void> {
    if (busy) return;
    setBusy(true);
    setMistake('');
    setFailure('');
    try {
      await work();
      await onChanged();
    } catch (caught) {
      const field = caught instanceof ApiError ? caught.fields['username'] : undefined;
      if (field) setMistake(field);
      else setFailure(messageOf(caught));
    } finally {
      setBusy(false);
    }
  }

  function add(event: FormEvent): void {
    event.preventDefault();
    void run(async () => {
      setAdded(null);
      setAdded(await call('POST /admin/admins', { body: { username: name } }));
      setName('');
    });
  }

  const remove = (id: string): Promise<void> =>
    run(async () => {
      await call('DELETE /admin/admins/:id', { params: { id } });
      setRemoving(null);
      setAdded(null);
    });

  return (
    <section className={styles.account} aria-label="Wer verwaltet">
      <h3>Wer verwaltet</h3>
      <ul className={styles.admins}>
        {admins.map(({ id, username, own }) => (
          <li key={id}>
            <span className={styles.adminName}>
              {username} {own && <span className={styles.soft}>(Sie)</span>}
            </span>
            {!own && removing !== id && (
              <Button look="quiet" aria-label={`${username} entfernen`} onClick={() => setRemoving(id)}>
                Entfernen
              </Button>
            )}
            {removing === id && (
              <span className={styles.confirm}>
                <Button look="secondary" onClick={() => setRemoving(null)}>
                  Abbrechen
                </Button>
                <Button look="danger" busy={busy} onClick={() => void remove(id)}>
                  Zugang endgültig entfernen
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {added && (
        <Notice kind="warning">
          <span>
            Benutzername <strong>{added.username}</strong>, Passwort <strong className={styles.mono}>{added.password}</strong>
          </span>
          <span>Das Passwort wird nur dieses eine Mal angezeigt.</span>
        </Notice>
      )}
      {(failure || error !== null) && <Notice kind="error">{failure || messageOf(error)}</Notice>}
      <form className={styles.addAdmin} noValidate onSubmit={add}>
        <Field
          label="Weiterer Benutzername"
          autoComplete="off"
          spellCheck={false}
          value={name}
          error={mistake || undefined}
          onChange={({ target }) => setName(target.value)}
        />
        <span>
          <Button type="submit" look="secondary" busy={busy && removing === null}>
            Hinzufügen
          </Button>
        </span>
      </form>
    </section>
  );
}
