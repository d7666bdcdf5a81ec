import { ADMIN_PASSWORD_MIN } from '@feierbild/contract/constants.ts';
import { useState, type FormEvent } from 'react';
import { ApiError, call, messageOf } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './admin.module.css';
import { checkPasswords, NO_PASSWORDS, type Passwords } from './password-model.ts';

/** Changes the own password. */
export function PasswordForm({ username, onChanged }: { username: string; onChanged(): void }) {
  const [typed, setTyped] = useState(NO_PASSWORDS);
  const [mistakes, setMistakes] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState('');
  const [done, setDone] = useState(false);
  const [busy, setBusy] = useState(false);

  const field = (name: keyof Passwords, autoComplete: string) => ({
    type: 'password',
    autoComplete,
    value: typed[name],
    error: mistakes[name],
    onChange: ({ target }: { target: HTMLInputElement }) => {
      setTyped((before) => ({ ...before, [name]: target.value }));
      setMistakes((before) => Object.fromEntries(Object.entries(before).filter(([key]) => key !== name)));
      setDone(false);
    },
  });

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const found = checkPasswords(typed);
    setMistakes(found);
    setFailure('');
    setDone(false);
    if (Object.keys(found).length > 0 || busy) return;
    setBusy(true);
    try {
      await call('PUT /admin/password', { body: { current_password: typed.current_password, new_password: typed.new_password } });
      setTyped(NO_PASSWORDS);
      setDone(true);
      onChanged();
    } catch (error) {
      const fields = error instanceof ApiError ? error.fields : {};
      if (Object.keys(fields).length > 0) setMistakes(fields);
      else setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form className={styles.account} noValidate onSubmit={(event) => void submit(event)}>
      <h3>Passwort ändern</h3>
      <input type="hidden" name="username" autoComplete="username" value={username} />
      <Field label="Aktuelles Passwort" {...field('current_password', 'current-password')} />
      <Field label="Neues Passwort" hint={`Mindestens ${ADMIN_PASSWORD_MIN} Zeichen.`} {...field('new_password', 'new-password')} />
      <Field label="Neues Passwort wiederholen" {...field('repeated', 'new-password')} />
      {failure && <Notice kind="error">{failure}</Notice>}
      {done && <Notice kind="success">Das Passwort ist geändert. Auf anderen Geräten sind Sie abgemeldet.</Notice>}
      <span>
        <Button type="submit" busy={busy}>
          Passwort ändern
        </Button>
      </span>
    </form>
  );
}
