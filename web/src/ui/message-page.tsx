import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
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
export function MessagePage({ title, icon = <CircleAlert size={30} aria-hidden="true" />, actions, children }: MessagePageProps) {
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
