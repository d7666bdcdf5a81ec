import type { FormEvent, ReactNode } from 'react';
import { ApiError, isRefusal, messageOf } from '../api/client.ts';
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
import { useTask } from './use-task.ts';

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
  const { busy, error, run } = useTask();
  const failure = error === null ? null : toldOf(error);

  function toldOf(caught: unknown): string[] {
    if (isRefusal(caught, 'invalid_credentials')) return [wrong];
    if (trouble === undefined || !(caught instanceof ApiError)) return [messageOf(caught)];
    const hint = failureHint(caught);
    return hint === null ? [trouble] : [trouble, hint];
  }

  async function login(): Promise<void> {
    if (username.trim() === '' || password.trim() === '') throw new Error(texts.blank);
    try {
      await onSubmit({ username: username.trim(), password });
    } catch (caught) {
      if (clearPassword) setPassword('');
      throw caught;
    }
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    void run(login);
  }

  return (
    <PageShell width="narrow">
      <Form className={styles.form} onSubmit={submit} noValidate>
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
            {failure.map((line) => (
              <span key={line}>{line}</span>
            ))}
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
