import { Link } from 'wouter';
import { useJoin } from '../../lib/use-join.ts';
import { join } from '../../texts.ts';
import { Button } from '../../ui/button.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { Form } from '../../ui/form.tsx';
import styles from '../../ui/form-page.module.css';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';

/** /join: from the code to the event. */
export default function JoinPage() {
  const { code, setCode, busy, ready, failed, hint, submit } = useJoin();

  return (
    <PageShell width="narrow">
      <Form className={styles.form} onSubmit={(event) => submit(event)}>
        <h1 tabIndex={-1}>{join.title}</h1>
        <p className={styles.lead}>Den Code finden Sie auf der Einladung oder auf der Karte am Tisch.</p>
        <CodeField value={code} onChange={setCode} counter="always" />
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
