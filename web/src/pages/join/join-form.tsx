import type { FormEvent, ReactNode } from 'react';
import type { useJoin } from '../../lib/use-join.ts';
import { join } from '../../texts.ts';
import { Headline } from '../../ui/headline.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { Form } from '../../ui/form.tsx';
import styles from '../../ui/form-page.module.css';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';

/** The page from a code to its event. `children`: further fields. */
export function JoinForm({
  joining: { code, setCode, busy, ready, failed, hint },
  onSubmit,
  lead,
  counter,
  children,
}: {
  joining: ReturnType<typeof useJoin>;
  onSubmit: (event: FormEvent) => void;
  lead: string;
  counter: 'always' | 'filled';
  children?: ReactNode;
}) {
  return (
    <PageShell width="narrow">
      <Form className={styles.form} onSubmit={onSubmit}>
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
