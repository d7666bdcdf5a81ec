import { useId, type ChangeEvent, type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes } from 'react';
import styles from './field.module.css';
import { useTyped } from './use-typed.ts';

interface Labels {
  label: string;
  hint?: ReactNode;
  /** German sentence; shown at the field and announced by screen readers. */
  error?: string | undefined;
  /** Beside the hint, at the field's other end. */
  aside?: ReactNode;
}

/** A labelled input with its hint and its error. */
export function Field({ label, hint, error, ...input }: Labels & InputHTMLAttributes<HTMLInputElement>) {
  const typed = useTyped<HTMLInputElement>(input.value, (target) => input.onChange?.({ target } as ChangeEvent<HTMLInputElement>));
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(named) => <input ref={typed} className={styles.input} {...named} {...input} />}
    </Labelled>
  );
}

/** A labelled field for several lines, with its hint and its error. */
export function LongField({ label, hint, error, ...textarea }: Labels & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const typed = useTyped<HTMLTextAreaElement>(textarea.value, (target) =>
    textarea.onChange?.({ target } as ChangeEvent<HTMLTextAreaElement>),
  );
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(named) => <textarea ref={typed} className={styles.input} rows={4} {...named} {...textarea} />}
    </Labelled>
  );
}

/** Around a field, which gets the attributes that tie label, hint and error to it. */
export function Labelled({ label, hint, error, aside, children }: Labels & { children: (named: object) => ReactNode }) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': describedBy || undefined })}
      {hint && (
        <div className={styles.row}>
          <span id={`${id}-hint`}>{hint}</span>
          {aside}
        </div>
      )}
      {error && (
        <span id={`${id}-error`} className={styles.error} role="alert">
          {error}
        </span>
      )}
    </div>
  );
}
