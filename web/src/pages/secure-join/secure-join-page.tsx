import { GUEST_PASSWORD_MAX } from '@feierbild/contract/constants.ts';
import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import { Eye, EyeOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { queryParameter, useInBrowser } from '../../lib/query.ts';
import { useJoin } from '../../lib/use-join.ts';
import { join } from '../../texts.ts';
import { Button } from '../../ui/button.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import styles from '../../ui/form-page.module.css';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';

/** `maxLength` counts UTF-16 units; a character may have two. */
const PASSWORD_UNITS = 2 * GUEST_PASSWORD_MAX;

/** /securejoin: code and event password, both checked before the event opens. */
export default function SecureJoinPage() {
  const inBrowser = useInBrowser();
  const { code, setCode, busy, ready, failed, hint, submit } = useJoin(() => (inBrowser ? cleanEventCode(queryParameter('code')) : ''));
  const [password, setPassword] = useState('');
  const [shown, setShown] = useState(false);

  // The server's HTML is the same for all; the code in the address is read in the browser.
  useEffect(() => {
    const given = cleanEventCode(queryParameter('code'));
    if (given) setCode(given);
  }, [setCode]);

  return (
    <PageShell width="narrow">
      <Form className={styles.form} onSubmit={(event) => submit(event, password)}>
        <h1 tabIndex={-1}>{join.title}</h1>
        <p className={styles.lead}>Dieses Event ist mit einem Passwort geschützt. Sie bekommen es vom Gastgeber.</p>
        <CodeField value={code} onChange={setCode} counter="filled" />
        <Field
          label={join.password}
          type={shown ? 'text' : 'password'}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          maxLength={PASSWORD_UNITS}
        />
        <Button look="quiet" aria-pressed={shown} onClick={() => setShown(!shown)}>
          {shown ? <EyeOff size={20} aria-hidden="true" /> : <Eye size={20} aria-hidden="true" />} Passwort zeigen
        </Button>
        {failed && (
          <Notice kind="error">
            <strong>{join.failed}</strong>
            {hint && <span>{hint}</span>}
          </Notice>
        )}
        <Button type="submit" wide busy={busy} disabled={!ready}>
          {join.open}
        </Button>
        <Link href="/" className={styles.back}>
          {join.back}
        </Link>
      </Form>
    </PageShell>
  );
}
