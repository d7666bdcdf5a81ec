import { isEventCode } from '@feierbild/contract/event-code.ts';
import { useState, type FormEvent } from 'react';
import { Link, useLocation } from 'wouter';
import { call } from '../../api/client.ts';
import { join } from '../../texts.ts';
import { Button } from '../../ui/button.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { Form } from '../../ui/form.tsx';
import styles from '../../ui/form-page.module.css';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { failureHint } from '../../lib/join-failure.ts';

/** /join: from the code to the event. */
export default function JoinPage() {
  const [, navigate] = useLocation();
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!isEventCode(code) || busy) return;
    setBusy(true);
    setFailure(null);
    try {
      await call('GET /event/:code', { params: { code } });
      navigate(`/event/${code}`);
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
        <p className={styles.lead}>Den Code finden Sie auf der Einladung oder auf der Karte am Tisch.</p>
        <CodeField value={code} onChange={setCode} counter="always" />
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
