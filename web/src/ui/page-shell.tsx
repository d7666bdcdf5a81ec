import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { BrandMark } from './brand-mark.tsx';
import styles from './page-shell.module.css';

interface PageShellProps {
  /** Reading width of the page's content. */
  width?: 'narrow' | 'reading' | 'full' | 'wide';
  /** Leaves the header out on phones, where the page's own has what is needed. */
  ownHeaderOnPhones?: boolean;
  /** Buttons at the header's right. */
  actions?: ReactNode;
  footer?: boolean;
  /** What stands above the footer's legal links. */
  aboveFooter?: ReactNode;
  /** Off where leaving the page by a stray tap would cost something. */
  brandLink?: boolean;
  children: ReactNode;
}

/** Every page but the dark ones: skip link, header with the brand, main part, footer with the legal links. */
export function PageShell({
  width = 'full',
  ownHeaderOnPhones = false,
  actions,
  footer = true,
  aboveFooter,
  brandLink = true,
  children,
}: PageShellProps) {
  return (
    <>
      <a className={styles.skip} href="#inhalt">
        Zum Inhalt
      </a>
      <header className={`${styles.header} ${width === 'wide' ? styles.wide : ''} ${ownHeaderOnPhones ? styles.notOnPhones : ''}`}>
        {brandLink ? (
          <Link href="/" className={styles.brand}>
            <Brand />
            <span className="visually-hidden">: zur Startseite</span>
          </Link>
        ) : (
          <span className={styles.brand}>
            <Brand />
          </span>
        )}
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      <main id="inhalt" className={`${styles.main} ${width === 'full' ? '' : styles[width]}`}>
        {children}
      </main>
      {footer && (
        <footer className={styles.footer}>
          {aboveFooter}
          <nav aria-label="Rechtliches" className={styles.legal}>
            <Link href="/datenschutz">Datenschutz</Link>
            <Link href="/agb">AGB</Link>
            <Link href="/impressum">Impressum</Link>
            <Link href="/kontakt">Kontakt</Link>
          </nav>
        </footer>
      )}
    </>
  );
}

function Brand() {
  return (
    <>
      <BrandMark />
      Feierbild
      <span className={styles.beta}>Beta</span>
    </>
  );
}
