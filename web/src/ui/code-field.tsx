import { EVENT_CODE_LENGTH } from '@feierbild/contract/constants.ts';
import type { ChangeEvent } from 'react';
import { pastedCode } from '../lib/pasted-link.ts';
import { joining } from '../texts/guest/join.ts';
import styles from './field.module.css';
import { Field } from './field.tsx';

/** The field for an event code, which is cleaned while typing and pasting. `counter` says when n/8 is shown. */
export function CodeField({ value, onChange, counter }: { value: string; onChange(code: string): void; counter: 'always' | 'filled' }) {
  function type({ target }: ChangeEvent<HTMLInputElement>): void {
    const code = pastedCode(target.value);
    const caret = pastedCode(target.value.slice(0, target.selectionStart ?? undefined)).length;
    if (target.value !== code) {
      // Otherwise React would move the caret to the end when a letter in the middle is changed.
      target.value = code;
      target.setSelectionRange(caret, caret);
    }
    onChange(code);
  }

  return (
    <Field
      label={joining.code}
      hint={joining.hint}
      aside={(counter === 'always' || value !== '') && <span>{`${value.length}/${EVENT_CODE_LENGTH}`}</span>}
      className={`${styles.input} ${styles.code}`}
      value={value}
      onChange={type}
      dir={value === '' ? undefined : 'ltr'}
      placeholder={joining.placeholder}
      pattern="[A-Za-z0-9]{8}"
      autoCapitalize="characters"
      autoComplete="off"
      autoCorrect="off"
      spellCheck={false}
    />
  );
}
