import type { Brand } from '@feierbild/contract/brand.ts';
import { logoSize } from '@feierbild/contract/logo.ts';
import type { ReactEventHandler, ReactNode } from 'react';
import { useSite } from '../lib/use-site.ts';
import { shell } from '../texts/guest/shell.ts';
import styles from './page-shell.module.css';

interface PageShellProps {
  /** Reading width of the page's content. */
  width?: 'narrow' | 'reading' | 'full' | 'wide';
  /** Omits the header on phones, where the page's own header suffices. */
  ownHeaderOnPhones?: boolean;
  /** Buttons at the header's right. */
  actions?: ReactNode;
  footer?: boolean;
  /** Content above the footer's legal links. */
  aboveFooter?: ReactNode;
  /** Whether the page begins with the header with the brand. */
  header?: boolean;
  /** A bar that stays at the window's bottom while the page's content is visible; the content fills the rest of the window. */
  bar?: ReactNode;
  /** Content below the first screen of a page with a bar, so that it moves nothing when it comes late. */
  below?: ReactNode;
  children: ReactNode;
}

/** The frame of every page but the dark ones: skip link, header with the brand, main part, footer with the legal links. */
export function PageShell({
  width = 'full',
  ownHeaderOnPhones = false,
  actions,
  footer = true,
  aboveFooter,
  header = true,
  bar,
  below,
  children,
}: PageShellProps) {
  const { business, brand: look } = useSite();
  const { brand } = business.identity;
  const logo = look?.logo;
  const column = `${styles.main} ${width === 'full' ? '' : styles[width]}`;
  return (
    <>
      <a className={styles.skip} href="#inhalt">
        {shell.skip}
      </a>
      {header && (
        <header className={`${styles.header} ${width === 'wide' ? styles.wide : ''} ${ownHeaderOnPhones ? styles.notOnPhones : ''}`}>
          <a href="/" className={styles.brand}>
            {logo ? (
              <Logo {...pictureOf(logo)} name={brand} />
            ) : (
              <>
                <BrandMark />
                Feierbild
              </>
            )}
            <span className={styles.beta}>Beta</span>
            <span className="visually-hidden">{shell.home}</span>
          </a>
          {actions && <div className={styles.actions}>{actions}</div>}
        </header>
      )}
      {bar ? (
        <main id="inhalt">
          <div className={styles.screen}>
            <div className={`${column} ${styles.filled}`}>{children}</div>
            {bar}
          </div>
          {below && <div className={column}>{below}</div>}
        </main>
      ) : (
        <main id="inhalt" className={column}>
          {children}
        </main>
      )}
      {footer && (
        <footer className={styles.footer}>
          {aboveFooter}
          <nav aria-label={shell.legal} className={styles.legal}>
            <a href="/datenschutz">{shell.privacy}</a>
            <a href="/agb">{shell.terms}</a>
            <a href="/impressum">{shell.imprint}</a>
            <a href="/kontakt">{shell.contact}</a>
          </nav>
        </footer>
      )}
    </>
  );
}

/** Returns a logo's address and its size in pixels. */
export const pictureOf = ({ id, width, height }: NonNullable<Brand['logo']>) => ({ src: `/api/pictures/${id}`, width, height });

interface LogoProps extends ReturnType<typeof pictureOf> {
  /** The operator's name. */
  name: string;
  /** Size of the logo as a share of its size in the header. */
  share?: number;
  onLoad?: ReactEventHandler<HTMLImageElement>;
}

/** The operator's logo, in a size that is known before it comes. */
export function Logo({ src, width, height, name, share = 1, onLoad }: LogoProps) {
  return <img src={src} {...logoSize({ width, height }, share)} alt={name} onLoad={onLoad} />;
}

/** The brand's sign: a picture with one corner cut, and a sparkler's spark in it. web/public/zeichen.svg has the same shapes. */
export function BrandMark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <path d="M9 1h13l9 9v13a8 8 0 0 1-8 8H9a8 8 0 0 1-8-8V9a8 8 0 0 1 8-8Z" fill="currentColor" />
      <path
        d="M13.4 13.2 12.6 6.4M17.6 15.2l5.6-5.4M19.2 19.6l6 1M14.6 23.4l1 3.2M9.4 19.4l-3.8 2.2"
        stroke="#fff"
        strokeWidth="2.8"
        strokeLinecap="round"
      />
    </svg>
  );
}
