import { isEventCode } from '@feierbild/contract/event-code.ts';
import { useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';
import { call } from '../../api/client.ts';
import { failureHint } from '../../lib/join-failure.ts';
import { join } from '../../texts.ts';
import { Button } from '../../ui/button.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './home-page.module.css';

/** From the code to the event, as on /join. */
export function JoinCard() {
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
    <Form className={styles.join} onSubmit={(event) => void submit(event)}>
      <h2>{join.title}</h2>
      <CodeField value={code} onChange={setCode} counter="filled" />
      {failure !== null && (
        <Notice kind="error">
          <strong>{join.failed}</strong>
          {hint && <span>{hint}</span>}
        </Notice>
      )}
      <Button type="submit" wide busy={busy} disabled={!isEventCode(code)}>
        {join.title}
      </Button>
    </Form>
  );
}
