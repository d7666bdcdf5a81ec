import { useId, type ComponentProps, type ReactNode } from 'react';
import styles from './tool-row.module.css';

type ToolSelectProps = Pick<ComponentProps<'select'>, 'children'> & { label: string; value: string; onChange(value: string): void };

/** A labelled select in a row of tools. */
export function ToolSelect({ label, value, onChange, children }: ToolSelectProps) {
  const id = useId();
  return (
    <div className={styles.select}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
        {children}
      </select>
    </div>
  );
}

/** The row of tools above a grid. `onReach` is called when pointer or focus reaches it: a filter needs all photos. */
export function ToolRow({ onReach, children }: { onReach(): void; children: ReactNode }) {
  return (
    <div className={styles.tools} onPointerEnter={onReach} onFocus={onReach}>
      {children}
    </div>
  );
}
