import { useState, type AnchorHTMLAttributes, type ButtonHTMLAttributes, type MouseEvent, type Ref } from 'react';
import styles from './button.module.css';
import { Spinner } from './spinner.tsx';

type Look = 'primary' | 'secondary' | 'quiet' | 'danger';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  ref?: Ref<HTMLButtonElement>;
  look?: Look;
  /** Shows a spinner before the label and refuses clicks. */
  busy?: boolean;
  wide?: boolean;
}

/** For what looks like a button and is none of these. */
export function buttonClasses(look: Look, wide = false, extra = ''): string {
  return `${styles.button} ${styles[look]} ${wide ? styles.wide : ''} ${extra}`;
}

/** Two presses within this time are a double press. */
const DOUBLE_MS = 500;

/**
 * A button that sends no form unless `type` says so, and none twice while it is `busy`. One that destroys refuses the second press of a double
 * press to whose first it came: nobody can have read it.
 */
export function Button({ look = 'primary', busy, wide, className, children, disabled, ...rest }: ButtonProps) {
  const [since] = useState(() => performance.now());
  function refuse(event: MouseEvent): void {
    if (look !== 'danger' || event.detail < 2 || performance.now() - since > DOUBLE_MS) return;
    event.preventDefault();
    event.stopPropagation();
  }
  return (
    <button
      type="button"
      className={buttonClasses(look, wide, className)}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      onClickCapture={refuse}
      {...rest}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

interface ButtonLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement>, Pick<ButtonProps, 'look' | 'wide'> {
  href: string;
}

/** A link that looks like a button. */
export function ButtonLink({ href, look = 'primary', wide, className, children, ...rest }: ButtonLinkProps) {
  return (
    <a {...rest} href={href} className={buttonClasses(look, wide, className)}>
      {children}
    </a>
  );
}
