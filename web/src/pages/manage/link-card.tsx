import type { ReactNode } from 'react';
import styles from './dashboard.module.css';

interface LinkCardProps {
  href: string;
  icon: ReactNode;
  title: string;
  /** Address of a photo behind the icon; without one it stands on plain colour. */
  picture?: string | undefined;
  enabled: boolean;
  children: ReactNode;
}

/** The way to one of the event's pages; greyed where it is off. */
export function LinkCard({ href, icon, title, picture, enabled, children }: LinkCardProps) {
  const content = (
    <>
      <span className={styles.picture}>
        {picture && <img src={picture} alt="" decoding="async" />}
        <span className={styles.disc}>{icon}</span>
      </span>
      <h2>{title}</h2>
      <p className="soft">{children}</p>
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
