import type { ReactNode } from 'react';
import { useTypedGuard } from '../lib/typed-guard.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

interface FormEndProps {
  failure: string | undefined;
  busy: boolean;
  /** Whether input would be missed: more than one short word or code was typed. */
  changed?: boolean;
  look?: 'primary' | 'danger';
  /** Label of the submit button. */
  children: ReactNode;
}

/** The end of a form: its failure and its button. It asks before the page is left while `changed`. */
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
