import { useEffectEvent, useId, useLayoutEffect, useRef, type ChangeEvent, type InputHTMLAttributes, type ReactNode } from 'react';
import styles from './field.module.css';

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  hint?: ReactNode;
  /** A German sentence, which is shown at the field and announced by screen readers. */
  error?: string | undefined;
  /** Content beside the hint, at the field's other end. */
  aside?: ReactNode;
  /** Number of lines of a multi-line field. */
  rows?: number;
}

/** A labelled field with its hint and its error. */
export function Field({ label, hint, error, aside, ...input }: FieldProps) {
  const id = useId();
  const element = useRef<HTMLInputElement>(null);
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const takeOver = useEffectEvent((target: HTMLInputElement) => {
    if (target.value !== '' && target.value !== input.value) input.onChange?.({ target } as ChangeEvent<HTMLInputElement>);
  });
  // A person or a password manager may have typed into the drawn page before its code came: React's state takes that over once.
  useLayoutEffect(() => {
    if (element.current) takeOver(element.current);
  }, []);
  const Input = (input.rows === undefined ? 'input' : 'textarea') as 'input';
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <Input
        ref={element}
        id={id}
        className={styles.input}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy || undefined}
        {...input}
      />
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
