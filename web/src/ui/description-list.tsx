import type { ReactNode } from 'react';
import styles from './description-list.module.css';

export type Description = [name: string, value: ReactNode];

/** A list of names and values; a value of null is left out. `look`: a name above its value, or both in one line of a sheet. */
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
