import type { AnchorHTMLAttributes, ButtonHTMLAttributes, MouseEvent, Ref } from 'react';
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

/** Returns the classes of another element that looks like a button. */
export function buttonClasses(look: Look, wide = false, extra = ''): string {
  return `${styles.button} ${styles[look]} ${wide ? styles.wide : ''} ${extra}`;
}

/** The button that was pressed last. */
const last: { pressed: EventTarget | null } = { pressed: null };

/**
 * Refuses the second press of a double press whose first press hit something else: a list has moved, or a dialog has opened under the
 * pointer, and nobody can have read it.
 */
function refuseUnseen(event: MouseEvent): void {
  if (event.detail < 2 || last.pressed === event.currentTarget) last.pressed = event.currentTarget;
  else {
    event.preventDefault();
    event.stopPropagation();
  }
}

/** A button that submits a form only if `type` says so, and not again while it is `busy`. */
export function Button({ look = 'primary', busy, wide, className, children, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={buttonClasses(look, wide, className)}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      onClickCapture={refuseUnseen}
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
