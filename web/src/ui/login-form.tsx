import { useState, type FormEvent, type ReactNode } from 'react';
import { isRefusal, messageOf } from '../api/client.ts';
import { failureHint } from '../lib/failure-hint.ts';
import { useBrowserValue } from '../lib/query.ts';
import { login as texts } from '../texts.ts';
import { Headline } from './headline.tsx';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import { Form } from './form.tsx';
import styles from './form-page.module.css';
import { Notice } from './notice.tsx';
import { PageShell } from './page-shell.tsx';

interface LoginFormProps {
  title: string;
  lead: string;
  initial?: { username: string; password: string };
  /** Text for wrong credentials. */
  wrong: string;
  /** Text for everything else, with a second line where more is known; without it the error's own. */
  trouble?: string;
  /** Empties the password after an error. */
  clearPassword?: boolean;
  footnote?: ReactNode;
  onSubmit(credentials: { username: string; password: string }): Promise<void>;
}

/** Username and password, for hosts and for the administration. */
export function LoginForm({ title, lead, initial, wrong, trouble, clearPassword = false, footnote, onSubmit }: LoginFormProps) {
  // The server drew the form for all, without what this address brings.
  const [username, setUsername] = useBrowserValue(() => initial?.username ?? '', '');
  const [password, setPassword] = useBrowserValue(() => initial?.password ?? '', '');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<{ text: string; hint: string | null } | null>(null);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    if (username.trim() === '' || password.trim() === '') {
      setFailure({ text: texts.blank, hint: null });
      return;
    }
    setBusy(true);
    setFailure(null);
    try {
      await onSubmit({ username: username.trim(), password });
    } catch (error) {
      if (isRefusal(error, 'invalid_credentials')) setFailure({ text: wrong, hint: null });
      else if (trouble === undefined) setFailure({ text: messageOf(error), hint: null });
      else setFailure({ text: trouble, hint: failureHint(error) });
      if (clearPassword) setPassword('');
      setBusy(false);
    }
  }

  return (
    <PageShell width="narrow">
      <Form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        <Headline>{title}</Headline>
        <p className={styles.lead}>{lead}</p>
        <Field
          label="Benutzername"
          value={username}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          onChange={({ target }) => setUsername(target.value)}
        />
        <Field
          label="Passwort"
          type="password"
          value={password}
          autoComplete="current-password"
          onChange={({ target }) => setPassword(target.value)}
        />
        {failure && (
          <Notice kind="error">
            <span>{failure.text}</span>
            {failure.hint && <span>{failure.hint}</span>}
          </Notice>
        )}
        <Button type="submit" wide busy={busy}>
          Anmelden
        </Button>
        {footnote}
      </Form>
    </PageShell>
  );
}
