import type { ReactNode } from 'react';
import styles from './empty.module.css';

/** Stands in place of an empty list, and says why it is empty and what can be done. */
export const Empty = ({ children }: { children: ReactNode }) => <div className={styles.empty}>{children}</div>;
