import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

interface FormEndProps {
  failure: string | undefined;
  busy: boolean;
  look?: 'primary' | 'danger';
  /** On its button. */
  children: ReactNode;
}

/** The end of a form: why it could not be sent, and its button. */
export function FormEnd({ failure, busy, look = 'primary', children }: FormEndProps) {
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
