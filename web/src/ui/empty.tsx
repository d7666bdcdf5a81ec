import type { ReactNode } from 'react';
import styles from './empty.module.css';

/** In place of a list without entries: why, and what can be done. */
export const Empty = ({ children }: { children: ReactNode }) => <div className={styles.empty}>{children}</div>;
