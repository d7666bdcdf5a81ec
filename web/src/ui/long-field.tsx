import { useId, type ChangeEvent, type TextareaHTMLAttributes } from 'react';
import styles from './field.module.css';
import { useTyped } from './use-typed.ts';

interface LongFieldProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  label: string;
  hint?: string;
  /** German sentence; shown at the field and told to screen readers. */
  error?: string | undefined;
}

/** A labelled field for several lines, with its hint and its error. */
export function LongField({ label, hint, error, ...textarea }: LongFieldProps) {
  const id = useId();
  const typed = useTyped<HTMLTextAreaElement>(textarea.value, (target) =>
    textarea.onChange?.({ target } as ChangeEvent<HTMLTextAreaElement>),
  );
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <textarea
        ref={typed}
        id={id}
        className={styles.input}
        rows={4}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy || undefined}
        {...textarea}
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
