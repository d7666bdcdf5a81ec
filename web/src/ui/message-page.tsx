import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { messageOf } from '../api/client.ts';
import { shell } from '../texts/guest/shell.ts';
import { Button } from './button.tsx';
import { Headline } from './headline.tsx';
import styles from './message-page.module.css';
import { PageShell } from './page-shell.tsx';

interface MessagePageProps {
  title: string;
  icon?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}

/** A page with a single message about an occurrence and the next step. */
export function MessagePage({ title, icon = <CircleAlert size={30} />, actions, children }: MessagePageProps) {
  return (
    <PageShell width="narrow">
      <div className={styles.card}>
        <div className={styles.icon}>{icon}</div>
        <Headline>{title}</Headline>
        {children}
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
    </PageShell>
  );
}

/** The failure of a page, and its repetition. */
export interface Failure {
  code: string;
  error: unknown;
  onRetry(): void;
}

/** Stands in place of a page that could not be shown; `children` replace the error's text. */
export function FailedPage({ title, error, onRetry, children = <p>{messageOf(error)}</p> }: Omit<Failure, 'code'> & MessagePageProps) {
  return (
    <MessagePage title={title} actions={<Button onClick={onRetry}>{shell.retry}</Button>}>
      {children}
    </MessagePage>
  );
}
