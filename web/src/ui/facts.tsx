import type { ReactNode } from 'react';
import styles from './facts.module.css';

export type Fact = [name: string, value: ReactNode];

/** Names and values, as a list; null is left out. `look`: one below the other, or each a line of a sheet. */
export function Facts({
  facts,
  look = 'stacked',
  className = '',
}: {
  facts: Fact[];
  look?: 'stacked' | 'lines';
  className?: string | undefined;
}) {
  return (
    <dl className={`${styles.facts} ${styles[look]} ${className}`}>
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
