import type { ReactNode } from 'react';
import styles from './description-list.module.css';

export type Description = [name: string, value: ReactNode];

/** Names and values, as a list; null is left out. `look`: one below the other, or each a line of a sheet. */
export function DescriptionList({
  items,
  look = 'stacked',
  className = '',
}: {
  items: Description[];
  look?: 'stacked' | 'lines';
  className?: string | undefined;
}) {
  return (
    <dl className={`${styles.list} ${styles[look]} ${className}`}>
      {items.map(
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
