import { useState } from 'react';
import { useLocation } from 'wouter';
import { call } from '../../api/client.ts';
import { afterAdminLogin } from '../../lib/after-login.ts';
import { queryParameter } from '../../lib/query.ts';
import { login } from '../../texts.ts';
import { LoginForm } from '../../ui/login-form.tsx';

/** /admin/login */
export default function AdminLoginPage() {
  const [, navigate] = useLocation();
  const [redirect] = useState(() => queryParameter('redirect'));
  return (
    <LoginForm
      title="Verwaltung"
      lead="Anmeldung für den Betreiber."
      wrong={login.wrongAdmin}
      trouble={login.trouble}
      clearPassword
      onSubmit={async (credentials) => {
        await call('POST /auth/admin/login', { body: credentials });
        navigate(afterAdminLogin(redirect), { replace: true });
      }}
    />
  );
}
