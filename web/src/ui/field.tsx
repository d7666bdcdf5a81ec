import { useId, type ChangeEvent, type InputHTMLAttributes, type ReactNode } from 'react';
import styles from './field.module.css';
import { useTyped } from './use-typed.ts';

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  hint?: ReactNode;
  /** German sentence; shown at the field and told to screen readers. */
  error?: string | undefined;
}

/** A labelled input with its hint and its error. */
export function Field({ label, hint, error, className = '', ...input }: FieldProps) {
  const id = useId();
  const typed = useTyped<HTMLInputElement>(input.value, (target) => input.onChange?.({ target } as ChangeEvent<HTMLInputElement>));
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <input
        ref={typed}
        id={id}
        className={`${styles.input} ${className}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy || undefined}
        {...input}
      />
      {hint && (
        <span id={`${id}-hint`} className={styles.hint}>
          {hint}
        </span>
      )}
      {error && (
        <span id={`${id}-error`} className={styles.error} role="alert">
          {error}
        </span>
      )}
    </div>
  );
}
