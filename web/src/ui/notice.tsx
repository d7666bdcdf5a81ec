import { CircleAlert, CircleCheck, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './notice.module.css';

const ICONS = { error: CircleAlert, warning: CircleAlert, info: Info, success: CircleCheck };

/** Something to read at the place where it happened. Errors are announced at once. */
export function Notice({ kind, children }: { kind: keyof typeof ICONS; children: ReactNode }) {
  const Icon = ICONS[kind];
  return (
    <div className={`${styles.notice} ${styles[kind]}`} role={kind === 'error' ? 'alert' : 'status'}>
      <Icon size={20} aria-hidden="true" />
      <div className={styles.body}>{children}</div>
    </div>
  );
}
