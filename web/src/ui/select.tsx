import { useId, type ReactNode } from 'react';
import styles from './select.module.css';

export type Option<Value extends string> = [value: Value, name: string];

interface SelectProps<Value extends string> {
  label: ReactNode;
  /** Set for a select among others of its kind. */
  isLabelHidden?: boolean;
  value: Value;
  options: Option<Value>[] | { name: string; options: Option<Value>[] }[];
  onChange(value: Value): void;
}

/** A choice of one of several values, by the platform's own list. */
export function Select<Value extends string>({ label, isLabelHidden = false, value, options, onChange }: SelectProps<Value>) {
  const id = useId();
  return (
    <div className={styles.select}>
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : undefined}>
        {label}
      </label>
      <select id={id} value={value} onChange={({ target }) => onChange(target.value as Value)}>
        {options.map((one) =>
          Array.isArray(one) ? (
            <ListOption key={one[0]} option={one} />
          ) : (
            <optgroup key={one.name} label={one.name}>
              {one.options.map((option) => (
                <ListOption key={option[0]} option={option} />
              ))}
            </optgroup>
          ),
        )}
      </select>
    </div>
  );
}

const ListOption = ({ option: [value, name] }: { option: Option<string> }) => <option value={value}>{name}</option>;
