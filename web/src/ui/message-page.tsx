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

/** A page with a single message: what happened, and what to do next. */
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

/** A page that failed: why, and how to try again. */
export interface Failure {
  code: string;
  error: unknown;
  onRetry(): void;
}

/** A page that could not be shown; `children` in place of what the error says. */
export function FailedPage({ title, error, onRetry, children = <p>{messageOf(error)}</p> }: Omit<Failure, 'code'> & MessagePageProps) {
  return (
    <MessagePage title={title} actions={<Button onClick={onRetry}>{shell.retry}</Button>}>
      {children}
    </MessagePage>
  );
}
