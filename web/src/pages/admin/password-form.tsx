import { ADMIN_PASSWORD_MIN } from '@feierbild/contract/constants.ts';
import { call } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './admin.module.css';
import { checkPasswords, NO_PASSWORDS, type Passwords } from './password-model.ts';

/** Changes the own password. */
export function PasswordForm({ username, onChanged }: { username: string; onChanged(): void }) {
  const { field, typed, setTyped, onSubmit, sent, failure, busy } = useForm(NO_PASSWORDS);

  const password = (name: keyof Passwords, autoComplete: string) => ({ type: 'password', autoComplete, ...field(name) });

  async function change(): Promise<void> {
    const { current_password, new_password } = typed;
    await call('PUT /admin/password', { body: { current_password, new_password } });
    setTyped(NO_PASSWORDS);
    onChanged();
  }

  return (
    <form className={styles.account} noValidate onSubmit={onSubmit(change, () => checkPasswords(typed))}>
      <h3>Passwort ändern</h3>
      <input type="hidden" name="username" autoComplete="username" value={username} />
      <Field label="Aktuelles Passwort" {...password('current_password', 'current-password')} />
      <Field label="Neues Passwort" hint={`Mindestens ${ADMIN_PASSWORD_MIN} Zeichen.`} {...password('new_password', 'new-password')} />
      <Field label="Neues Passwort wiederholen" {...password('repeated', 'new-password')} />
      {failure && <Notice kind="error">{failure}</Notice>}
      {sent && <Notice kind="success">Das Passwort ist geändert. Auf anderen Geräten sind Sie abgemeldet.</Notice>}
      <span>
        <Button type="submit" busy={busy}>
          Passwort ändern
        </Button>
      </span>
    </form>
  );
}
