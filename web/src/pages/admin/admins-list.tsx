import { useState } from 'react';
import { call, messageOf } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './admin.module.css';

interface Admin {
  id: string;
  username: string;
  own: boolean;
}

/** The list of administrators, to add one (whose password is shown only once) and to remove others. */
export function AdminsList({ admins, error, onChanged }: { admins: Admin[]; error: unknown; onChanged(): Promise<void> }) {
  const { field, typed, setTyped, onSubmit, run, failure, busy } = useForm({ username: '' });
  const [added, setAdded] = useState<{ username: string; password: string } | null>(null);
  const [removing, setRemoving] = useState<string | null>(null);

  async function add(): Promise<void> {
    setAdded(null);
    setAdded(await call('POST /admin/admins', { body: typed }));
    setTyped({ username: '' });
    await onChanged();
  }

  async function remove(id: string): Promise<void> {
    await call('DELETE /admin/admins/:id', { params: { id } });
    setRemoving(null);
    setAdded(null);
    await onChanged();
  }

  return (
    <section className={styles.account} aria-label="Wer verwaltet">
      <h3>Wer verwaltet</h3>
      <ul className={styles.admins}>
        {admins.map(({ id, username, own }) => (
          <li key={id}>
            <span className={styles.adminName}>
              {username} {own && <span className="soft">(Sie)</span>}
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
                <Button look="danger" busy={busy} onClick={() => void run(() => remove(id))}>
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
      <form className={styles.addAdmin} noValidate onSubmit={onSubmit(add)}>
        <Field label="Weiterer Benutzername" autoComplete="off" spellCheck={false} {...field('username')} />
        <span>
          <Button type="submit" look="secondary" busy={busy && removing === null}>
            Hinzufügen
          </Button>
        </span>
      </form>
    </section>
  );
}
