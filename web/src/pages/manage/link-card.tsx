import type { ReactNode } from 'react';
import styles from './dashboard.module.css';

interface LinkCardProps {
  href: string;
  icon: ReactNode;
  title: string;
  enabled: boolean;
  children: ReactNode;
}

/** The way to one of the event's pages; greyed where it is off. */
export function LinkCard({ href, icon, title, enabled, children }: LinkCardProps) {
  const content = (
    <>
      {icon}
      <h2>{title}</h2>
      <p className={styles.soft}>{children}</p>
    </>
  );
  if (!enabled) {
    return (
      <div className={`${styles.card} ${styles.off}`} aria-disabled="true">
        {content}
      </div>
    );
  }
  return (
    <a href={href} className={styles.card}>
      {content}
    </a>
  );
}
