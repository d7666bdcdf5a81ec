import type { PapersState } from '@feierbild/contract/calls/compliance.ts';
import type { ReactNode } from 'react';
import { Notice } from '../../../ui/notice.tsx';
import styles from './papers.module.css';

/** Number of changes that are named one by one. */
const NAMED = 8;

/** The statements that differ from those given to customers. */
export function Changes({ changes, children }: Pick<PapersState, 'changes'> & { children?: ReactNode }) {
  return (
    <Notice kind="warning" permanent>
      <strong>AVV neu erzeugen, Kunden informieren</strong>
      <ul className={styles.changes}>
        {changes.slice(0, NAMED).map(({ about, before, now }) => (
          <li key={about}>
            {about}: bisher {before}, jetzt {now}
          </li>
        ))}
        {changes.length > NAMED && <li>und {changes.length - NAMED} weitere</li>}
      </ul>
      {children}
    </Notice>
  );
}
