import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { Link } from 'wouter';
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

function classes(look: Look, wide: boolean, extra = ''): string {
  return `${styles.button} ${styles[look]} ${wide ? styles.wide : ''} ${extra}`;
}

/** A button that sends no form unless `type` says so, and none twice while it is `busy`. */
export function Button({
  look = 'primary',
  busy = false,
  wide = false,
  className,
  children,
  disabled,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button type={type} className={classes(look, wide, className)} disabled={disabled || busy} aria-busy={busy || undefined} {...rest}>
      {busy && <Spinner />}
      {children}
    </button>
  );
}

interface ButtonLinkProps {
  href: string;
  look?: Look;
  wide?: boolean;
  className?: string;
  children: ReactNode;
}

/** A link within the site that looks like a button. */
export function ButtonLink({ href, look = 'primary', wide = false, className, children }: ButtonLinkProps) {
  return (
    <Link href={href} className={classes(look, wide, className)}>
      {children}
    </Link>
  );
}
