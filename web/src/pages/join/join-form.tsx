import type { ReactNode } from 'react';
import { useJoin } from '../../lib/use-join.ts';
import { join } from '../../texts.ts';
import { Headline } from '../../ui/headline.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { Form } from '../../ui/form.tsx';
import styles from '../../ui/form-page.module.css';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';

interface JoinFormProps {
  lead: string;
  counter: 'always' | 'filled';
  /** The code while nobody has typed one. */
  given?: string;
  /** What is typed into the field for it, where the form has one. */
  password?: string;
  /** Further fields. */
  children?: ReactNode;
}

/** The page from a code to its event. */
export function JoinForm({ lead, counter, given, password, children }: JoinFormProps) {
  const { code, setCode, busy, ready, failed, hint, submit } = useJoin(given);
  return (
    <PageShell width="narrow">
      <Form className={styles.form} onSubmit={(event) => submit(event, password)}>
        <Headline>{join.title}</Headline>
        <p className={styles.lead}>{lead}</p>
        <CodeField value={code} onChange={setCode} counter={counter} />
        {children}
        {failed && (
          <Notice kind="error">
            <strong>{join.failed}</strong>
            {hint && <span>{hint}</span>}
          </Notice>
        )}
        <Button type="submit" wide busy={busy} disabled={!ready}>
          {join.open}
        </Button>
        <a href="/" className={styles.back}>
          {join.back}
        </a>
      </Form>
    </PageShell>
  );
}
