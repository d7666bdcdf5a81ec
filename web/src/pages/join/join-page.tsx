import { joining } from '../../texts/guest/join.ts';
import { Headline } from '../../ui/headline.tsx';
import { JoinForm, type JoinFormProps } from '../../ui/join-form.tsx';
import styles from '../../ui/form-page.module.css';
import { PageShell } from '../../ui/page-shell.tsx';

/** /join: the form that leads from the code to the event. */
export default function JoinPage() {
  return <JoinFrame lead={joining.lead} counter="always" />;
}

/** The form as a page of its own. */
export function JoinFrame({ lead, ...form }: Pick<JoinFormProps, 'counter' | 'given' | 'password' | 'children'> & { lead: string }) {
  const head = (
    <>
      <Headline>{joining.title}</Headline>
      <p className={styles.lead}>{lead}</p>
    </>
  );
  const back = (
    <a href="/" className={styles.back}>
      {joining.back}
    </a>
  );
  return (
    <PageShell width="narrow">
      <JoinForm {...form} className={styles.form} head={head} open={joining.open} foot={back} />
    </PageShell>
  );
}
