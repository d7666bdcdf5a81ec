import type { ReactNode } from 'react';
import { useTypedGuard } from '../lib/typed-guard.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

interface FormEndProps {
  failure: string | undefined;
  busy: boolean;
  /** Something was typed that a person would miss: more than one short word or code. */
  changed?: boolean;
  look?: 'primary' | 'danger';
  /** On its button. */
  children: ReactNode;
}

/** The end of a form: why it could not be sent, and its button. It asks before the page is left with something `changed`. */
export function FormEnd({ failure, busy, changed = false, look = 'primary', children }: FormEndProps) {
  useTypedGuard(changed);
  return (
    <>
      {failure && <Notice kind="error">{failure}</Notice>}
      <span>
        <Button type="submit" look={look} busy={busy}>
          {children}
        </Button>
      </span>
    </>
  );
}
