import { useJoin } from '../../lib/use-join.ts';
import { join } from '../../texts.ts';
import { Button } from '../../ui/button.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './home-page.module.css';

/** From the code to the event, as on /join. */
export function JoinCard() {
  const { code, setCode, busy, ready, failed, hint, submit } = useJoin();

  return (
    <Form className={styles.join} onSubmit={(event) => submit(event)}>
      <h2>{join.title}</h2>
      <CodeField value={code} onChange={setCode} counter="filled" />
      {failed && (
        <Notice kind="error">
          <strong>{join.failed}</strong>
          {hint && <span>{hint}</span>}
        </Notice>
      )}
      <Button type="submit" wide busy={busy} disabled={!ready}>
        {join.title}
      </Button>
    </Form>
  );
}
