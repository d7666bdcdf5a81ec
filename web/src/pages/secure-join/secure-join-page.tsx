import { GUEST_PASSWORD_MAX } from '@feierbild/contract/constants.ts';
import { cleanEventCode, isEventCode } from '@feierbild/contract/event-code.ts';
import { useEffect, useState, type FormEvent } from 'react';
import { Link, useLocation } from 'wouter';
import { ApiError, call } from '../../api/client.ts';
import { failureHint } from '../../lib/join-failure.ts';
import { queryParameter, useInBrowser } from '../../lib/query.ts';
import { join } from '../../texts.ts';
import { Button } from '../../ui/button.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import styles from '../../ui/form-page.module.css';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';

/** Fields count UTF-16 units, of which a character may have two. */
const PASSWORD_UNITS = 2 * GUEST_PASSWORD_MAX;

/** /securejoin: code and event password, both checked before the event opens. */
export default function SecureJoinPage() {
  const [, navigate] = useLocation();
  const inBrowser = useInBrowser();
  const [code, setCode] = useState(() => (inBrowser ? cleanEventCode(queryParameter('code')) : ''));
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);

  // The document is the same for all; the address is this browser's.
  useEffect(() => {
    const given = cleanEventCode(queryParameter('code'));
    if (given) setCode(given);
  }, []);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!isEventCode(code) || busy) return;
    setBusy(true);
    setFailure(null);
    try {
      const joined = await call('GET /event/:code', { params: { code }, headers: { 'event-password': encodeURIComponent(password) } });
      // An empty header counts as none, and the event would only ask again.
      if (joined.with_upload_password && password === '') throw new ApiError(403, 'wrong_event_password', '');
      navigate(`/event/${code}?password=${encodeURIComponent(password)}`);
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  }

  const hint = failureHint(failure);
  return (
    <PageShell width="narrow">
      <Form className={styles.form} onSubmit={(event) => void submit(event)}>
        <h1 tabIndex={-1}>{join.title}</h1>
        <p className={styles.lead}>Dieses Event ist mit einem Passwort geschützt. Sie bekommen es vom Gastgeber.</p>
        <CodeField value={code} onChange={setCode} counter="filled" />
        <Field
          label={join.password}
          type="password"
          autoComplete="off"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          maxLength={PASSWORD_UNITS}
        />
        {failure !== null && (
          <Notice kind="error">
            <strong>{join.failed}</strong>
            {hint && <span>{hint}</span>}
          </Notice>
        )}
        <Button type="submit" wide busy={busy} disabled={!isEventCode(code)}>
          {join.open}
        </Button>
        <Link href="/" className={styles.back}>
          {join.back}
        </Link>
      </Form>
    </PageShell>
  );
}
