import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { shell } from '../texts/guest/shell.ts';
import styles from './notice.module.css';

const ICONS = { error: CircleAlert, warning: CircleAlert, info: Info, success: CircleCheck };

interface NoticeProps {
  kind: keyof typeof ICONS;
  /** Whether the notice is always there, so that screen readers need not announce it. */
  permanent?: boolean;
  /** Called by a button that closes the notice; without it there is no such button. */
  onDismiss?(): void;
  children: ReactNode;
}

/** A message at the place to which it belongs. Screen readers announce errors at once. */
export function Notice({ kind, permanent = false, onDismiss, children }: NoticeProps) {
  const Icon = ICONS[kind];
  const live = kind === 'error' ? 'alert' : 'status';
  return (
    <div className={`${styles.notice} ${styles[kind]}`} role={permanent ? 'note' : live}>
      <Icon size={20} />
      <div className={styles.body}>{children}</div>
      {onDismiss && (
        <button type="button" className={styles.dismiss} aria-label={shell.dismiss} onClick={onDismiss}>
          <X size={20} />
        </button>
      )}
    </div>
  );
}
