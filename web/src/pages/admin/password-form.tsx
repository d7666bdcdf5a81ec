import { isLongEnough } from '@feierbild/contract/admin-password.ts';
import { ADMIN_PASSWORD_MIN } from '@feierbild/contract/constants.ts';
import { call } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './admin.module.css';

const NO_PASSWORDS = { current_password: '', new_password: '', repeated: '' };

/** What can be said before anything is sent: a German text for each field that is wrong. */
function checkPasswords({ current_password, new_password, repeated }: typeof NO_PASSWORDS): Record<string, string> {
  const mistakes: Record<string, string> = {};
  if (current_password === '') mistakes.current_password = 'Bitte geben Sie das aktuelle Passwort ein.';
  if (!isLongEnough(new_password)) {
    mistakes.new_password = `Das neue Passwort braucht mindestens ${ADMIN_PASSWORD_MIN} Zeichen.`;
  } else if (repeated !== new_password) mistakes.repeated = 'Die beiden Passwörter stimmen nicht überein.';
  return mistakes;
}

/** Changes the own password. */
export function PasswordForm({ username, onChanged }: { username: string; onChanged(): void }) {
  const { field, typed, setTyped, onSubmit, sent, failure, busy } = useForm(NO_PASSWORDS);

  const password = (name: keyof typeof NO_PASSWORDS, autoComplete: string) => ({ type: 'password', autoComplete, ...field(name) });

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
