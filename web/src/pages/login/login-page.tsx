import type { FactorAsked } from '@feierbild/contract/second-factor.ts';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { ApiError, call, isRefusal, messageOf } from '../../api/client.ts';
import { afterAdminLogin, afterHostLogin } from '../../lib/after-login.ts';
import { failureHint } from '../../lib/failure-hint.ts';
import { queryParameter } from '../../lib/query.ts';
import { login } from '../../texts.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import styles from '../../ui/form-page.module.css';
import { Form } from '../../ui/form.tsx';
import { Headline } from '../../ui/headline.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { SecondFactor, useSecondFactor } from '../../ui/second-factor.tsx';
import { useForm } from '../../ui/use-form.ts';

const NO_COOKIES = 'Ihr Browser blockiert Cookies. Ohne Cookie bleibt niemand angemeldet: Bitte lassen Sie Cookies für diese Adresse zu.';

/** /login: the login of hosts, by the event's code and their password. */
export default function LoginPage() {
  const [, navigate] = useLocation();
  const [redirect] = useState(() => queryParameter('redirect'));
  const [initial] = useState(() => ({ username: queryParameter('username'), password: queryParameter('password') }));

  useEffect(() => {
    // Prefilled values are removed from the address bar and the history.
    if (initial.username || initial.password) {
      window.history.replaceState(null, '', redirect ? `/login?redirect=${encodeURIComponent(redirect)}` : '/login');
    }
    const leaving = new AbortController();
    call('GET /auth/check', { signal: leaving.signal }).then(
      ({ authenticated, role, userCode }) => {
        if (authenticated && role === 'user' && userCode) navigate(afterHostLogin(redirect, userCode), { replace: true });
      },
      // Without a session the form stays.
      () => undefined,
    );
    return () => leaving.abort();
  }, [initial, navigate, redirect]);

  return (
    <LoginForm
      title="Event verwalten"
      lead="Melden Sie sich mit dem Event-Code und dem Passwort an, das Sie vom Veranstaltungsservice bekommen haben."
      initial={initial}
      wrong={login.wrongHost}
      footnote={<small>Fotos werden 30 Tage nach einem Event gelöscht; der Zugang endet dann mit.</small>}
      onSubmit={async (credentials) => {
        const { userCode } = await call('POST /auth/user/login', { body: credentials });
        await checkKept();
        navigate(afterHostLogin(redirect, userCode), { replace: true });
      }}
    />
  );
}

/** /admin/login: the login of the administration. */
export function AdminLoginPage() {
  const [, navigate] = useLocation();
  const [redirect] = useState(() => queryParameter('redirect'));
  /** The credentials, kept only in memory until the second factor is given. */
  const credentials = useRef({ username: '', password: '' });
  const { asked, ask, askPasskey, forget } = useSecondFactor(async (second_factor) => {
    await call('POST /auth/admin/login', { body: { ...credentials.current, ...(second_factor && { second_factor }) } }).catch(
      (error: unknown) => {
        // The password was changed since the first step.
        if (!second_factor || !isRefusal(error, 'invalid_credentials')) throw error;
        throw new ApiError(error.status, error.code, login.wrongAdmin);
      },
    );
    await checkKept();
    navigate(afterAdminLogin(redirect), { replace: true });
  });
  if (asked) {
    return (
      <PageShell width="narrow">
        <div className={styles.form}>
          <Headline>Zweiter Faktor</Headline>
          <p className={styles.lead}>{factorLead(asked)}</p>
          <SecondFactor asked={asked} ask={ask} askPasskey={askPasskey} confirm="Anmelden" />
          <Button look="quiet" onClick={forget}>
            Zurück
          </Button>
        </div>
      </PageShell>
    );
  }
  return (
    <LoginForm
      title="Verwaltung"
      lead="Anmeldung für den Betreiber."
      wrong={login.wrongAdmin}
      trouble={login.trouble}
      onSubmit={(typed) => {
        credentials.current = typed;
        return ask();
      }}
    />
  );
}

/** Throws an Error if the browser has not kept the session, because the next page would silently lead back to the login. */
async function checkKept(): Promise<void> {
  if (navigator.cookieEnabled) return;
  const { authenticated } = await call('GET /auth/check').catch(() => ({ authenticated: false }));
  if (!authenticated) throw new Error(NO_COOKIES);
}

function factorLead({ totp, passkey }: FactorAsked): string {
  if (totp && passkey) return 'Bitte bestätigen Sie die Anmeldung mit dem Code Ihrer App oder einem Passkey.';
  return totp ? 'Bitte geben Sie den Code ein, den Ihre App zeigt.' : 'Bitte bestätigen Sie die Anmeldung mit Ihrem Passkey.';
}

interface LoginFormProps {
  title: string;
  lead: string;
  initial?: { username: string; password: string };
  /** Text for wrong credentials. */
  wrong: string;
  /** Text for all other errors, with a second line if more is known; the password is emptied. Without it the error's own text is shown. */
  trouble?: string;
  footnote?: ReactNode;
  onSubmit(credentials: { username: string; password: string }): Promise<void>;
}

/** The form for username and password, for hosts and for the administration. */
export function LoginForm({ title, lead, initial, wrong, trouble, footnote, onSubmit }: LoginFormProps) {
  const { field, typed, setTyped, onSubmit: submitted, error, busy } = useForm({ username: '', password: '' });
  const { username, password } = typed;
  // The server renders the form without the values in the address; input typed since then has precedence over them.
  useEffect(() => {
    if (initial) setTyped((before) => ({ username: before.username || initial.username, password: before.password || initial.password }));
  }, [initial, setTyped]);
  const failure = error === null ? null : toldOf(error);

  function toldOf(caught: unknown): string[] {
    if (isRefusal(caught, 'invalid_credentials')) return [wrong];
    if (trouble === undefined || !(caught instanceof ApiError)) return [messageOf(caught)];
    const hint = failureHint(caught);
    return hint === null ? [trouble] : [trouble, hint];
  }

  async function send(): Promise<void> {
    if (username.trim() === '' || password.trim() === '') throw new Error(login.blank);
    try {
      await onSubmit({ username: username.trim(), password });
    } catch (caught) {
      if (trouble) setTyped((now) => (now === typed ? { ...now, password: '' } : now));
      throw caught;
    }
  }

  return (
    <PageShell width="narrow">
      <Form className={styles.form} onSubmit={submitted(send)} noValidate>
        <Headline>{title}</Headline>
        <p className={styles.lead}>{lead}</p>
        <Field label="Benutzername" autoComplete="username" autoCapitalize="none" spellCheck={false} {...field('username')} />
        <Field label="Passwort" type="password" autoComplete="current-password" {...field('password')} />
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
