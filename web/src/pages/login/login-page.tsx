import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { call } from '../../api/client.ts';
import { afterHostLogin } from '../../lib/after-login.ts';
import { queryParameter } from '../../lib/query.ts';
import { login } from '../../texts.ts';
import { LoginForm } from '../../ui/login-form.tsx';

/** /login: hosts, with the event's code and their password. */
export default function LoginPage() {
  const [, navigate] = useLocation();
  const [redirect] = useState(() => queryParameter('redirect'));
  const [initial] = useState(() => ({ username: queryParameter('username'), password: queryParameter('password') }));

  useEffect(() => {
    // What was prefilled leaves the address bar and the history.
    if (initial.username || initial.password) {
      window.history.replaceState(null, '', redirect ? `/login?redirect=${encodeURIComponent(redirect)}` : '/login');
    }
    let current = true;
    call('GET /auth/check').then(
      ({ authenticated, role, userCode }) => {
        if (current && authenticated && role === 'user' && userCode) navigate(`/manage/${userCode}`, { replace: true });
      },
      // Who cannot be recognised logs in.
      () => undefined,
    );
    return () => {
      current = false;
    };
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
        navigate(afterHostLogin(redirect, userCode), { replace: true });
      }}
    />
  );
}
